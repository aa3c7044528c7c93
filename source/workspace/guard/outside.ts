import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {isThere, lookAt} from '../worktree/names.ts';
import {namesIn} from '../worktree/note.ts';
import {adminOf} from '../worktree/tree-of.ts';
import {nameOf} from './name-of.ts';
import {printOf} from './print-of.ts';

/** What stands outside of a worktree, as path → fingerprint. Plain data; large (one entry for each file). */
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
  /** Git ignores it: a build does that as well. */
  readonly isIgnored: boolean;
};

/** What programs read from a home directory when they start (the list of Anthropic's sandbox runtime, and what git and npm read). */
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
 * Taken before and after an agent works. Files are told by size, times, mode and inode; their time of change is the
 * kernel's own, so putting the others back hides nothing. No index is asked: a flag in it could hide a file.
 */
export async function outsideFingerprint(
  workspace: Workspace,
  {siblings, home}: {readonly siblings: readonly string[]; readonly home: string},
): Promise<Outside> {
  const places: Record<string, Record<string, string>> = {};
  for (const place of [workspace.root, ...siblings])
    places[place] = isThere(place) ? await filesIn(workspace, place) : {'.': 'absent'};
  places[home] = homeFiles(home);
  return {root: workspace.root, places};
}

/** Everything that differs, with both fingerprints: whoever reads it knows what a person does meanwhile. */
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

/** The same as whole paths. */
export function changedOutside(before: Outside, after: Outside): readonly string[] {
  return outsideDifference(before, after).map(({place, path: file}) => path.join(place, file));
}

async function filesIn(workspace: Workspace, place: string): Promise<Record<string, string>> {
  const admin = place === workspace.root ? undefined : adminOf(workspace, place);
  const list = (...argv: readonly string[]): Promise<readonly string[]> =>
    workspace
      .git(place, ['--git-dir', workspace.commonDirectory, '--work-tree', place, ...argv], {
        isRead: true,
        index: path.join(workspace.private, 'index', 'none'),
      })
      .then((text) => text.split('\0').filter((name) => name !== ''));
  // With an index that holds nothing, everything is untracked; what the commit has is there even if it is ignored.
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
        ? `ignored ${statOf(path.join(place, file), file.endsWith('/'))}`
        : statOf(path.join(place, file), false);
    if (index % 1000 === 999)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  }

  // Whoever edits these can make a new file look ignored.
  for (const file of place === workspace.root
    ? [path.join(workspace.commonDirectory, 'info', 'exclude')]
    : [])
    found[nameOf(workspace, file)] = printOf(file) ?? 'absent';
  return found;
}

function statOf(file: string, isDirectory: boolean): string {
  const stat = lookAt(file);
  if (stat === undefined) return 'absent';
  if (isDirectory) return 'directory';
  return `${stat.mode.toString(8)} ${stat.size.toString()} ${stat.mtimeNs.toString(36)} ${stat.ctimeNs.toString(36)} ${stat.ino.toString(36)}`;
}

function homeFiles(home: string): Record<string, string> {
  const inside = startDirectories.flatMap((directory) =>
    namesIn(path.join(home, directory))
      .slice(0, 300)
      .map((name) => path.join(directory, name)),
  );
  return Object.fromEntries(
    [...startFiles, ...inside].flatMap((file) => {
      const print = printOf(path.join(home, file));
      return print === null ? [] : [[file, print]];
    }),
  );
}
