import path from 'node:path';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import type {TestRepository} from '../support/repository.ts';

/**
 * What a person has not committed: staged, edited after staging, edited, staged as deleted,
 * untracked, ignored.
 */
export function leaveEdits({root, git}: TestRepository): void {
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), {recursive: true});
    writeFileSync(path.join(root, file), text);
  };
  put('mine/staged.txt', 'staged by me\n');
  git('add', 'mine/staged.txt');
  put('mine/both.txt', 'staged\n');
  git('add', 'mine/both.txt');
  put('mine/both.txt', 'staged, then edited\n');
  put('mine/edited.txt', 'edited by me\n');
  git('rm', '-q', '--cached', 'mine/dropped.txt');
  put('mine/new.txt', 'not known to git\n');
  put('shared/new-of-mine.txt', 'beside files that change\n');
  put('build/out.js', 'ignored\n');
}

export const userFiles = {
  'mine/staged.txt': 'a\n',
  'mine/both.txt': 'a\n',
  'mine/edited.txt': 'a\n',
  'mine/dropped.txt': 'a\n',
  'shared/keep.txt': 'k\n',
  '.gitignore': 'build\n',
};

/**
 * Everything of the person's that has to be the same afterwards: files with bytes and times, index
 * entries, and what git says about them.
 */
export function readUserState({root, git}: TestRepository): unknown {
  const mine = [...filesUnder(root, 'mine'), 'shared/new-of-mine.txt', 'build/out.js'];
  return {
    files: mine.map((file) => [
      file,
      readFileSync(path.join(root, file), 'utf8'),
      lstatSync(path.join(root, file)).mtimeMs,
      lstatSync(path.join(root, file)).ino,
    ]),
    index: git('ls-files', '-s', '-v', '--', 'mine'),
    staged: git('diff', '--cached', '--', 'mine'),
    edited: git('diff', '--', 'mine'),
    status: git('status', '--porcelain', '--ignored', '--untracked-files=all'),
    stashes: git('stash', 'list'),
    branch: git('symbolic-ref', 'HEAD'),
  };
}

/** The checkout without git's directory: path → kind, mode and content. */
export function contentUnder(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    filesUnder(root, '').map((file) => {
      const stat = lstatSync(path.join(root, file));
      return [
        file,
        stat.isSymbolicLink()
          ? `-> ${readlinkSync(path.join(root, file))}`
          : `${(stat.mode & 0o100) === 0 ? '' : 'x '}${readFileSync(path.join(root, file), 'utf8')}`,
      ];
    }),
  );
}

function filesUnder(root: string, place: string): string[] {
  return readdirSync(path.join(root, place), {withFileTypes: true}).flatMap((entry) => {
    const file = path.join(place, entry.name);
    if (file === '.git') return [];
    return entry.isDirectory()
      ? [`${file}/`, ...filesUnder(root, file)].filter((one) => !one.endsWith('/'))
      : [file];
  });
}
