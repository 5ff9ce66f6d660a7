/** Whether two calls are the same one: by name and by arguments, whatever the order of keys. */

/** JSON with sorted keys; -0 and 0, 1 and 1.0 are one number. */
export function canonical(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth > 200) return '"..."';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, depth + 1)}`).join(',')}}`;
}

export const identity = (name: string, input: unknown): string => `${name}\n${canonical(input)}`;

/** A few words or one line over and over: noise that would be imitated if it stayed in the history. */
export function isDegenerate(text: string): boolean {
  const words = text.trim().split(/\s+/, 4_000);
  if (words.length < 6) return false;
  for (let period = 1; period <= Math.min(12, words.length / 4); period++) {
    if (words.every((word, index) => index < period || word === words[index - period])) return true;
  }
  return false;
}
