/** What loading a journal had to set aside. Nothing of it is deleted: it stays in the file or goes to a side file. */

export interface Damage {
  /** Lines whose bytes were changed or lost. */
  readonly damagedLines: number;
  /** Lines that Smew did not write. */
  readonly foreignLines: number;
  /** Whole records of an event, or a form of one, that this version does not know. */
  readonly unknownRecords: number;
  /** Records found whole inside damaged lines, and kept. */
  readonly salvagedRecords: number;
  /** Second copies of a record; left out. */
  readonly copies: number;
  /** Different records under a number that was used before; kept. */
  readonly clashes: number;
  /** Numbers that no record bears, as inclusive ranges. */
  readonly gaps: readonly (readonly [first: number, last: number])[];
  /** Bytes of a record that broke off at the end of the file. */
  readonly tornBytes: number;
  /** NUL bytes at the end of the file. */
  readonly nulBytes: number;
  /** Where the torn bytes were moved; undefined where they stayed in the file. */
  readonly tornFile?: string;
}

export const noDamage: Damage = {
  damagedLines: 0,
  foreignLines: 0,
  unknownRecords: 0,
  salvagedRecords: 0,
  copies: 0,
  clashes: 0,
  gaps: [],
  tornBytes: 0,
  nulBytes: 0,
};

/** One sentence for each kind of damage; empty for a whole journal. */
export function describeDamage(damage: Damage): string[] {
  const { tornFile } = damage;
  const sentences: [number, (amount: string) => string][] = [
    [damage.damagedLines, (n) => `${n} damaged ${line(damage.damagedLines)} skipped; they stay in the file.`],
    [damage.salvagedRecords, (n) => `${n} whole ${record(damage.salvagedRecords)} kept from inside damaged lines.`],
    [
      damage.foreignLines,
      (n) => `${n} ${line(damage.foreignLines)} not written by Smew skipped; they stay in the file.`,
    ],
    [
      damage.unknownRecords,
      (n) =>
        `${n} ${record(damage.unknownRecords)} of a kind that this version does not know skipped; they stay in the file.`,
    ],
    [damage.copies, (n) => `${n} repeated ${record(damage.copies)} left out.`],
    [
      damage.clashes,
      (n) => `${n} ${record(damage.clashes)} with a number that was used before: two writers? All kept.`,
    ],
    [
      damage.tornBytes,
      (n) =>
        `The last record broke off after ${n} bytes; they are ${tornFile ? `kept in ${tornFile}` : 'left in the file'}.`,
    ],
    [damage.nulBytes, (n) => `${n} NUL bytes removed from the end of the file (a power cut leaves them).`],
    [damage.gaps.length, () => `Missing records: ${rangesOf(damage.gaps)}.`],
  ];
  return sentences.filter(([count]) => count > 0).map(([count, say]) => say(String(count)));
}

const line = (count: number) => (count === 1 ? 'line' : 'lines');
const record = (count: number) => (count === 1 ? 'record' : 'records');

const mostRanges = 10;

function rangesOf(gaps: Damage['gaps']): string {
  const shown = gaps.slice(0, mostRanges).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const more = gaps.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more ranges` : shown.join(', ');
}
