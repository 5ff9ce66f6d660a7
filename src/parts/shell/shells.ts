/** The shells of a session: runs commands, keeps those that go on in the background, and ends them all with the session. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Environment, findShell, quietEnvironment } from './environment.ts';
import { type Guard, startGuard } from './guard.ts';
import { Job } from './job.ts';
import { directoryFile, withPrelude, writePrelude } from './prelude.ts';
import { type Fate, fateOf, type News, newsOf, type Report, reportOf } from './report.ts';
import { type Running, type StartOrder, startShell } from './start.ts';
import { type Why, watch } from './watch.ts';
import { isDoneWithin } from './within.ts';

export interface ShellsOptions {
  /** What commands may see. */
  readonly env: Environment;
  /** For pipes and small files where no temporary folder can be used. Absolute; made when needed. */
  readonly ownFolder?: string;
  /** How many shells may go on in the background at once. */
  readonly backgroundAtMost?: number;
  /** A command is stopped when it has printed more. */
  readonly outputLimitBytes?: number;
}

export interface RunOrder {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** After so long it goes on in the background. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Output as it comes, decoded, with its control sequences. */
  readonly onOutput?: (text: string) => void;
  /** A file that does not exist yet; made once the output is longer than what is shown. */
  readonly spillPath: string;
  /** Text that it reads, then the end of input. */
  readonly input?: string;
  /** Goes to the background at once; its input stays open. */
  readonly isBackground?: boolean;
  /** Runs at a pseudo-terminal. */
  readonly isTerminal?: boolean;
}

export interface FollowOrder {
  readonly id: string;
  readonly signal: AbortSignal;
  /** How long to wait for its end; without it only for something new. */
  readonly waitMs?: number;
  readonly input?: string;
  readonly onOutput?: (text: string) => void;
}

const defaultBackgroundAtMost = 8;
const defaultOutputLimitBytes = 2 * 1024 ** 3;
/** How long a background command is watched for what goes wrong at once. */
const firstLookMs = 1000;
const waitForNewsMs = 5000;
/** Where something new is there already. */
const shortWaitMs = 100;
/** An interrupted person is answered after so long, whatever still has to be killed. */
const interruptAnswerMs = 120;

export class Shells {
  /** Absolute path of the shell that runs the commands. */
  readonly shell: string;
  readonly #env: Environment;
  readonly #ownFolder: string | undefined;
  readonly #backgroundAtMost: number;
  readonly #outputLimitBytes: number;
  /** Everything that was started and is not over. */
  readonly #open = new Set<Job>();
  /** Those that the model knows of by their number, and has not heard the end of. */
  readonly #background = new Map<string, Job>();
  readonly #kept = new Set<Job>();
  /** Those in the background whose end no report has told. */
  readonly #unseen = new Set<Job>();
  /** How many bytes of a background shell the model has heard of. */
  readonly #toldBytes = new Map<string, number>();
  #guard: Promise<Result<Guard, string>> | undefined;
  /** Those that were killed: their folders are still in use. */
  readonly #deadGuards: Guard[] = [];
  #count = 0;

