import path from 'node:path';
import {readlinkSync} from 'node:fs';
import {readRegularFile} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {readRemovals} from '../removal/removal.ts';
import {getOwnPlace, isPathPrefix, lstatBig} from '../worktrees/paths.ts';
import {listNamesThroughLinks, readNotes, readRegistered} from '../worktrees/records.ts';
import {fingerprintFile, formatGitPath} from './fingerprint.ts';
import {readConfig} from './read-config.ts';

/**
 * Fingerprints of everything that decides which programs git runs and what it reads: configuration,
 * hooks, attributes, alternates, replacements, and the `.git` files of worktrees. Plain data,
 * stored and compared later.
 */
export type GitGuard = {
  readonly entries: Readonly<Record<string, string>>;
  /** Worktrees that we made and removed up to now. */
  readonly made: readonly string[];
  readonly removed: readonly string[];
};

/** Reads files and runs only `git config`, so that the check runs nothing that it checks. */
export async function readGuard(workspace: Workspace): Promise<GitGuard> {
  const {root, commonDirectory, home} = workspace;
  const registered = readRegistered(workspace).filter(
    ({path: place}) => place === null || !isPathPrefix(getOwnPlace(workspace, 'making'), place),
  );
  const config = await readConfig(
    workspace,
    registered.map(({admin}) => admin),
  );
  const entries: Record<string, string> = {...config.entries};
  const name = (file: string): string => formatGitPath(workspace, file);
  const add = (file: string): void => {
    const print = fingerprintFile(file);
    if (print !== null) entries[name(file)] = print;
  };

  for (const directory of [
    path.join(commonDirectory, 'hooks'),
    ...config.hooks,
    ...findModules(path.join(commonDirectory, 'modules')).map((one) => path.join(one, 'hooks')),
  ]) {
    for (const hook of listNamesThroughLinks(directory)
      .filter((one) => !one.endsWith('.sample'))
      .slice(0, 200))
      add(path.join(directory, hook));
  }

  for (const file of ['info/attributes', 'info/grafts', 'objects/info/alternates', 'commondir'])
    add(path.join(commonDirectory, file));
  for (const file of [
    ...config.attributes,
    ...config.included,
    ...(home === null ? [] : [path.join(home, '.config/git/attributes')]),
  ])
    add(file);
  for (const directory of findModules(path.join(commonDirectory, 'modules')))
    add(path.join(directory, 'config'));
  for (const ref of readReplacements(commonDirectory)) entries[ref] = 'there';
  entries[name(path.join(root, '.git'))] = fingerprintGitFile(path.join(root, '.git'));
  for (const {admin, path: place} of registered) {
    if (place === null) continue;
    entries[worktreeKey(place)] = [
      path.basename(admin),
      fingerprintGitFile(path.join(place, '.git')),
      fingerprintFile(path.join(admin, 'commondir')) ?? 'absent',
    ].join(' ');
  }

  return {
    entries,
    made: readNotes(workspace).flatMap(({path: place}) => place ?? []),
    removed: readRemovals(workspace)
      .filter(({at}) => at === 'trashed' || at === 'done')
      .map(({path: place}) => place),
  };
}

const worktreePrefix = 'worktree ';

function worktreeKey(place: string): string {
  return `${worktreePrefix}${path.join(place, '.git')}`;
}

/**
 * Names of the entries that changed between two readings, without the worktrees that we made or
 * removed meanwhile.
 */
export function tamperedPaths(before: GitGuard, after: GitGuard): readonly string[] {
  const keys = [...new Set([...Object.keys(before.entries), ...Object.keys(after.entries)])].sort();
  return keys
    .filter((key) => {
      const [was, is] = [before.entries[key], after.entries[key]];
      if (was === is) return false;
      if (key.startsWith(worktreePrefix)) {
        const place = path.dirname(key.slice(worktreePrefix.length));
        if (was === undefined) return !after.made.includes(place);
        // During a removal, the files are gone a moment before git's entry.
        if (is === undefined || is.split(' ')[1] === 'absent')
          return !after.removed.includes(place);
        return true;
      }

      // Git copies the main checkout's settings into a new worktree's.
      const setting = /\/worktrees\/[^/]+\/config\.worktree: (?<setting>.*)$/s.exec(key)?.groups?.[
        'setting'
      ];
      if (setting !== undefined && (was === undefined || is === undefined))
        return (is ?? was) !== before.entries[`.git/config.worktree: ${setting}`];
      return true;
    })
    .map((key) => (key.startsWith(worktreePrefix) ? key.slice(worktreePrefix.length) : key));
}

/** Fingerprint of a `.git` file, link or directory. */
function fingerprintGitFile(file: string): string {
  const stat = lstatBig(file);
  if (stat === undefined) return 'absent';
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  return stat.isDirectory() ? 'directory' : (fingerprintFile(file) ?? 'absent');
}

/** Replace refs make git read another object than the one that is named. */
function readReplacements(commonDirectory: string): readonly string[] {
  const loose = listNamesThroughLinks(path.join(commonDirectory, 'refs', 'replace')).map(
    (name) => `refs/replace/${name}`,
  );
  const reading = readRegularFile(path.join(commonDirectory, 'packed-refs'), {
    maxBytes: 256 * 1024 * 1024,
    links: 'follow',
  });
  if (reading.at === 'refused')
    return reading.why === 'missing' ? loose : [...loose, `packed-refs ${reading.message}`];
  const packed = reading.bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => / (?<ref>refs\/replace\/\S+)$/.exec(line)?.groups?.['ref'] ?? []);
  return [...new Set([...loose, ...packed])];
}

/** Repositories of submodules, a few levels deep because their names can contain slashes. */
function findModules(directory: string, depth = 4, budget = {left: 5000}): readonly string[] {
  // Limits the total number of directories: depth and names alone would allow a billion.
  budget.left -= 1;
  const names = budget.left < 0 ? [] : listNamesThroughLinks(directory).slice(0, 200);
  if (names.includes('HEAD') && names.includes('config'))
    return [directory, ...findModules(path.join(directory, 'modules'), depth - 1, budget)];
  return depth === 0
    ? []
    : names.flatMap((name) => findModules(path.join(directory, name), depth - 1, budget));
}
