import {hasHiddenCharacters} from '../hidden-characters.ts';
import {hasTooManyWildcards} from '../read-glob.ts';
import {toNfc} from '../to-nfc.ts';

export type PlanPathReading = {readonly path: string} | {readonly refused: string};

/**
 * A path or glob that a task means to change: inside the repository on every system, and what it looks like.
 * Refusals are sentences that go on after the path.
 */
export function readPlanPath(text: string): PlanPathReading {
  const path = toNfc(text.startsWith('./') ? text.slice(2) : text);
  const names = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const fault = faults.find(({found}) => found(path, names));
  return fault === undefined ? {path} : {refused: fault.text};
}

const mostBytes = 4096;
const mostNames = 64;

/**
 * Git's own files, also as Windows file systems would spell them (`.git.`, `GIT~1`, `.git::$INDEX_ALLOCATION`): a change
 * to them runs code or moves the repository. `.gitignore`, `.gitkeep` and `.github/` are ordinary files.
 */
const ownedByGit =
  /^(?:\.git|git~\d+|\.gitmodules|gitmod~\d+|\.gitattributes|gitatt~\d+)[. ]*(?::.*)?$/is;

const faults: readonly {
  readonly found: (path: string, names: readonly string[]) => boolean;
  readonly text: string;
}[] = [
  {found: (path) => path === '', text: 'is empty; name a file or a glob.'},
  {
    found: (path) => Buffer.byteLength(path) > mostBytes,
    text: `is longer than ${mostBytes} bytes; name a shorter path or a glob.`,
  },
  {
    found: (path) => hasHiddenCharacters(path) || /[\n\t]/.test(path),
    text: 'has control or hidden characters; write the path without them.',
  },
  {found: (path) => path.includes('\\'), text: 'has a backslash; write "/" between folders.'},
  {
    found: (path) => /^(?:\/|~|[A-Za-z]:)/.test(path),
    text: "is not relative; write it from the repository's root.",
  },
  {
    found: (_, names) => names.includes('..'),
    text: 'leaves its folder with ".."; write the path itself.',
  },
  {
    found: (_, names) => names.some((name) => ownedByGit.test(name)),
    text: "belongs to git's own files, which no task may change; leave it out.",
  },
  {
    found: (_, names) => names.some((name) => name === '' || name === '.'),
    text: 'has an empty folder name or "."; write the path without it.',
  },
  {
    found: (_, names) => names.some((name) => /^\s|[\s.]$/.test(name)),
    text: 'has a name that begins with a space or ends with a dot or a space, which not every file system can keep; rename it.',
  },
  {
    found: (_, names) => names.length > mostNames,
    text: `is more than ${mostNames} folders deep; name a glob.`,
  },
  {
    found: hasTooManyWildcards,
    text: 'has too many wildcards (at most four, two of them "**", two between slashes); use several simpler globs.',
  },
];