  constructor({ env, ownFolder, backgroundAtMost, outputLimitBytes }: ShellsOptions) {
    this.#env = quietEnvironment(env);
    this.shell = findShell(this.#env);
    this.#ownFolder = ownFolder;
    this.#backgroundAtMost = backgroundAtMost ?? defaultBackgroundAtMost;
    this.#outputLimitBytes = outputLimitBytes ?? defaultOutputLimitBytes;
  }

  /** Starts what the first command would otherwise have to wait for. */
  warm(): void {
    this.#guard ??= newGuard(this.#env, this.#ownFolder);
  }

  /** Runs a command to its end or its limit. Fails, with a text, only when it cannot be started. */
  async run(order: RunOrder): Promise<Result<Report, string>> {
    const goesOn = order.isBackground === true || order.isTerminal === true;
    if (goesOn && this.#isFull()) return fail(this.#whyFull());
    const begun = await this.#begin(order);
    if (!begun.ok) return begun;
    const job = begun.value;
    job.listen(order.onOutput);
    const limitMs = order.isBackground ? Math.min(firstLookMs, order.limitMs) : order.limitMs;
    const why = await watch(job, { signal: order.signal, limitMs, until: goesOn ? 'asks' : 'end' });
    job.listen(undefined);
    const isCrowded = await this.#settle(job, why);
    const report = this.#told(job);
    return ok(isCrowded ? { ...report, crowdedBy: this.#running() } : report);
  }

  /** Feeds a background shell, waits, and tells what is new. */
  async follow({ id, signal, waitMs, input, onOutput }: FollowOrder): Promise<Result<Report, string>> {
    const found = this.#find(id);
    if (!found.ok) return found;
    const job = found.value;
    const hasNews = job.output.newBytes > 0 && input === undefined;
    const written = input === undefined ? ok(undefined) : job.write(input);
    if (!written.ok) return written;
    job.listen(onOutput);
    const limitMs = waitMs ?? (hasNews ? shortWaitMs : waitForNewsMs);
    await watch(job, { signal, limitMs, until: waitMs === undefined ? 'news' : 'asks' });
    job.listen(undefined);
    return ok(this.#told(job));
  }

  async stop(id: string): Promise<Result<Report, string>> {
    const found = this.#find(id);
    if (!found.ok) return found;
    await found.value.stop('asked');
    return ok(this.#told(found.value));
  }

  /** Background shells that ended (`all`: or printed) since the model last heard of them. It has then. */
  news(which: 'all' | 'ended'): readonly News[] {
    const news: News[] = [];
    for (const [id, job] of this.#background) {
      const toldBytes = this.#toldBytes.get(id) ?? 0;
      if (!job.isOver && (which === 'ended' || job.output.bytes === toldBytes)) continue;
      news.push(newsOf(job, toldBytes));
      this.#toldBytes.set(id, job.output.bytes);
      if (job.isOver) this.#background.delete(id);
    }
    return news;
  }

  /** For the user: background shells whose end no report told, each once; `all`: and those that run, unless they are kept. */
  fates(which: 'all' | 'ended'): readonly Fate[] {
    const found = [...this.#unseen].filter((job) => job.isOver || (which === 'all' && !this.#kept.has(job)));
    for (const job of found) this.#unseen.delete(job);
    return found.map(fateOf);
  }

  /** The user wants it to outlive the session; what it prints to its output afterwards is lost. */
  async keep(id: string): Promise<Result<void, string>> {
    const found = this.#find(id);
    if (!found.ok) return found;
    this.#kept.add(found.value);
    const guard = await this.#guard;
    if (guard?.ok) guard.value.keep(found.value.number);
    return ok(undefined);
  }

  /** Ends everything. */
  async close(): Promise<void> {
    for (const job of this.#kept) job.letGo();
    await Promise.all([...this.#open].map((job) => job.stop('closed')));
    const guard = await this.#guard;
    if (guard?.ok) guard.value.close();
    for (const dead of this.#deadGuards) dead.close();
    this.#guard = undefined;
  }

  async #begin(order: RunOrder): Promise<Result<Job, string>> {
    const guarded = await this.#guarding();
    if (!guarded.ok) return fail(`The shell could not be started: ${guarded.fault}.`);
    const guard = guarded.value;
    const number = ++this.#count;
    const { command, cwd, spillPath } = order;
    const env = withPrelude(this.#env, guard.directory);
    const started = await startAs(order, { command, cwd, env, shell: this.shell, number }, guard);
    if (!started.ok) return started;
    const running = started.value;
    const outputLimitBytes = this.#outputLimitBytes;
    const file = directoryFile(guard.directory, running.leader);
    const hasLastWords = this.shell.endsWith('bash') && !order.isTerminal;
    const job = new Job({ number, command, running, spillPath, outputLimitBytes, directoryFile: file, hasLastWords });
    this.#open.add(job);
    void job.over.then(() => this.#open.delete(job));
    return ok(job);
  }

  async #guarding(): Promise<Result<Guard, string>> {
    this.#guard ??= newGuard(this.#env, this.#ownFolder);
    const current = await this.#guard;
    if (current.ok && current.value.isAlive()) return current;
    if (current.ok) this.#deadGuards.push(current.value);
    this.#guard = newGuard(this.#env, this.#ownFolder);
    return await this.#guard;
  }

  /** What becomes of a command that was waited for. True where it was stopped because all places are taken. */
  async #settle(job: Job, why: Why): Promise<boolean> {
    if (why === 'abort') await isDoneWithin(job.stop('abort'), interruptAnswerMs);
    else if (!job.isOver && job.stoppedBy) await job.stop(job.stoppedBy);
    else if (!job.isOver && this.#isFull()) {
      await job.stop('timeout');
      return true;
    }
    return false;
  }

  #told(job: Job): Report {
    const report = reportOf(job);
    if (report.state === 'ended') {
      this.#background.delete(report.id);
      this.#unseen.delete(job);
      return report;
    }
    this.#background.set(report.id, job);
    this.#unseen.add(job);
    job.output.tell();
    this.#toldBytes.set(report.id, job.output.bytes);
    return report;
  }

  #find(id: string): Result<Job, string> {
    const job = this.#background.get(id);
    if (job) return ok(job);
    const known = [...this.#background.keys()].join(', ');
    return fail(
      `There is no shell "${id}". ${known ? `There are: ${known}.` : 'None is in the background; they end with the session.'}`,
    );
  }

  #isFull(): boolean {
    return this.#running().length >= this.#backgroundAtMost;
  }

  #running(): string[] {
    return [...this.#background].filter(([, job]) => !job.isOver).map(([id]) => id);
  }

  #whyFull(): string {
    return `${this.#backgroundAtMost} shells run in the background already. Stop one first: ${this.#running().join(', ')}.`;
  }
}

const newGuard = (env: Environment, ownFolder: string | undefined): Promise<Result<Guard, string>> =>
  startGuard(env, { ownFolder, furnish: (directory) => writePrelude(directory, env) });

async function startAs(
  { isTerminal, isBackground, input }: RunOrder,
  order: Omit<StartOrder, 'input'>,
  guard: Guard,
): Promise<Result<Running, string>> {
  if (!isTerminal) {
    const given = input === undefined ? 'none' : { text: input };
    const started = await startShell({ ...order, input: isBackground ? 'open' : given }, guard);
    if (started.ok && isBackground && input !== undefined) started.value.write(input);
    return started;
  }
  const { startAtTerminal } = await import('./terminal.ts');
  const started = await startAtTerminal({ ...order, input: 'open' }, guard);
  if (started.ok && input !== undefined) started.value.write(input);
  return started;
}
