import type {ChangedFile, Judgement} from '../../domain/index.ts';
import type {AddedLine} from './find-forbidden.ts';

export type Link = {
  readonly path: string;
  readonly target: string;
  /** It leads, through whatever links, out of the worktree. */
  readonly isOutside: boolean;
};

type RefusedPath = NonNullable<Judgement['refused']>[number];

type Suspects = {
  readonly files: readonly ChangedFile[];
  readonly planned: readonly string[];
  readonly addedLines: readonly AddedLine[];
  readonly links: readonly Link[];
};

/** What no rule needs to forbid: changes that make git or orchestra run something, or lead out of the worktree. */
export function refusalsOf({files, planned, addedLines, links}: Suspects): RefusedPath[] {
  const found = [
    ...files.flatMap((file) => asRefusal(file.path, whyNot(file, planned, addedLines))),
    ...links.flatMap(({path, target, isOutside}) => asRefusal(path, whyNoLink(target, isOutside))),
  ];
  const first = new Map<string, RefusedPath>();
  for (const refusal of found) if (!first.has(refusal.path)) first.set(refusal.path, refusal);
  return [...first.values()];
}

function asRefusal(path: string, why: string | undefined): RefusedPath[] {
  return why === undefined ? [] : [{path, why}];
}

function whyNot(
  file: ChangedFile,
  planned: readonly string[],
  addedLines: readonly AddedLine[],
): string | undefined {
  const names = file.path.split('/').map(plainName);
  if (/[\u0000-\u001F\u007F-\u009F]/.test(file.path)) return 'its name has control characters';
  if (file.path.includes('\uFFFD'))
    return 'its name is not UTF-8, so that nobody could say which file it is';
  if (names.some((name) => gitFolder.test(name))) return "belongs to git's own files";
  if (names.some((name) => submodules.test(name))) return 'brings in other repositories';
  if (names.some((name) => attributes.test(name)) && mayRunDrivers(file, addedLines))
    return 'makes git run filter, diff or merge programs';
  const steering = steeringFiles.find(({is}) => is.test(names.join('/')));
  return steering === undefined || planned.some((entry) => steering.namedBy.test(entry))
    ? undefined
    : steering.why;
}

function whyNoLink(target: string, isOutside: boolean): string | undefined {
  if (isOutside) return 'is a link that leads out of the worktree';
  return target.split('/').some((name) => gitFolder.test(plainName(name)))
    ? "is a link into git's own files"
    : undefined;
}

/** As a file system that ignores capitals and invisible characters reads it (macOS and Windows do, and so does git's own guard). */
function plainName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, '')
    .toLowerCase();
}

/** Also as Windows spells them: `.git.`, `git~1`, `.git::$INDEX_ALLOCATION`. */
const gitFolder = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/s;
const submodules = /^(?:\.gitmodules|gitmod~\d+)[. ]*(?::.*)?$/s;
const attributes = /^(?:\.gitattributes|gitatt~\d+)[. ]*(?::.*)?$/s;

/** Files that say what orchestra does. A glob that happens to match them is no permission: the plan must name them. */
const steeringFiles: readonly {
  readonly is: RegExp;
  readonly namedBy: RegExp;
  readonly why: string;
}[] = [
  {
    is: /^\.rulesfile\.md$/,
    namedBy: /^\.rulesfile\.md$/,
    why: 'holds the rules; the plan must name it',
  },
  {
    is: /^\.orchestra\/project\.yaml$/,
    namedBy: /^\.orchestra\/project\.yaml$/,
    why: 'says what orchestra runs; the plan must name it',
  },
  {
    is: /^\.orchestra\/hooks(?:\/|$)/,
    namedBy: /^\.orchestra\/hooks(?:\/|$)/,
    why: 'is run by orchestra; the plan must name it',
  },
];

/** Whether attributes could name a program. What cannot be seen could be anything. */
function mayRunDrivers(
  {path, how, added, removed}: ChangedFile,
  addedLines: readonly AddedLine[],
): boolean {
  if (how === 'deleted') return false;
  const lines = addedLines.filter((line) => line.path === path);
  const isUnseen = lines.length < added || added + removed === 0;
  return isUnseen || lines.some(({text}) => /(?:^|\s)(?:filter|diff|merge)=/i.test(text));
}
