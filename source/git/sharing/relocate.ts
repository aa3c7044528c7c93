import path from 'node:path';
import {lstatSync, lutimesSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {randomBytes} from 'node:crypto';
import {namesIn, readRegularFile} from '../../files/index.ts';

export type Relocation = {
  /** The shared directory as it is now. */
  readonly directory: string;
  /** Virtualenvs and script directories below it, as `copyTree` found them. */
  readonly pathBound: readonly string[];
  /** The checkout, and the worktree whose path replaces it. */
  readonly root: string;
  readonly place: string;
};

const maxBytes = 1024 * 1024;
const maxNames = 20_000;

/**
 * Rewrites the checkout's path in a copied virtualenv or script directory. Scripts and editable
 * installs contain absolute paths, which would lead back into the person's checkout. A repeated
 * call changes nothing.
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
  // Write a new file: with hard links, the person's file must not change.
  const temporary = `${file}.orchestra-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, changed, {flag: 'wx', mode: stats.mode & 0o777});
    lutimesSync(temporary, stats.atime, stats.mtime);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, {force: true});
  }
}

/** Replaces whole paths only: the path of `project` is a prefix of that of `project.worktrees`. */
export function replacePath(text: string, from: string, to: string): string {
  const parts = text.split(from);
  return parts.reduce((before, after) =>
    /^[\w.-]/.test(after) || /[\w.-]$/.test(before)
      ? `${before}${from}${after}`
      : `${before}${to}${after}`,
  );
}

/**
 * Older Linux kernels read at most 127 characters of a `#!` line. pip wraps longer ones in the same
 * way.
 */
function withShortFirstLine(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const python = /^#!(\/\S*python[\d.]*)$/.exec(first)?.[1];
  if (python === undefined || Buffer.byteLength(first) <= maxFirstLineLength) return text;
  return `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''${text.slice(first.length)}`;
}

const maxFirstLineLength = 127;
