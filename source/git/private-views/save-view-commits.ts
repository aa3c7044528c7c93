import path from 'node:path';
import {lstatSync, mkdirSync, rmSync} from 'node:fs';
import {runOnObjects} from '../client/plumbing.ts';
import {backUpObject} from '../commit/refs.ts';
import {copyRegularFile, tryReadText, walkTree, writeFileAtomic} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {isRealDirectory} from '../worktrees/paths.ts';

export type ViewCommits = {
  /**
   * Commits that the view's branch and HEAD point to or pointed to, and that the repository has
   * now.
   */
  readonly commits: readonly string[];
  /** Tree of the view's staged, uncommitted content. */
  readonly staged: string | null;
  /** Every commit was saved, so the view may be deleted. */
  readonly isWhole: boolean;
};
const limits = {
  bytes: 1024 * 1024,
  indexBytes: 64 * 1024 * 1024,
  commits: 200,
  objects: 200_000,
  fetchMs: 120_000,
  backedUp: 20,
};

export type SaveViewOptions = {
  /** The view's directory. */
  readonly directory: string;
  readonly branch: string;
  /** Save staged, uncommitted content as well. */
  readonly withStaged?: boolean;
};

/**
 * Fetches commits that an agent made in its view into the repository and backs them up under a ref.
 * A fetch computes the hash of every received object, so tampered objects are rejected. Nothing in
 * the view is trusted: commits that cannot be read are skipped.
 */
export async function saveViewCommits(
  workspace: Workspace,
  {directory, branch, withStaged = false}: SaveViewOptions,
): Promise<ViewCommits> {
  const bare = path.join(workspace.private, 'taking-over', path.basename(directory));
  // Left by a crash.
  rmSync(bare, {recursive: true, force: true});
  const named = readNamedCommits(directory, branch);
  const fresh = await findUnknown(workspace, named);
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
      (): PreparedBare => ({refs: [], staged: null}),
    );
    const fetched = await fetchFrom(workspace, bare, found.refs);
    for (const id of fetched.slice(0, limits.backedUp)) await backUpObject(workspace, branch, id);
    return {
      commits: named.filter((id) => !fresh.includes(id) || fetched.includes(id)),
      staged: found.staged,
      isWhole: fresh.every((id) => fetched.includes(id)),
    };
  } finally {
    rmSync(bare, {recursive: true, force: true});
  }
}

/** Everything that looks like a commit hash in the branch, HEAD and their reflogs. */
function readNamedCommits(directory: string, branch: string): readonly string[] {
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
  const hashes = lines
    .flatMap((line) => line.split(' ', 2))
    .filter((word) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(word) && !/^0+$/.test(word));
  return [...new Set(hashes)].slice(0, limits.commits);
}

async function findUnknown(
  workspace: Workspace,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const answer = await runOnObjects(workspace, ['cat-file', '--batch-check=%(objecttype)'], {
    isRead: true,
    input: ids.map((id) => `${id}\n`).join(''),
  });
  const lines = answer.split('\n');
  return ids.filter((_, index) => (lines[index] ?? '').endsWith(' missing'));
}

type PreparedBare = {readonly refs: readonly string[]; readonly staged: string | null};

/**
 * Makes a bare repository with the view's objects as alternates: no configuration comes from files
 * that an agent can write.
 */
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
): Promise<PreparedBare> {
  for (const part of ['objects/info', 'refs/heads'])
    mkdirSync(path.join(bare, part), {recursive: true, mode: 0o700});
  const format = (
    await runOnObjects(workspace, ['rev-parse', '--show-object-format'], {isRead: true})
  ).trim();
  writeFileAtomic(path.join(bare, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileAtomic(
    path.join(bare, 'config'),
    '[core]\n\tbare = true\n\trepositoryformatversion = ' +
      `${format === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256' : '0'}\n`,
  );
  writeFileAtomic(
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

  const staged = hasStaged ? await writeStagedTree(run, {directory, bare}) : null;
  const isNew = staged !== null && (await findUnknown(workspace, [staged])).length > 0;
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
    writeFileAtomic(path.join(bare, 'refs/heads', `c${index}`), `${id}\n`);
  return {refs, staged};
}

/** Whether all objects of a commit exist: one broken object would make the whole fetch fail. */
async function isWhole(
  run: (argv: readonly string[]) => Promise<string>,
  id: string,
): Promise<boolean> {
  return run(['rev-list', '--objects', '--max-count=1', '--quiet', id]).then(
    () => true,
    () => false,
  );
}

async function writeStagedTree(
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

/**
 * Fetches the commits one by one and returns those that arrived, so that a broken one does not
 * affect the others.
 */
async function fetchFrom(
  workspace: Workspace,
  bare: string,
  refs: readonly string[],
): Promise<readonly string[]> {
  const fetched: string[] = [];
  for (const [index, id] of refs.entries()) {
    const isThere = await runOnObjects(
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

/** A FIFO would block git, and a link would lead it elsewhere. */
function areObjectsRegular(objects: string): boolean {
  if (!isRealDirectory(objects)) return false;
  const entries = walkTree(objects, {maxEntries: limits.objects, maxDepth: 4});
  return (
    entries.length < limits.objects &&
    entries.every(({kind}) => kind === 'file' || kind === 'directory')
  );
}

function isRegular(file: string, maxBytes: number): boolean {
  const stat = lstatSync(file, {throwIfNoEntry: false});
  return stat?.isFile() === true && stat.size <= maxBytes;
}
