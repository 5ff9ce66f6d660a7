/** The open file behind a journal: appends whole lines or nothing, flushes on demand. */
import { closeSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Clock, Journal } from '../../loop/ports.ts';
import type { Event, Recorded } from '../../protocol/event.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { Damage } from './damage.ts';
import { explain } from './faults.ts';
import { flushDirectory, flushFile } from './flush.ts';
import { type LineCodec, makeLineCodec } from './line.ts';
import type { Lock } from './lock.ts';
import { besides } from './place.ts';

export interface OpenJournal extends Journal {
  readonly path: string;
  /** Every whole record that was there on opening, in order. */
  readonly past: readonly Recorded[];
  /** What was set aside on opening. `describeDamage` puts it in words. */
  readonly damage: Damage;
  /** As in Journal; `parentCall` is the tool call under which a sub-agent acts. */
  append(event: Event, agent: string, parentCall?: string): Result<Recorded, Fault>;
  /** Syncs, closes, unlocks; a new journal that took no record leaves nothing. Later calls do nothing. */
  close(): Promise<Result<void, Fault>>;
}

/** A file that can be written. */
export interface StartedFile {
  readonly file: number;
  readonly lock: Lock;
  readonly bytes: number;
  readonly needsNewline: boolean;
  /** Directories whose entries must be flushed with the first sync. */
  readonly unsyncedDirectories: readonly string[];
}

export interface JournalStart {
  readonly path: string;
  readonly clock: Clock;
  /** The file, or what makes it at the first append (and again at the next, where it failed). */
  readonly file: StartedFile | (() => Result<StartedFile, Fault>);
  readonly past: readonly Recorded[];
  readonly damage: Damage;
  readonly lastSeq: number;
}

const newline = Buffer.from('\n');

export class JournalFile implements OpenJournal {
  readonly path: string;
  readonly past: readonly Recorded[];
  readonly damage: Damage;
  readonly #clock: Clock;
  readonly #file: StartedFile | (() => Result<StartedFile, Fault>);
  readonly #codec: LineCodec = makeLineCodec();
  #started: StartedFile | undefined;
  #lastSeq: number;
  /** Length of the file as far as it holds what was acknowledged. */
  #bytes = 0;
  #syncedBytes = 0;
  #needsNewline = false;
  /** The file is longer than `#bytes`: a write failed half-way and could not be cut back yet. */
  #hasScrap = false;
  #unsyncedDirectories: readonly string[] = [];
  /** Set for good when the disk lost what it had taken, or the journal was closed. */
  #end: Fault | undefined;
  #flushing: Promise<unknown> = Promise.resolve();
  #nextFlush: Promise<Result<void, Fault>> | undefined;
  #closing: Promise<Result<void, Fault>> | undefined;

  constructor({ path, clock, file, past, damage, lastSeq }: JournalStart) {
    this.path = path;
    this.past = past;
    this.damage = damage;
    this.#clock = clock;
    this.#file = file;
    if (typeof file !== 'function') this.#adopt(file);
    this.#lastSeq = lastSeq;
  }

  append(event: Event, agent: string, parentCall?: string): Result<Recorded, Fault> {
    const file = this.#ready();
    if (!file.ok) return file;
    const who = parentCall === undefined ? { agent } : { agent, parentCall };
    const recorded: Recorded = { seq: this.#lastSeq + 1, at: this.#clock.now(), ...who, event };
    const line = this.#codec.encode(recorded);
    if (!line.ok) return line;
    const bytes = this.#needsNewline ? Buffer.concat([newline, line.value]) : line.value;
    const written = attemptSync(() => writeWhole(file.value, bytes), explain('write to', this.path));
    if (!written.ok) {
      this.#hasScrap = true;
      this.#cutScrap(file.value);
      return written;
    }
    this.#needsNewline = false;
    this.#bytes += bytes.length;
    this.#lastSeq = recorded.seq;
    return ok(recorded);
  }

  /** Callers that wait at the same time share one flush; one that comes during a flush waits for the next. */
  sync(): Promise<Result<void, Fault>> {
    if (this.#nextFlush) return this.#nextFlush;
    const flush = this.#flushing.then(() => {
      this.#nextFlush = undefined;
      return this.#flush();
    });
    this.#nextFlush = flush;
    this.#flushing = flush;
    return flush;
  }

  close(): Promise<Result<void, Fault>> {
    this.#closing ??= this.sync().then((synced) => {
      this.#end ??= fault('storage', `The journal ${this.path} is closed.`);
      if (this.#started) {
        attemptSync(() => this.#started && closeSync(this.#started.file), messageOf);
        const isUnused = typeof this.#file === 'function' && this.#bytes === 0;
        if (isUnused) attemptSync(() => rmSync(this.path, { force: true }), messageOf);
        this.#started.lock.release();
        if (isUnused) attemptSync(() => rmSync(besides(this.path).lock, { force: true }), messageOf);
      }
      return synced;
    });
    return this.#closing;
  }

  /** The file's descriptor, its end clean. */
  #ready(): Result<number, Fault> {
    if (this.#end) return fail(this.#end);
    const started = this.#started ?? this.#startNow();
    if ('fault' in started) return started;
    const { file } = started;
    const clean = this.#hasScrap ? this.#cutScrap(file) : ok(undefined);
    return clean.ok ? ok(file) : clean;
  }

  #startNow(): StartedFile | { readonly ok: false; readonly fault: Fault } {
    if (typeof this.#file !== 'function') return this.#file;
    const started = this.#file();
    if (!started.ok) return started;
    this.#adopt(started.value);
    return started.value;
  }

  #adopt(started: StartedFile): void {
    this.#started = started;
    this.#bytes = started.bytes;
    this.#needsNewline = started.needsNewline;
    this.#unsyncedDirectories = started.unsyncedDirectories;
  }

  #cutScrap(file: number): Result<void, Fault> {
    const cut = attemptSync(() => ftruncateSync(file, this.#bytes), explain('cut back', this.path));
    if (cut.ok) this.#hasScrap = false;
    return cut;
  }

  async #flush(): Promise<Result<void, Fault>> {
    if (this.#end) return fail(this.#end);
    if (!this.#started) return ok(undefined);
    const bytes = this.#bytes;
    if (bytes === this.#syncedBytes) return ok(undefined);
    for (const directory of this.#unsyncedDirectories) {
      const flushed = flushDirectory(directory);
      if (!flushed.ok) return flushed;
    }
    this.#unsyncedDirectories = [];
    const flushed = await flushFile(this.#started.file, this.path);
    if (flushed.ok) this.#syncedBytes = bytes;
    // After a failed flush the kernel may count the lost pages as written: a second flush would lie.
    else this.#end = flushed.fault;
    return flushed;
  }
}

/** Node's write may take a part only; a record is one write wherever the system takes it whole. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    const length = writeSync(file, bytes, done);
    if (length === 0) throw new Error('the system took no more bytes');
    done += length;
  }
}
