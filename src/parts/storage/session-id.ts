/** Names of sessions: `20261130-174502-k3f9`. They sort by time and a few letters are enough to type. */
import { existsSync } from 'node:fs';
import type { Clock } from '../../loop/ports.ts';
import { journalPath, type Project } from './project.ts';

export interface IdSource {
  readonly clock: Clock;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** Without vowels, so that no words appear, and without what looks alike. */
const letters = '23456789bcdfghjkmnpqrstvwxz';
const tailLength = 4;

/** An id in UTC that no session of the project bears. */
export function newSessionId(project: Project, source: IdSource): string {
  for (;;) {
    const id = makeId(source);
    if (!existsSync(journalPath(project, id))) return id;
  }
}

function makeId({ clock, random }: IdSource): string {
  const [date = '', time = ''] = new Date(clock.now()).toISOString().split(/[T.]/);
  const tail = Array.from({ length: tailLength }, () => letters[Math.floor(random() * letters.length)]);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}-${tail.join('')}`;
}

/** The part that was drawn at random. */
export const tailOf = (id: string): string => id.slice(id.lastIndexOf('-') + 1);

/** False for whatever else lies in the folder. */
export const isSessionId = (text: string): boolean => /^\d{8}-\d{6}-[a-z0-9]{4}$/.test(text);
