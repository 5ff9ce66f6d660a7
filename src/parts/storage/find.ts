/** Which session a person means by a few letters, and whether it can be had from where they are. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { besides } from './place.ts';
import type { Project } from './project.ts';
import { tailOf } from './session-id.ts';
import { allSessions, listSessions, type SessionInfo, type Unread } from './sessions.ts';

export interface Found {
  readonly info: SessionInfo;
  /** What the user should know about where it comes from. */
  readonly notices: readonly string[];
}

/**
 * The session that `wanted` means: an id, the end of an id after its last dash, a name, or the beginning of any of these.
 * Fails with the candidates where there are several, and with the place where it belongs to another project that is there.
 */
export function findSession(project: Project, wanted: string): Result<Found, Fault> {
  const here = listSessions(project);
  if (!here.ok) return here;
  const found = matches(here.value.sessions, wanted);
  if (found.length > 0) return only(found, wanted);
  const all = allSessions(project);
  const unread = all.unread.find((one) => isUnreadMatch(one, wanted));
  if (unread) return fail(unread.fault);
  return findElsewhere(project, wanted, all.sessions);
}

/** The other session of the project that bears this name, if there is one. */
export function sessionNamed(project: Project, name: string, ownId?: string): Result<SessionInfo | undefined, Fault> {
  const here = listSessions(project);
  if (!here.ok) return here;
  const text = normal(name);
  return ok(here.value.sessions.find((session) => session.id !== ownId && namedAs(session) === text));
}

/** A session whose folder is gone (moved, renamed, deleted), or that went on here since, can be had from here. */
function findElsewhere(project: Project, wanted: string, all: readonly SessionInfo[]): Result<Found, Fault> {
  const found = matches(all, wanted);
  const free = found.filter(({ cwd }) => cwd !== undefined && (!existsSync(cwd) || isInside(project.root, cwd)));
  if (free.length > 0) return only(free, wanted);
  const [elsewhere] = found;
  if (!elsewhere) {
    return fail(
      fault('usage', `No session "${wanted}" in ${project.root}. \`smew sessions list\` shows what there is.`),
    );
  }
  const place = elsewhere.cwd ?? besides(elsewhere.path).directory;
  return fail(fault('usage', `Session ${elsewhere.id} belongs to ${place}. Go there, or use -C ${place}.`));
}

function only([first, ...others]: readonly SessionInfo[], wanted: string): Result<Found, Fault> {
  if (!first || others.length > 0) return fail(fault('usage', ambiguous(wanted, first ? [first, ...others] : others)));
  const { id, cwd } = first;
  const isStranded = cwd !== undefined && !existsSync(cwd);
  const notices = isStranded ? [`Session ${id} was last in ${cwd}, which does not exist any more.`] : [];
  return ok({ info: first, notices });
}

const isInside = (root: string, path: string): boolean => !/^\.\.(\/|$)|^\//.test(relative(root, path));

const isUnreadMatch = ({ id }: Unread, wanted: string): boolean =>
  id !== undefined && normal(wanted) !== '' && [id, tailOf(id)].some((word) => word.startsWith(normal(wanted)));

const normal = (text: string): string => text.trim().toLowerCase();

const namedAs = ({ name }: SessionInfo): string | undefined => (name === undefined ? undefined : normal(name));

function matches(sessions: readonly SessionInfo[], wanted: string): SessionInfo[] {
  const text = normal(wanted);
  if (text === '') return [];
  const ways: ((session: SessionInfo) => boolean)[] = [
    ({ id }) => id === text,
    (session) => namedAs(session) === text,
    (session) => [session.id, tailOf(session.id), namedAs(session)].some((word) => word?.startsWith(text)),
  ];
  for (const isMeant of ways) {
    const found = sessions.filter(isMeant);
    if (found.length > 0) return found;
  }
  return [];
}

const mostCandidates = 10;

function ambiguous(wanted: string, found: readonly SessionInfo[]): string {
  const lines = found
    .slice(0, mostCandidates)
    .map(({ id, name, firstPrompt }) => `  ${id}  ${(name ?? firstPrompt ?? '').replaceAll(/\s+/g, ' ')}`);
  const more = found.length > lines.length ? [`  and ${found.length - lines.length} more`] : [];
  return [`"${wanted}" fits ${found.length} sessions; give more of it:`, ...lines, ...more].join('\n');
}
