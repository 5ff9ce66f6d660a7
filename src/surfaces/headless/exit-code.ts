/** What a run's ending means to whoever started the program. Documented in docs/headless.md. */
import { constants } from 'node:os';
import type { Stopped } from '../../protocol/event.ts';
import { type Fault, isProviderFault } from '../../protocol/fault.ts';
import type { Action, Report } from './report.ts';
import type { Status } from './result.ts';

export interface Ending {
  readonly status: Status;
  readonly exitCode: number;
}

export const exitCodes = {
  finished: 0,
  failed: 1,
  usage: 2,
  limit: 3,
  denied: 4,
  provider: 5,
  interrupted: 130,
  terminated: 143,
} as const satisfies Record<Status, number>;

const endingWith = (status: Status): Ending => ({ status, exitCode: exitCodes[status] });

/** The ending of a run. `broken` is the journal's fault: then nothing after it counts. */
export function endingOf(report: Report, broken?: Fault): Ending {
  if (broken) return endingOfFault(broken);
  if (report.ending === undefined) return endingWith('failed');
  if (report.ending === 'released') return endingWith(wasDenied(report) ? 'denied' : 'finished');
  return endingOfStop(report.ending);
}

export function endingOfFault(fault: Fault): Ending {
  if (fault.kind === 'usage') return endingWith('usage');
  if (fault.kind === 'budget') return endingWith('limit');
  return endingWith(isProviderFault(fault) ? 'provider' : 'failed');
}

/** The exit code of a command that failed before or without a run. */
export const exitCodeOfFault = (fault: Fault): number => endingOfFault(fault).exitCode;

/** 128 and the signal's number, as shells count; 143 for a signal that this system does not know. */
export function endingOfSignal(signal: string): Ending {
  const number = new Map<string, number>(Object.entries(constants.signals)).get(signal);
  if (signal === 'SIGINT') return endingWith('interrupted');
  return { status: 'terminated', exitCode: number === undefined ? exitCodes.terminated : 128 + number };
}

function endingOfStop({ reason, by, fault }: Stopped): Ending {
  switch (reason) {
    case 'interrupted':
      return endingWith('interrupted');
    case 'terminated':
      return endingOfSignal(by ?? 'SIGTERM');
    case 'step limit':
    case 'nudge limit':
    case 'time limit':
    case 'budget limit':
      return endingWith('limit');
    case 'fault':
    case 'crashed':
    case 'policy':
      return fault ? endingOfFault(fault) : endingWith('failed');
    default:
      return reason satisfies never;
  }
}

/** Whether the last thing that the main agent tried was refused because nobody could be asked. */
export function wasDenied({ actions }: Report): boolean {
  const last = lastOf(actions);
  if (!last) return false;
  for (let place = -1; ; place--) {
    const action = actions.at(place);
    if (!action || (action.agent === 'main' && action.step !== last.step)) return false;
    if (action.agent === 'main' && action.denial?.by === 'nobody') return true;
  }
}

function lastOf(actions: Report['actions']): Action | undefined {
  for (let place = actions.length - 1; place >= 0; place--) {
    const action = actions.at(place);
    if (action?.agent === 'main') return action;
  }
  return undefined;
}
