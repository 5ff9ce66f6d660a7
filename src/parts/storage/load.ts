/** Reads a journal: every record that is whole, and an account of everything else. Changes nothing. */
import type { Recorded } from '../../protocol/event.ts';
import { type Damage, noDamage } from './damage.ts';
import type { LineCodec } from './line.ts';
import { readLines } from './lines.ts';
import { firstRecord, isKept, type Kept, salvage, withoutNuls } from './salvage.ts';

export interface Loaded {
  readonly past: Recorded[];
  readonly damage: Damage;
  /** The highest number seen; 0 in an empty journal. */
  readonly lastSeq: number;
  readonly tail: Tail;
}

/** The end of the file. */
export interface Tail {
  /** Everything before this offset is lines, and perhaps one whole record without its newline. */
  readonly goodBytes: number;
  readonly needsNewline: boolean;
  /** What follows: a torn record, or nothing. NULs at its end are left out. */
  readonly torn: Buffer;
  readonly nulBytes: number;
}

/** Throws only what Node throws on reading. */
export function load(file: number, codec: LineCodec): Loaded {
  const tally = new Tally();
  let tail: Tail = { goodBytes: 0, needsNewline: false, torn: Buffer.alloc(0), nulBytes: 0 };
  for (const { bytes, start, isWhole } of readLines(file)) {
    if (isWhole) {
      takeLine(bytes, codec, tally);
      tail = { ...tail, goodBytes: start + bytes.length + 1 };
    } else {
      tail = takeTail(bytes, start, { codec, tally });
    }
  }
  return {
    past: tally.past,
    damage: { ...tally.damage(), tornBytes: tail.torn.length, nulBytes: tail.nulBytes },
    lastSeq: tally.lastSeq,
    tail,
  };
}

function takeLine(bytes: Buffer, codec: LineCodec, tally: Tally): void {
  if (bytes.length === 0) return; // an empty line is what is left when a newline was written to be safe
  const line = codec.decode(bytes);
  if (isKept(line)) tally.keep(line);
  else if (line.what === 'foreign') tally.foreignLines++;
  else {
    tally.damagedLines++;
    for (const kept of salvage(bytes, codec)) {
      tally.salvagedRecords++;
      tally.keep(kept);
    }
  }
}

/** Bytes without a newline behind them: a whole record that lost just that, a torn one, NULs. */
function takeTail(bytes: Buffer, start: number, { codec, tally }: { codec: LineCodec; tally: Tally }): Tail {
  const record = firstRecord(bytes, codec);
  if (record) tally.keep(record.kept);
  const goodBytes = start + (record?.length ?? 0);
  const rest = bytes.subarray(record?.length ?? 0);
  const torn = withoutNuls(rest);
  return { goodBytes, needsNewline: record !== undefined, torn, nulBytes: rest.length - torn.length };
}

/** Collects records in the order of the file and watches their numbers. */
class Tally {
  readonly past: Recorded[] = [];
  readonly #gaps: [number, number][] = [];
  lastSeq = 0;
  damagedLines = 0;
  foreignLines = 0;
  salvagedRecords = 0;
  #unknownRecords = 0;
  #copies = 0;
  #clashes = 0;

  keep(kept: Kept): void {
    const seq = kept.what === 'record' ? kept.recorded.seq : kept.seq;
    if (seq > this.lastSeq + 1) this.#gaps.push([this.lastSeq + 1, seq - 1]);
    const isNew = seq > this.lastSeq;
    this.lastSeq = Math.max(this.lastSeq, seq);
    if (kept.what === 'unknown') {
      this.#unknownRecords++;
      return;
    }
    if (isNew) this.past.push(kept.recorded);
    else this.#keepAgain(kept.recorded);
  }

  /** A number seen before: a copy of the same record would say everything twice, another record is kept. */
  #keepAgain(recorded: Recorded): void {
    const text = JSON.stringify(recorded);
    const isCopy = this.past.some((known) => known.seq === recorded.seq && JSON.stringify(known) === text);
    if (isCopy) this.#copies++;
    else {
      this.#clashes++;
      this.past.push(recorded);
    }
  }

  damage(): Damage {
    return {
      ...noDamage,
      damagedLines: this.damagedLines,
      foreignLines: this.foreignLines,
      unknownRecords: this.#unknownRecords,
      salvagedRecords: this.salvagedRecords,
      copies: this.#copies,
      clashes: this.#clashes,
      gaps: this.#gaps,
    };
  }
}
