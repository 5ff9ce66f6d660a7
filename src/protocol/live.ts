/** What a surface may show while work is under way. Never stored. */
import type { Usage } from './model.ts';

/** What a person is asked before a call runs. */
export interface Question {
  readonly callId: string;
  readonly tool: string;
  /** The command line, path or other thing that the permission is about. */
  readonly subject: string;
  readonly reason: string;
}

export type LiveEvent =
  | { readonly type: 'request.sent'; readonly model: string; readonly bytes: number }
  | { readonly type: 'text.grew'; readonly delta: string }
  | { readonly type: 'reasoning.grew'; readonly delta: string }
  | { readonly type: 'call.grew'; readonly name: string; readonly bytes: number }
  | { readonly type: 'reply.dropped'; readonly reason: string }
  | { readonly type: 'usage.known'; readonly usage: Usage }
  | { readonly type: 'retry.waited'; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  | { readonly type: 'model.switched'; readonly from: string; readonly to: string; readonly reason: string }
  | { readonly type: 'tool.printed'; readonly callId: string; readonly text: string }
  | { readonly type: 'question.asked'; readonly question: Question }
  | { readonly type: 'question.closed'; readonly callId: string };
