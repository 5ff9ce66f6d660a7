/** One command from its start until nothing of it is left: its output, its end, and how it is stopped. */
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleep } from '../../base/abort.ts';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import type { Result } from '../../base/result.ts';
import { liveDecoder } from './decode.ts';
import { Output } from './output.ts';
import { readLastWords } from './prelude.ts';
import { type Belonging, belongings, endAll, hasGroup, isReading, noLeader } from './processes.ts';
import type { End, Running } from './start.ts';
import { isDoneWithin } from './within.ts';

/** Why a command was stopped before its own end. */
export type Cause = 'timeout' | 'abort' | 'flood' | 'asked' | 'closed';

export interface JobOptions {
  readonly number: number;
  readonly command: string;
  readonly running: Running;
  /** A file that does not exist yet; made once the output is longer than what is shown. */
  readonly spillPath: string;
  /** The command is stopped when it has printed more. */
  readonly outputLimitBytes: number;
  /** Where the shell writes the directory in which it ends. */
  readonly directoryFile: string;
  /** The shell is one that writes it. */
  readonly hasLastWords: boolean;
}

/** From the polite signal to the one that cannot be refused. */
const termGraceMs = 700;
const pollMs = 20;
/** After the shell's exit: how long the output may stay silent, and how long it is read at most. */
const drainSilenceMs = 200;
const drainAtMostMs = 1000;
/** How often a command whose shell has ended is looked at. */
const lookEveryMs = 400;
/** So long a program that looks as if it asked must have been silent. */
const questionSilenceMs = 700;

/** By a signal, which is not known. */
const namelessEnd: End = { exitCode: undefined, signal: undefined };

export class Job {
  readonly number: number;
  readonly command: string;
  readonly output: Output;
  readonly startedAtMs = performance.now();
  readonly #running: Running;
  #belonging: Belonging;
  readonly #directoryFile: string;
  readonly #hasLastWords: boolean;
  #listener: ((text: string) => void) | undefined;
  #lastAtMs = performance.now();
  #ending: Promise<void> | undefined;
  end: End | undefined;
  /** Set with `end`. */
  durationMs: number | undefined;
  stoppedBy: Cause | undefined;
  /** Absolute; where the shell stood when it ended by itself. */
  directory: string | undefined;
  /** Exit codes of the pipeline that ran last in the shell itself; known where `directory` is. */
  pipeStatus: readonly number[] | undefined;
  isOver = false;
  /** The shell has ended and its output was read, or is held by a process that it left. */
  readonly ended: Promise<void>;
  /** Nothing of it is left. */
  readonly over: Promise<void>;

