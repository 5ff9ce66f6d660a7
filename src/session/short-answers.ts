/** Tool answers cut for a small window: one page of a file must not push out the task. */
import { ok } from '../base/result.ts';
import type { PreparedCall, ToolAnswer, ToolBox } from '../loop/ports.ts';

/** Tools keep their answers under 30 KB themselves, which is a quarter of this window. */
const roomyTokens = 32_768;

/** The most bytes that an answer may have in this window, a quarter of it; undefined where nothing need be cut. */
export const answerBytes = (contextTokens: number): number | undefined =>
  contextTokens >= roomyTokens ? undefined : Math.max(1000, Math.floor(contextTokens / 4) * 3);

export function shortAnswers(box: ToolBox, bytes: number | undefined): ToolBox {
  if (bytes === undefined) return box;
  return {
    specs: box.specs,
    prepare: (call) => {
      const prepared = box.prepare(call);
      return prepared.ok ? ok(withShortAnswer(prepared.value, bytes)) : prepared;
    },
  };
}

const withShortAnswer = (call: PreparedCall, bytes: number): PreparedCall => ({
  ...call,
  run: async (io) => cutAnswer(await call.run(io), bytes),
});

/** The beginning says what it is, the end how it ended. */
function cutAnswer(answer: ToolAnswer, bytes: number): ToolAnswer {
  const whole = Buffer.from(answer.text);
  if (whole.length <= bytes) return answer;
  const tail = Math.floor(bytes / 3);
  const head = textOf(whole.subarray(0, bytes - tail));
  const end = textOf(whole.subarray(whole.length - tail));
  const left = whole.length - bytes;
  const mark = `\n[${left} bytes left out here: your window is small. Ask for less: a range of lines, a narrower pattern, head or grep.]\n`;
  return { ...answer, text: `${head}${mark}${end}` };
}

/** Without the halves of characters at its ends. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFFFD+|\uFFFD+$/g, '');
