/** `--output-format text`: the answer on stdout, a calm progress on stderr. */
import { styleText } from 'node:util';
import type { Event, Recorded } from '../../protocol/event.ts';
import type { LiveEvent } from '../../protocol/live.ts';
import type { Output } from './output.ts';
import type { Printer, Verbosity } from './printer.ts';
import type { Action, Report } from './report.ts';
import { summaryLines } from './summary.ts';
import { terminalLine, terminalText } from './terminal-text.ts';
import { actionLine, againLine, duration, type Line, todoLine } from './wording.ts';

const styles = { dim: 'dim', good: 'green', bad: 'red', warning: 'yellow' } as const;

export interface TextOptions {
  readonly out: Output;
  readonly err: Output;
  readonly verbosity: Verbosity;
  /** Whether stderr may hold colours. */
  readonly hasColour: boolean;
  /** Whether the session can be gone on with. */
  readonly isStored: boolean;
}

export function textPrinter({ out, err, verbosity, hasColour, isStored }: TextOptions): Printer {
  const say = async (lines: readonly Line[]) => {
    const text = lines.map((line) => `${painted(line, hasColour)}\n`).join('');
    await err.write(text);
  };
  let shown = 0;
  /** Every action is shown once, when its answer is there. */
  const news = ({ actions }: Report): Action[] => {
    const fresh = actions.slice(shown);
    shown = actions.length;
    return fresh;
  };
  return {
    begin: async ({ notices }) => {
      if (verbosity !== 'quiet') await say(notices.map((notice) => ['warning', `! ${terminalLine(notice, 400)}`]));
    },
    show: async (happening, report) => {
      const actions = news(report);
      if (verbosity === 'quiet') return;
      const said = 'seq' in happening ? eventLines(happening, verbosity) : liveLines(happening);
      await say([...said, ...actions.flatMap(actionLines)]);
    },
    tell: async (lines) => {
      if (verbosity !== 'quiet') await say(lines.map((line) => ['warning', `… ${terminalLine(line, 200)}`]));
    },
    end: async (result) => {
      const answer = terminalText(result.result ?? '');
      if (answer.trim() !== '') await out.write(answer.endsWith('\n') ? answer : `${answer}\n`);
      await say(summaryLines(result, { verbosity, isStored }));
    },
  };
}

const painted = ([tone, text]: Line, hasColour: boolean): string =>
  hasColour && tone !== 'plain' && text !== '' ? styleText(styles[tone], text, { validateStream: false }) : text;

function actionLines(action: Action): Line[] {
  const todo = todoLine(action);
  if (todo) return [['plain', todo]];
  const indent = action.agent === 'main' ? '' : '  ';
  return [[action.outcome === 'ok' ? 'dim' : 'bad', `${indent}${actionLine(action)}`]];
}

function eventLines({ agent, event }: Recorded, verbosity: Verbosity): Line[] {
  if (agent !== 'main') return [];
  switch (event.type) {
    case 'nudged':
      return [['warning', `… sent on by ${terminalLine(event.by, 60)}: ${terminalLine(event.text, 120)}`]];
    case 'compacted':
      return [['dim', `… context shortened by ${terminalLine(event.by, 60)}: ${shortening(event)}`]];
    case 'replied':
      return verbosity === 'verbose' ? narration(event) : [];
    case 'noted':
      if (event.kind === 'prompt cut' && typeof event.data?.['text'] === 'string')
        return [['warning', `… ${terminalLine(event.data['text'], 300)}`]];
      return verbosity === 'verbose' ? [['dim', `… ${terminalLine(`${event.by}: ${event.kind}`, 120)}`]] : [];
    default:
      return [];
  }
}

/** What stands in place of the oldest messages: as many as before with less in them, or fewer. */
function shortening({ cut, messages }: Extract<Event, { type: 'compacted' }>): string {
  if (messages.length < cut) return `${cut} messages became ${messages.length}`;
  const results = messages.flatMap((message) => (message.from === 'tools' ? message.results : []));
  const masked = results.filter(({ text }) => text.startsWith('[masked: ')).length;
  const many = (count: number) => `${count} old tool result${count === 1 ? ' is' : 's are'} left out`;
  return masked > 0 ? many(masked) : 'the newest tool result is cut in its middle';
}

/** What the model says beside its calls; its answer has a place of its own. */
function narration({ reply }: Extract<Event, { type: 'replied' }>): Line[] {
  const text = reply.calls.length > 0 ? terminalText(reply.text).trim() : '';
  return text === '' ? [] : [['plain', text]];
}

function liveLines(happening: LiveEvent): Line[] {
  if (happening.type === 'model.switched') {
    const { from, to, reason } = happening;
    return [['warning', `… ${terminalLine(`${from} -> ${to}`, 160)}: ${terminalLine(reason, 160)}`]];
  }
  if (happening.type === 'reply.dropped') return [['warning', againLine(happening.reason)]];
  if (happening.type !== 'retry.waited') return [];
  const { attempt, delayMs, reason } = happening;
  return [['warning', `… retry ${attempt} in ${duration(delayMs)}: ${terminalLine(reason, 160)}`]];
}
