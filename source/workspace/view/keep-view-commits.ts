import {lstatSync, mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {aside} from '../change/aside.ts';
import {keepObject} from '../change/keep-object.ts';
import {copyRegularFile, tryReadText, walkTree, writeWhole} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';

export type ViewCommits = {
  /** Commits that were made in the view, now in the repository: where its branch stands, and where it stood. */
  readonly commits: readonly string[];
  /** A tree of what is staged there and not committed. */
  readonly staged: string | null;
  /** Nothing that looks like a commit was left behind: the view may go. */
  readonly isWhole: boolean;
};
const limits = {
  bytes: 1024 * 1024,
  indexBytes: 64 * 1024 * 1024,
  commits: 200,
  objects: 200_000,
  fetchMs: 120_000,
  kept: 20,
};

export type KeepOptions = {
  /** Of the view. */
  readonly directory: string;
  readonly branch: string;
  /** Also what is staged there and not committed. */
  readonly withStaged?: boolean;
};

/**
 * Takes commits that an agent made in its view over into the repository, by fetching them: git computes the name of each
 * object from the content that it received, so an object that was tampered with is refused. They are kept under a ref.
 * Everything in the view may be made up: what cannot be read is not taken over, and is nobody's trouble.
 */
export async function keepViewCommits(
  workspace: Workspace,
  {directory, branch, withStaged = false}: KeepOptions,
): Promise<ViewCommits> {
  const bare = path.join(workspace.private, 'taking-over', path.basename(directory));
  // One that a crash has cut off.
  rmSync(bare, {recursive: true, force: true});
  const named = namedCommits(directory, branch);
  const fresh = await unknownTo(workspace, named);
  const hasStaged =
    withStaged && isRegular(path.join(directory, 'admin', 'index'), limits.indexBytes);
  if ((fresh.length === 0 && !hasStaged) || !areObjectsRegular(path.join(directory, 'objects')))
    return {
      commits: named.filter((id) => !fresh.includes(id)),
      staged: null,
      isWhole: fresh.length === 0,
    };
  try {
    const found = await prepareBare(workspace, {directory, bare, commits: fresh, hasStaged}).catch(
      (): Found => ({refs: [], staged: null}),
    );
    const fetched = await fetchFrom(workspace, bare, found.refs);
    for (const id of fetched.slice(0, limits.kept)) await keepObject(workspace, branch, id);
    return {
      commits: named.filter((id) => !fresh.includes(id) || fetched.includes(id)),
      staged: found.staged,
      isWhole: fresh.every((id) => fetched.includes(id)),
    };
  } finally {
    rmSync(bare, {recursive: true, force: true});
  }
}

/** Whatever looks like the name of a commit where git writes them: the branch, HEAD, and where both have been. */
function namedCommits(directory: string, branch: string): readonly string[] {
  const name = path.posix.basename(branch);
  const places = [
    `refs/${name}`,
    'admin/HEAD',
    'admin/ORIG_HEAD',
    'admin/logs/HEAD',
    `logs/${name}`,
  ];
  const lines = places.flatMap((place) =>
    (tryReadText(path.join(directory, place), {maxBytes: limits.bytes, below: directory}) ?? '')
      .split('\n')
      .slice(-limits.commits),
  );
  const words = lines
    .flatMap((line) => line.split(' ', 2))
    .filter((word) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(word) && !/^0+$/.test(word));
  return [...new Set(words)].slice(0, limits.commits);
}

async function unknownTo(workspace: Workspace, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const answer = await aside(workspace, ['cat-file', '--batch-check=%(objecttype)'], {
    isRead: true,
    input: ids.map((id) => `${id}\n`).join(''),
  });
  const lines = answer.split('\n');
  return ids.filter((_, index) => (lines[index] ?? '').endsWith(' missing'));
}

type Found = {readonly refs: readonly string[]; readonly staged: string | null};

/** A repository of our own beside the view: nothing of what an agent can write is its configuration. */
async function prepareBare(
  workspace: Workspace,
  {
    directory,
    bare,
    commits,
    hasStaged,
  }: {
    readonly directory: string;
    readonly bare: string;
    readonly commits: readonly string[];
    readonly hasStaged: boolean;
  },
): Promise<Found> {
  for (const part of ['objects/info', 'refs/heads'])
    mkdirSync(path.join(bare, part), {recursive: true, mode: 0o700});
  const format = (
    await aside(workspace, ['rev-parse', '--show-object-format'], {isRead: true})
  ).trim();
  writeWhole(path.join(bare, 'HEAD'), 'ref: refs/heads/none\n');
  writeWhole(
    path.join(bare, 'config'),
    `[core]\n\tbare = true\n\trepositoryformatversion = ${format === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256' : '0'}\n`,
  );
  writeWhole(
    path.join(bare, 'objects/info/alternates'),
    `${path.join(directory, 'objects')}\n${path.join(workspace.commonDirectory, 'objects')}\n`,
  );
  const run = (
    argv: readonly string[],
    more: {readonly index?: string; readonly input?: string} = {},
  ): Promise<string> =>
    workspace.git(bare, ['--git-dir', bare, ...argv], {
      ...more,
      signal: AbortSignal.timeout(limits.fetchMs),
    });
  const types =
    commits.length === 0
      ? []
      : (
          await run(['cat-file', '--batch-check=%(objecttype)'], {
            input: commits.map((id) => `${id}\n`).join(''),
          })
        ).split('\n');
  const whole: string[] = [];
  for (const id of commits.filter((_, index) => types[index] === 'commit')) {
    if (await isWhole(run, id)) whole.push(id);
  }

  const staged = hasStaged ? await stagedIn(run, {directory, bare}) : null;
  const isNew = staged !== null && (await unknownTo(workspace, [staged])).length > 0;
  const carrier = isNew
    ? await run([
        '-c',
        'user.name=orchestra',
        '-c',
        'user.email=orchestra@localhost',
        'commit-tree',
        staged,
        '-m',
        'staged',
      ]).then(
        (text) => text.trim(),
        () => undefined,
      )
    : undefined;
  const refs = [...whole, ...(carrier === undefined ? [] : [carrier])];
  for (const [index, id] of refs.entries())
    writeWhole(path.join(bare, 'refs/heads', `c${index}`), `${id}\n`);
  return {refs, staged};
}

/** One broken object would make the whole fetch fail: commits that are not all there are left out. */
async function isWhole(
  run: (argv: readonly string[]) => Promise<string>,
  id: string,
): Promise<boolean> {
  return run(['rev-list', '--objects', '--max-count=1', '--quiet', id]).then(
    () => true,
    () => false,
  );
}

async function stagedIn(
  run: (argv: readonly string[], more: {readonly index: string}) => Promise<string>,
  {directory, bare}: {readonly directory: string; readonly bare: string},
): Promise<string | null> {
  const index = path.join(bare, 'index');
  if (
    copyRegularFile(path.join(directory, 'admin', 'index'), index, {
      maxBytes: limits.indexBytes,
      below: directory,
    }).at !== 'copied'
  )
    return null;
  return run(['write-tree'], {index}).then(
    (text) => text.trim(),
    () => null,
  );
}

/** Gives those that arrived whole. One that is broken is left out, and does not keep the others away. */
async function fetchFrom(
  workspace: Workspace,
  bare: string,
  refs: readonly string[],
): Promise<readonly string[]> {
  const fetched: string[] = [];
  for (const [index, id] of refs.entries()) {
    const isThere = await aside(
      workspace,
      [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--no-auto-gc',
        bare,
        `refs/heads/c${index}`,
      ],
      {signal: AbortSignal.timeout(limits.fetchMs)},
    ).then(
      () => true,
      () => false,
    );
    if (isThere) fetched.push(id);
  }

  return fetched;
}

/** A FIFO among them would hold git up, and a link would lead it elsewhere. */
function areObjectsRegular(objects: string): boolean {
  if (!isDirectory(objects)) return false;
  const entries = walkTree(objects, {maxEntries: limits.objects, maxDepth: 4});
  return (
    entries.length < limits.objects &&
    entries.every(({kind}) => kind === 'file' || kind === 'directory')
  );
}

function isDirectory(place: string): boolean {
  return lstatSync(place, {throwIfNoEntry: false})?.isDirectory() === true;
}

function isRegular(file: string, maxBytes: number): boolean {
  const stat = lstatSync(file, {throwIfNoEntry: false});
  return stat?.isFile() === true && stat.size <= maxBytes;
}
