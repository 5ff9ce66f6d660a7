/** What can go wrong with a file, in words: the path, the cause, what to do. */
import { codeOf, messageOf } from '../../base/attempt.ts';
import { type Fault, fault } from '../../protocol/fault.ts';

/** `doing` completes "Could not ... PATH", as in "write to". */
export const explain =
  (doing: string, path: string) =>
  (cause: unknown): Fault => {
    const code = codeOf(cause);
    const words = code === undefined ? undefined : causes.get(code);
    const what = words ? `${words.cause} (${code})` : messageOf(cause);
    return fault('storage', `Could not ${doing} ${path}: ${what}. ${words?.advice ?? otherAdvice}`);
  };

const otherAdvice = 'Check that file and its disk; --no-session works without storing anything.';
const elsewhere = 'set SMEW_HOME to a directory that can be written, or use --no-session to store nothing.';

const causes: ReadonlyMap<string, { cause: string; advice: string }> = new Map([
  ['ENOSPC', { cause: 'the disk is full', advice: 'Free some space and go on; everything stored before is intact.' }],
  [
    'EDQUOT',
    { cause: 'your disk quota is used up', advice: 'Free some space and go on; everything stored before is intact.' },
  ],
  [
    'EFBIG',
    { cause: 'the file may not grow further', advice: 'Go on in a new session, or raise the file size limit.' },
  ],
  ['EROFS', { cause: 'the file system is read-only', advice: `Mount it writable, ${elsewhere}` }],
  ['EACCES', { cause: 'permission denied', advice: `Correct the owner or mode, ${elsewhere}` }],
  ['EPERM', { cause: 'not permitted', advice: `Correct the owner or mode, ${elsewhere}` }],
  ['EIO', { cause: 'the disk reports an error', advice: 'Copy the file to another disk before you go on.' }],
  ['ENOENT', { cause: 'it does not exist', advice: '`smew sessions list` shows what there is.' }],
  ['EEXIST', { cause: 'it exists already', advice: 'Start again to get another session id.' }],
  ['EMFILE', { cause: 'too many files are open', advice: 'Close some programs or raise `ulimit -n`.' }],
  ['ENFILE', { cause: 'too many files are open', advice: 'Close some programs.' }],
]);
