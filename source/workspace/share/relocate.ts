import {lstatSync, lutimesSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {randomBytes} from 'node:crypto';
import path from 'node:path';
import {namesIn, readRegularFile} from '../../files/index.ts';

export type Relocation = {
  /** Where the shared directory stands now. */
  readonly directory: string;
  /** Below it: virtualenvs and directories of scripts, as `copyTree` found them. */
  readonly pathBound: readonly string[];
  /** The checkout, and the worktree that takes its place in every text. */
  readonly root: string;
  readonly place: string;
};

const maxBytes = 1024 * 1024;
const maxNames = 20_000;

/**
 * A virtualenv has the full path of its directory in its scripts, and the full path of what is installed for editing. In a copy these
 * would lead back into the person's checkout: they are written anew, for the worktree that it stands in. Doing it again changes nothing.
 */
export function relocate({directory, pathBound, root, place}: Relocation): void {
  for (const bound of pathBound) {
    for (const file of textsIn(path.join(directory, bound))) relocateFile(file, root, place);
  }
}

function textsIn(directory: string): readonly string[] {
  const filesIn = (below: string, isMeant: (name: string) => boolean = () => true): string[] =>
    namesIn(path.join(directory, below), {maxEntries: maxNames})
      .filter(isMeant)
      .map((name) => path.join(directory, below, name));
  if (path.basename(directory) === '.bin') return filesIn('.');
  const libraries = namesIn(path.join(directory, 'lib'), {maxEntries: maxNames}).map((name) =>
    path.join('lib', name, 'site-packages'),
  );
  return [
    path.join(directory, 'pyvenv.cfg'),
    ...filesIn('bin'),
    ...filesIn('Scripts'),
    ...[...libraries, 'Lib/site-packages'].flatMap((library) =>
      filesIn(library, (name) => /\.(?:pth|egg-link)$|^__editable__.*\.py$/.test(name)),
    ),
  ];
}

function relocateFile(file: string, root: string, place: string): void {
  const stats = lstatSync(file, {throwIfNoEntry: false});
  if (stats?.isFile() !== true) return;
  const reading = readRegularFile(file, {maxBytes});
  if (reading.at !== 'read' || reading.bytes.includes(0)) return;
  const text = Buffer.from(reading.bytes).toString('utf8');
  const changed = withShortFirstLine(replacePath(text, root, place));
  if (changed === text) return;
  // A file of its own: where files are hard links, the person's stays as it is.
  const temporary = `${file}.orchestra-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, changed, {flag: 'wx', mode: stats.mode & 0o777});
    lutimesSync(temporary, stats.atime, stats.mtime);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, {force: true});
  }
}

/** Only whole paths: the path of `project` is not the beginning of that of `project.worktrees`. */
export function replacePath(text: string, from: string, to: string): string {
  const parts = text.split(from);
  return parts.reduce((before, after) =>
    /^[\w.-]/.test(after) || /[\w.-]$/.test(before)
      ? `${before}${from}${after}`
      : `${before}${to}${after}`,
  );
}

/** Linux reads 127 characters of a first line with `#!`, older ones no more. pip writes longer ones like this, too. */
function withShortFirstLine(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const python = /^#!(\/\S*python[\d.]*)$/.exec(first)?.[1];
  if (python === undefined || Buffer.byteLength(first) <= longestFirstLine) return text;
  return `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''${text.slice(first.length)}`;
}

const longestFirstLine = 127;
