/** Names of parameters as models write them: tables, and what makes two names alike. Data, in the order of use. */

/** Case and separators do not tell names apart. */
export const folded = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Each list is one meaning, folded. A name that the tool does not declare stands for the one declared parameter of the same
 * meaning that is absent. Names whose unit or base may differ (seconds and milliseconds) are never in one list.
 */
const meanings: readonly string[] = [
  'path file filepath filename pathname relativepath absolutepath relativefilepath absolutefilepath relativeworkspacepath targetfile targetpath targetfilepath abspath fullpath notebookpath paths files filepaths filenames',
  'path dir directory dirpath dirname directorypath folder folderpath searchpath rootpath searchdirectory targetdirectory basepath absolutepath relativepath',
  'cwd workdir workingdirectory workingdir currentdirectory directory dir',
  'command cmd script commandline shellcommand bashcommand shellscript cmdline commands',
  'old oldstring oldstr oldtext oldcontent oldcode search searchtext searchstring find findtext findstring original originaltext before',
  'new newstring newstr newtext newcontent newcode replace replacement replacetext replacewith replacementtext replacestring after updated updatedtext',
  'content contents text filetext filecontent filecontents newcontent data body codecontent',
  'pattern regex regexp query search searchpattern searchterm searchstring searchquery expression needle keyword q',
  'pattern glob globpattern filepattern query',
  'glob include includepattern includes fileglob filepattern globpattern includeglob filefilter',
  'query q search searchquery searchterm question prompt keywords',
  'limit maxlines numlines linelimit linecount maxresults headlimit count maxcount',
  'offset startline linestart lineoffset startat fromline',
  'url uri link href address',
  'all replaceall global everyoccurrence allowmultiple allowmultipleoccurrences',
  'edits edit changes replacements multi operations modifications multiedits hunks',
  'todos todo todolist items tasks list plan',
  'prompt task instructions instruction message request query',
  'background runinbackground isbackground detach',
  'patch input diff patchtext patchcontent',
  'code script source program sourcecode',
];

const lists = meanings.map((line) => new Set(line.split(' ')));

/** Whether two names mean the same parameter in some tool. */
export function meanTheSame(left: string, right: string): boolean {
  const names = [folded(left), folded(right)] as const;
  return lists.some((list) => list.has(names[0]) && list.has(names[1]));
}

const sameFile = new Set(
  'path file filepath filename absolutepath absolutefilepath targetfile targetpath targetfilepath abspath'.split(' '),
);

/** Two names of the one file that a call is about: if they differ, the declared one is meant. */
export const nameTheSameFile = (left: string, right: string): boolean =>
  sameFile.has(folded(left)) && sameFile.has(folded(right));

/** What a model says about its own call. It changes nothing that the call does. */
export const narration: ReadonlySet<string> = new Set(
  'description explanation reason reasoning rationale thought thoughts thinking justification comment purpose intent goal summary requiresapproval issafe safe isdangerous risklevel toolsummary toolaction taskprogress security risk securityrisk'
    .toLowerCase()
    .split(' '),
);

/** Keys in which whole inputs come wrapped. */
export const wrappers: ReadonlySet<string> = new Set(
  'arguments args argument parameters params parameter input inputs toolinput toolargs toolarguments toolparameters kwargs payload request functionarguments rawarguments value data properties'.split(
    ' ',
  ),
);

const pathWords = /(?:^|_|[a-z])(?:path|file|filename|dir|directory|folder|cwd)s?$/i;

/** A parameter that holds a path. */
export const isPathName = (name: string): boolean =>
  pathWords.test(name) || ['path', 'paths', 'files'].includes(folded(name));

/** Text that is written to a file, searched in one, or run: where the tool does not name such fields itself. */
const verbatim: ReadonlySet<string> = new Set(
  'content contents text filetext filecontent filecontents old new oldstring newstring oldstr newstr oldtext newtext oldcontent newcontent oldcode newcode search replace replacement searchtext replacetext insert inserttext patch diff patchtext input command cmd script code source sourcecode codecontent newsource body data stdin chars'.split(
    ' ',
  ),
);

export const isVerbatimName = (name: string): boolean => verbatim.has(folded(name));
