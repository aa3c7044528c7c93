import {hasHiddenCharacters, hasTooManyWildcards, isGitFileName, toNfc} from '../shared/index.ts';

export type PlanPathParseResult = {readonly path: string} | {readonly rejected: string};

/**
 * A path or glob that a task may change: inside the repository on every system, without hidden
 * characters. A rejection is a sentence that continues after the path.
 */
export function parsePlanPath(text: string): PlanPathParseResult {
  const path = toNfc(text.startsWith('./') ? text.slice(2) : text);
  const names = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const fault = faults.find(({found}) => found(path, names));
  return fault === undefined ? {path} : {rejected: fault.text};
}

const maxBytes = 4096;
const maxNames = 64;

const faults: readonly {
  readonly found: (path: string, names: readonly string[]) => boolean;
  readonly text: string;
}[] = [
  {found: (path) => path === '', text: 'is empty; name a file or a glob.'},
  {
    found: (path) => Buffer.byteLength(path) > maxBytes,
    text: `is longer than ${maxBytes} bytes; name a shorter path or a glob.`,
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
    found: (_, names) => names.some(isGitFileName),
    text: "belongs to git's own files, which no task may change; leave it out.",
  },
  {
    found: (_, names) => names.some((name) => name === '' || name === '.'),
    text: 'has an empty folder name or "."; write the path without it.',
  },
  {
    found: (_, names) => names.some((name) => /^\s|[\s.]$/.test(name)),
    text:
      'has a name that begins with a space or ends with a dot or a space, which not every ' +
      'file system can keep; rename it.',
  },
  {
    found: (_, names) => names.length > maxNames,
    text: `is more than ${maxNames} folders deep; name a glob.`,
  },
  {
    found: hasTooManyWildcards,
    text: 'has too many wildcards (at most four, two of them "**", two between slashes); use several simpler globs.',
  },
];
