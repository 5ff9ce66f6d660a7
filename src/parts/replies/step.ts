/** What was done to a reply, in one shape for every step: journaled as `noted`, counted, switched off by its id. */
import type { Noted } from '../../protocol/event.ts';

/** How serious: `mended` and `salvaged` calls go on, `refused` ones are told, `cleaned` concerns the text alone. */
export type StepKind = 'mended' | 'salvaged' | 'refused' | 'cleaned' | 'warned';

export interface Step {
  readonly kind: StepKind;
  /** The id by which `replies.disabled` switches it off. */
  readonly step: string;
  readonly tool?: string;
  /** Dotted, within the arguments; empty for the whole. */
  readonly path?: string;
  readonly what: string;
}

export const notedStep = ({ kind, ...data }: Step): Noted => ({ type: 'noted', by: 'replies', kind, data });
