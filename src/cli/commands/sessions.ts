/** `smew sessions ...`: what is on disk. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { attempt, messageOf } from '../../base/attempt.ts';
import type { Event } from '../../protocol/event.ts';
import { fault } from '../../protocol/fault.ts';
import { markdownOf } from '../../session/markdown.ts';
import { repairsOf } from '../../session/reply-quality.ts';
import { withoutSecrets, withTexts } from '../../session/secrets.ts';
import {
  compactStored,
  deleteStored,
  forkStored,
  nameStored,
  readStored,
  type SessionInfo,
  type StoredSession,
  storedSessions,
} from '../../session/stored.ts';
import { terminalText } from '../../surfaces/headless/terminal-text.ts';
import { type CommandIo, failWith, print, tell } from '../command-io.ts';
import type { Invocation } from '../invocation.ts';

type SessionsInvocation = Extract<Invocation, { command: `sessions ${string}` }>;

export async function runSessions(invocation: SessionsInvocation, io: CommandIo): Promise<number> {
  const { world } = io;
  switch (invocation.command) {
    case 'sessions list':
      return await list(invocation, io);
    case 'sessions show':
      return await show(invocation, io);
    case 'sessions export':
      return await exportSession(invocation, io);
    case 'sessions delete':
      return await deleteAll(invocation.sessions, invocation.cd, io);
    case 'sessions fork': {
      const forked = await forkStored(world, invocation, invocation.cd);
      if (!forked.ok) return await failWith(forked.fault, io);
      tell(forked.value.notices, io);
      return await print(forked.value.id, io);
    }
    case 'sessions name': {
      const named = await nameStored(world, invocation, invocation.cd);
      return named.ok ? await print(`${named.value} is now "${invocation.name}"`, io) : await failWith(named.fault, io);
    }
    case 'sessions compact': {
      const freed = await compactStored(world, invocation.session, invocation.cd);
      if (!freed.ok) return await failWith(freed.fault, io);
      const { id, tokens } = freed.value;
      const said =
        tokens === 0 ? 'there is nothing to leave out' : `about ${tokens} tokens of old tool results left out`;
      return await print(`${id}: ${said}`, io);
    }
    default:
      return invocation satisfies never;
  }
}

type Of<Command extends SessionsInvocation['command']> = Extract<SessionsInvocation, { command: Command }>;

async function list({ cd, isEverywhere, isJson }: Of<'sessions list'>, io: CommandIo): Promise<number> {
  const listing = storedSessions(io.world, cd, isEverywhere);
  if (!listing.ok) return await failWith(listing.fault, io);
  const { sessions, unread } = listing.value;
  tell(
    unread.map(({ fault: { message } }) => message),
    io,
  );
  if (isJson) return await print(JSON.stringify(sessions, undefined, 2), io);
  if (sessions.length === 0) return unread.length > 0 ? 1 : await print('No sessions here yet.', io);
  return await print(sessions.map((session) => lineOf(session, isEverywhere)).join('\n'), io);
}

function lineOf({ id, name, firstPrompt, lastAt, turns, ending, cwd }: SessionInfo, hasPlace: boolean): string {
  const when = new Date(lastAt).toISOString().slice(0, 16).replace('T', ' ');
  const what = name ? `"${name.replaceAll(/\s+/g, ' ')}"` : (firstPrompt ?? '');
  const place = hasPlace && cwd ? `  ${cwd}` : '';
  return terminalText(
    `${id}  ${when}  ${String(turns).padStart(3)} ${turns === 1 ? 'turn ' : 'turns'}  ${ending.padEnd(11)}  ${what}${place}`,
  );
}

async function show({ session, cd, isJson, hasRepairs }: Of<'sessions show'>, io: CommandIo): Promise<number> {
  const stored = await readStored(io.world, session, cd);
  if (!stored.ok) return await failWith(stored.fault, io);
  if (hasRepairs) return await showRepairs(stored.value, isJson, io);
  if (isJson) return await print(JSON.stringify(stored.value.info, undefined, 2), io);
  tell(stored.value.notices, io);
  return await print(terminalText(asMarkdown(stored.value)), io);
}

async function showRepairs({ past }: StoredSession, isJson: boolean, io: CommandIo): Promise<number> {
  const { lines, quality } = repairsOf(past);
  if (isJson) return await print(JSON.stringify({ ...quality, repairs: lines }, undefined, 2), io);
  const { replies, wellFormed, mended, retried, refused } = quality;
  const sum = `${replies} replies: ${wellFormed} well formed as they came, ${mended} after mending, ${retried} after asking again, ${refused} with refused calls`;
  const rows = lines.map(
    ({ seq, kind, step, tool, path, what }) =>
      `${String(seq).padStart(5)}  ${kind.padEnd(10)}${step.padEnd(26)}${[tool, path].filter(Boolean).join(' ')}  ${what}`,
  );
  return await print(terminalText([...rows, sum].join('\n')), io);
}

async function exportSession(invocation: Of<'sessions export'>, io: CommandIo): Promise<number> {
  const stored = await readStored(io.world, invocation.session, invocation.cd);
  if (!stored.ok) return await failWith(stored.fault, io);
  tell(stored.value.notices, io);
  const { info } = stored.value;
  const strike = (text: string) => withoutSecrets(text, io.world);
  // Text by text first: JSON would hide a key behind its escapes.
  const past = stored.value.past.map((recorded) => ({
    ...recorded,
    event: withTexts(recorded.event, strike) as Event,
  })); // only texts change
  const clean = strike(invocation.format === 'json' ? asJson({ info, past }) : asMarkdown({ info, past }));
  if (invocation.output === undefined) return await print(clean, io);
  const file = resolve(io.world.cwd, invocation.output);
  const written = await attempt(
    () => writeFile(file, clean, { mode: 0o600 }),
    (cause) => fault('storage', `Cannot write ${file}: ${messageOf(cause)}.`),
  );
  return written.ok ? 0 : await failWith(written.fault, io);
}

type Exported = Pick<StoredSession, 'info' | 'past'>;

const asMarkdown = ({ info, past }: Exported): string => markdownOf(info.name ?? `Session ${info.id}`, past);

const asJson = ({ info, past }: Exported): string =>
  `${JSON.stringify({ session: info, events: past }, undefined, 2)}\n`;

async function deleteAll(wanted: readonly string[], cd: string | undefined, io: CommandIo): Promise<number> {
  let code = 0;
  for (const session of wanted) {
    const deleted = deleteStored(io.world, session, cd);
    const one = deleted.ok ? await print(`deleted ${deleted.value}`, io) : await failWith(deleted.fault, io);
    code = code === 0 ? one : code;
  }
  return code;
}