  constructor({ number, command, running, spillPath, outputLimitBytes, directoryFile, hasLastWords }: JobOptions) {
    this.number = number;
    this.command = command;
    this.#running = running;
    this.#belonging = running;
    this.#directoryFile = directoryFile;
    this.#hasLastWords = hasLastWords;
    this.output = new Output(spillPath);
    const decode = liveDecoder();
    running.onChunk((chunk) => {
      this.#lastAtMs = performance.now();
      this.output.add(chunk);
      this.#listener?.(decode(chunk));
      if (this.output.bytes > outputLimitBytes) void this.stop('flood');
    });
    this.ended = this.#untilEnd();
    this.over = this.ended.then(() => this.#untilOver());
  }

  /** Where output goes as it comes; the newest listener alone gets it. */
  listen(listener: ((text: string) => void) | undefined): void {
    this.#listener = listener;
  }

  async #untilEnd(): Promise<void> {
    this.end = await this.#running.ended;
    this.durationMs = Math.round(performance.now() - this.startedAtMs);
    const lastWords = attemptSync(() => readLastWords(readFileSync(this.#directoryFile, 'utf8')), codeOf);
    if (!lastWords.ok && this.end.exitCode === 0 && this.#mustHaveLastWords()) this.end = namelessEnd;
    if (lastWords.ok) {
      attemptSync(() => unlinkSync(this.#directoryFile), codeOf);
      this.directory = lastWords.value.directory;
      this.pipeStatus = lastWords.value.pipeStatus;
    }
    const exitedAtMs = performance.now();
    while (!(await this.#isGone())) {
      const now = performance.now();
      if (now - Math.max(this.#lastAtMs, exitedAtMs) > drainSilenceMs || now - exitedAtMs > drainAtMostMs) return;
    }
    this.#finish();
  }

  /** The runtime tells a signal that it has no name for (SIGRTMIN) as exit code 0, but such a shell says no last words. */
  #mustHaveLastWords(): boolean {
    const file = this.#directoryFile;
    const isUsual = this.#hasLastWords && !/\b(exec|trap|source|BASH_ENV)\b|(^|[\s;&|(])\.\s/.test(this.command);
    return isUsual && !existsSync(file) && existsSync(dirname(file));
  }

  async #untilOver(): Promise<void> {
    while (!this.isOver) {
      if (await this.#isGone(lookEveryMs)) this.#finish();
      else this.#forgetGroup();
    }
  }

  /** Only who left the group goes on: its number may soon be another's. */
  #forgetGroup(): void {
    const { leader } = this.#belonging;
    if (leader === noLeader || hasGroup(leader)) return;
    this.#belonging = { ...this.#belonging, leader: noLeader };
    this.#running.leaveGroup();
  }

  /** Waits up to `ms` for the output's close, then looks whether anything is left. */
  async #isGone(ms = pollMs): Promise<boolean> {
    if (!(await isDoneWithin(this.#running.closed, ms))) return false;
    if (!hasGroup(this.#belonging.leader)) return true;
    await sleep(ms);
    return false;
  }

  #finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#running.release();
    this.output.close();
  }

  /** Ends everything of it. Resolves when that is done; the second call waits for the first. */
  stop(cause: Cause): Promise<void> {
    if (this.isOver) return Promise.resolve();
    // What was stopped after the shell's own end still ended by itself.
    if (!this.end) this.stoppedBy ??= cause;
    this.#ending ??= this.#endAll();
    return this.#ending;
  }

  async #endAll(): Promise<void> {
    await endAll(this.#belonging, termGraceMs);
    await isDoneWithin(this.over, drainAtMostMs);
    this.end ??= { exitCode: undefined, signal: 'SIGKILL' };
    this.#finish();
  }

  /** It goes on without us: nothing of it is watched, read or ended any more. */
  letGo(): void {
    this.#finish();
  }

  write(text: string): Result<void, string> {
    this.#lastAtMs = performance.now();
    return this.#running.write(text);
  }

  /** Milliseconds since it last printed or was written to. */
  get silentMs(): number {
    return performance.now() - this.#lastAtMs;
  }

  get isTerminal(): boolean {
    return this.#running.isTerminal;
  }

  /** Bytes of input that it has not read yet, beyond what its pipe holds. */
  get waitingBytes(): number {
    return this.isOver ? 0 : this.#running.waitingBytes();
  }

  get canBeFed(): boolean {
    return this.#running.isTerminal || this.#running.inputPipe !== undefined;
  }

  /** True when it waits for input: a process reads it right now, or its last words are a question and then silence. */
  isAsking(): boolean {
    if (this.end || this.silentMs < pollMs || this.waitingBytes > 0) return false;
    if (this.canBeFed && isReading(this.#belonging, this.#running.inputPipe)) return true;
    return this.silentMs > questionSilenceMs && isQuestion(this.output.openLine());
  }

  /** Ids of the processes that are left. */
  processes(): number[] {
    return this.isOver ? [] : belongings(this.#belonging);
  }
}

/** A line that is not ended, and ends like something that wants an answer. */
export const isQuestion = (openLine: string): boolean =>
  /\S.*(?:[?:]|\][:?]?|\)[:?]?|>)\s*$/.test(openLine.slice(-200));
