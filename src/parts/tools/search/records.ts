/** Splits a search program's output into records, and never holds more than one bounded record. */

/** One record without its separator; of an over-long one its beginning and then its line number: `"line_number":7,`. */
export type OnRecord = (record: Buffer, isCut: boolean) => boolean;

const recordAtMostBytes = 1 << 20;
/** Longer than a line number with its name. */
const carriedBytes = 64;
/** Cannot stand in the text of a line, whose quotation marks are escaped. */
const lineNumber = /"line_number":\d+,/;

/** Takes chunks of the output; false once `onRecord` wants no more. */
export function recordReader(separator: number, onRecord: OnRecord): (chunk: Buffer) => boolean {
  let parts: Buffer[] = [];
  let held = 0;
  /** Of an over-long record: its line number, else the end of what was dropped, in which a number may have begun. */
  let cut: { readonly number: Buffer | undefined; readonly carried: Buffer } | undefined;
  const drop = (piece: Buffer) => {
    if (cut?.number) return;
    const window = Buffer.concat([cut?.carried ?? Buffer.concat(parts).subarray(-carriedBytes), piece]);
    const at = window.indexOf('"line_number":');
    const found = at < 0 ? undefined : lineNumber.exec(window.toString('latin1', at, at + carriedBytes))?.[0];
    cut = { number: found === undefined ? undefined : Buffer.from(found), carried: window.subarray(-carriedBytes) };
  };
  const hold = (piece: Buffer) => {
    const room = recordAtMostBytes - held;
    if (room > 0 && piece.length > 0) parts.push(piece.subarray(0, room));
    held += Math.min(piece.length, room);
    if (piece.length > room) drop(piece.subarray(room));
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      hold(chunk.subarray(start, end));
      if (cut?.number) parts.push(cut.number);
      const record = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      const wantsMore = onRecord(record, cut !== undefined);
      parts = [];
      held = 0;
      cut = undefined;
      start = end + 1;
      if (!wantsMore) return false;
    }
    hold(chunk.subarray(start));
    return true;
  };
}
