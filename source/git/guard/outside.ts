import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {isThere, lstatBig} from '../worktrees/paths.ts';
import {listNamesThroughLinks, readLine, readNotes} from '../worktrees/records.ts';
import {findAdmin} from '../worktrees/get-tree.ts';
import {fingerprintFile, formatGitPath} from './fingerprint.ts';

/**
 * Fingerprints of the files outside of a worktree, by place and path. Plain data; large (one entry
 * for each file).
 */
export type Outside = {
  readonly root: string;
  readonly places: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type OutsideChange = {
  /** The main checkout, a sibling worktree, or the home directory. */
  readonly place: string;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Git ignores the file, so a build may have changed it. */
  readonly isIgnored: boolean;
};

/**
 * Files that programs read from the home directory when they start (from Anthropic's sandbox
 * runtime, plus git and npm).
 */
const startFiles = [
  '.gitconfig',
  '.gitmodules',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.zshrc',
  '.zprofile',
  '.zshenv',
  '.zlogin',
  '.profile',
  '.inputrc',
  '.ripgreprc',
  '.mcp.json',
  '.npmrc',
  '.yarnrc',
  '.tmux.conf',
  '.vimrc',
  '.netrc',
  '.config/git/config',
  '.config/git/attributes',
  '.config/git/ignore',
  '.config/fish/config.fish',
  '.config/nvim/init.lua',
  '.ssh/config',
  '.ssh/authorized_keys',
  '.ssh/rc',
  '.claude/settings.json',
  '.claude.json',
];
const startDirectories = [
  '.vscode',
  '.idea',
  '.claude/commands',
  '.claude/agents',
  '.claude/skills',
  '.config/autostart',
  '.config/systemd/user',
  '.config/fish/conf.d',
  '.local/bin',
  '.git/hooks',
];

/**
 * Taken before and after an agent works. A fingerprint has size, times, mode and inode; the kernel
 * sets ctime, so setting mtime back hides nothing. No index is read: a flag in it could hide a
 * file.
 */
export async function outsideFingerprint(
  workspace: Workspace,
  {siblings, home}: {readonly siblings: readonly string[]; readonly home: string},
): Promise<Outside> {
  const places: Record<string, Record<string, string>> = {};
  for (const place of [workspace.root, ...siblings])
    places[place] = isThere(place) ? await fingerprintFilesIn(workspace, place) : {'.': 'absent'};
  places[home] = fingerprintHomeFiles(home);
  return {root: workspace.root, places};
}

/** All differences with both fingerprints. The caller decides which are the person's own. */
export function outsideDifference(before: Outside, after: Outside): readonly OutsideChange[] {
  return Object.keys(before.places)
    .filter((place) => after.places[place] !== undefined)
    .flatMap((place) => {
      const [was, is] = [before.places[place] ?? {}, after.places[place] ?? {}];
      return [...new Set([...Object.keys(was), ...Object.keys(is)])]
        .sort()
        .filter((file) => was[file] !== is[file])
        .map((file) => ({
          place,
          path: file,
          before: was[file] ?? null,
          after: is[file] ?? null,
          isIgnored: (is[file] ?? was[file] ?? '').startsWith('ignored '),
        }));
    });
}

/** Absolute paths of the differences. */
export function changedOutside(before: Outside, after: Outside): readonly string[] {
  return outsideDifference(before, after).map(({place, path: file}) => path.join(place, file));
}

async function fingerprintFilesIn(
  workspace: Workspace,
  place: string,
): Promise<Record<string, string>> {
  const admin = place === workspace.root ? undefined : findAdmin(workspace, place);
  const list = (...argv: readonly string[]): Promise<readonly string[]> =>
    workspace
      .git(place, ['--git-dir', workspace.commonDirectory, '--work-tree', place, ...argv], {
        isRead: true,
        index: path.join(workspace.private, 'index', 'none'),
      })
      .then((text) => text.split('\0').filter((name) => name !== ''));
  // With an empty index every file is untracked; committed files are listed apart, because they may
  // be ignored.
  const head = await workspace
    .git(
      workspace.root,
      [
        '--git-dir',
        admin ?? workspace.commonDirectory,
        'rev-parse',
        '--verify',
        '--quiet',
        'HEAD^{tree}',
      ],
      {isRead: true},
    )
    .then(
      (text) => text.trim(),
      () => null,
    );
  const committed =
    head === null ? [] : await list('ls-tree', '-r', '-z', '--name-only', '--full-tree', head);
  const others = await list('ls-files', '-z', '-o', '--exclude-standard');
  const ignored = await list('ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory');
  const found: Record<string, string> = {};
  for (const [index, file] of [...ignored, ...others, ...committed].entries()) {
    found[file] =
      index < ignored.length
        ? `ignored ${fingerprintStat(path.join(place, file), file.endsWith('/'))}`
        : fingerprintStat(path.join(place, file), false);
    if (index % 1000 === 999)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  }

  // An edit of this file can make a new file look ignored.
  for (const file of place === workspace.root
    ? [path.join(workspace.commonDirectory, 'info', 'exclude')]
    : [])
    found[formatGitPath(workspace, file)] = fingerprintFile(file) ?? 'absent';
  return found;
}

function fingerprintStat(file: string, isDirectory: boolean): string {
  const stat = lstatBig(file);
  if (stat === undefined) return 'absent';
  if (isDirectory) return 'directory';
  return (
    `${stat.mode.toString(8)} ${stat.size.toString()} ${stat.mtimeNs.toString(36)} ` +
    `${stat.ctimeNs.toString(36)} ${stat.ino.toString(36)}`
  );
}

function fingerprintHomeFiles(home: string): Record<string, string> {
  const inside = startDirectories.flatMap((directory) =>
    listNamesThroughLinks(path.join(home, directory))
      .slice(0, 300)
      .map((name) => path.join(directory, name)),
  );
  return Object.fromEntries(
    [...startFiles, ...inside].flatMap((file) => {
      const print = fingerprintFile(path.join(home, file));
      return print === null ? [] : [[file, print]];
    }),
  );
}

/**
 * Commits of the person's branches and tags, HEAD of their checkout, and whether our branches
 * exist.
 */
export type Branches = {
  readonly head: string | null;
  readonly refs: Readonly<Record<string, string>>;
  /** Branches of our worktrees: `there` or `gone`. We move them, so their commits do not count. */
  readonly own: Readonly<Record<string, 'there' | 'gone'>>;
};

export type MovedRef = {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** `prefix` of our own branches: `orchestra` for `orchestra/…` and `orchestra-2/…`. */
export async function readBranches(workspace: Workspace, prefix = 'orchestra'): Promise<Branches> {
  const lines = (
    await workspace.git(
      workspace.root,
      [
        'for-each-ref',
        '--format=%(objectname) %(refname)',
        'refs/heads',
        'refs/tags',
        'refs/stash',
      ],
      {isRead: true},
    )
  )
    .split('\n')
    .filter((line) => line !== '');
  const all = lines.map((line): [string, string] => [
    line.slice(line.indexOf(' ') + 1),
    line.slice(0, line.indexOf(' ')),
  ]);
  const names = new Set(all.map(([ref]) => ref));
  const ours = readNotes(workspace)
    .filter(({at, branch}) => at === 'placed' && branch !== null)
    .map(({branch}) => `refs/heads/${branch ?? ''}`);
  const isOurs = (ref: string): boolean =>
    ours.includes(ref) ||
    ref.slice('refs/heads/'.length).replace(/^(?<name>[^/]*?)(?:-\d+)?\/.*$/s, '$<name>/') ===
      `${prefix}/`;
  return {
    head: readLine(path.join(workspace.commonDirectory, 'HEAD')),
    refs: Object.fromEntries(all.filter(([ref]) => !isOurs(ref))),
    own: Object.fromEntries(ours.map((ref) => [ref, names.has(ref) ? 'there' : 'gone'])),
  };
}

/** Which branches moved, and from where to where. The person may have moved them. */
export function movedBranches(before: Branches, after: Branches): readonly MovedRef[] {
  const refs = [...new Set([...Object.keys(before.refs), ...Object.keys(after.refs)])].sort();
  const moved = refs
    .map((ref) => ({ref, before: before.refs[ref] ?? null, after: after.refs[ref] ?? null}))
    .filter((one) => one.before !== one.after);
  const gone = Object.keys(after.own)
    .filter((ref) => before.own[ref] === 'there' && after.own[ref] === 'gone')
    .map((ref) => ({ref, before: 'there', after: null}));
  return [
    ...(before.head === after.head ? [] : [{ref: 'HEAD', before: before.head, after: after.head}]),
    ...moved,
    ...gone,
  ];
}
