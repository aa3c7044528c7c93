import path from 'node:path';
import {lstatSync} from 'node:fs';
import {namesIn} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {isRealDirectory} from '../worktrees/paths.ts';

/**
 * A kind of dependency directory. It is recognised by files that its tool puts into it or beside
 * it, never by name alone.
 */
export type DependencyKind = {
  /** The tool that made it, for people. */
  readonly tool: string;
  /** Allowed directory names; without it any name. */
  readonly names?: readonly string[];
  /** One of these exists inside. `*` matches one name; only the first few are tried. */
  readonly inside?: readonly string[];
  /** And one of these exists beside it. */
  readonly beside?: readonly string[];
};

export const dependencyKinds: readonly DependencyKind[] = [
  {
    tool: 'Node packages',
    names: ['node_modules'],
    inside: [
      '.package-lock.json',
      '.modules.yaml',
      '.yarn-integrity',
      '.yarn-state.yml',
      '*/package.json',
      '*/*/package.json',
    ],
  },
  {tool: 'Bower packages', names: ['bower_components'], inside: ['*/.bower.json']},
  {tool: 'a Python virtualenv', inside: ['pyvenv.cfg']},
  {tool: 'tox environments', names: ['.tox'], inside: ['*/pyvenv.cfg', '.pkg']},
  {tool: 'nox environments', names: ['.nox'], inside: ['*/pyvenv.cfg']},
  {tool: 'Python packages', names: ['__pypackages__'], inside: ['*/lib']},
  {tool: 'a Conda environment', inside: ['conda-meta/history']},
  {
    tool: "Cargo's build directory",
    names: ['target'],
    inside: ['CACHEDIR.TAG', '.rustc_info.json'],
    beside: ['Cargo.toml'],
  },
  {
    tool: "Maven's build directory",
    names: ['target'],
    inside: ['maven-status', 'classes'],
    beside: ['pom.xml'],
  },
  {
    tool: "Gradle's state",
    names: ['.gradle'],
    inside: ['buildOutputCleanup', 'vcs-1', '*/fileHashes'],
  },
  {
    tool: 'Composer packages',
    names: ['vendor'],
    inside: ['autoload.php', 'composer/installed.json'],
  },
  {tool: 'Go modules', names: ['vendor'], inside: ['modules.txt'], beside: ['go.mod']},
  {
    tool: 'Ruby gems',
    names: ['vendor', 'bundle', '.bundle'],
    inside: ['bundle/ruby', 'ruby/*/gems'],
  },
  {tool: 'CocoaPods', names: ['Pods'], inside: ['Manifest.lock']},
  {tool: 'Carthage', names: ['Carthage'], inside: ['Build', 'Checkouts'], beside: ['Cartfile']},
  {
    tool: 'Swift packages',
    names: ['.build'],
    inside: ['workspace-state.json'],
    beside: ['Package.swift'],
  },
  {
    tool: 'Elixir dependencies',
    names: ['deps'],
    inside: ['*/.hex', '*/mix.exs'],
    beside: ['mix.exs'],
  },
  {tool: "Elixir's build directory", names: ['_build'], inside: ['*/lib'], beside: ['mix.exs']},
  {tool: "Dart's packages", names: ['.dart_tool'], inside: ['package_config.json']},
  {
    tool: "Haskell's build directory",
    names: ['dist-newstyle', '.stack-work'],
    inside: ['cache/plan.json', 'dist', 'install'],
  },
  {tool: 'an OPAM switch', names: ['_opam'], inside: ['.opam-switch']},
  {
    tool: 'Terraform providers',
    names: ['.terraform'],
    inside: ['providers', 'modules/modules.json'],
  },
  {
    tool: 'a package cache of Yarn',
    names: ['cache'],
    inside: ['.gitignore'],
    beside: ['install-state.gz', 'build-state.yml'],
  },
];

export type FoundDependencies = {readonly path: string; readonly tool: string};

/** A monorepo has one such directory per package, so the result is limited. */
const maxFound = 50;
/** Names that are tried for a `*`. */
const maxTried = 20;
/** Limit of ignored directories to search, so that much build output costs no time. */
const maxLookedAt = 2000;

/**
 * Finds dependency directories in the checkout: git ignores them, and their content tells their
 * tool.
 */
export async function detectDependencies({
  root,
  git,
}: Pick<Workspace, 'root' | 'git'>): Promise<readonly FoundDependencies[]> {
  const listed = await git(
    root,
    ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'],
    {isRead: true},
  );
  const ignored = listed
    .split('\0')
    .filter((name) => name.endsWith('/'))
    .map((name) => name.slice(0, -1))
    .slice(0, maxLookedAt);
  // Git lists a directory whose content is all ignored, and the ignored entries in it as well.
  const found = new Map(
    ignored.flatMap((name) => dependenciesAt(root, name, 2)).map((one) => [one.path, one]),
  );
  return [...found.values()]
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .slice(0, maxFound);
}

/** Also searches a little below an ignored directory: `.yarn/cache`, `build/venv`. */
function dependenciesAt(root: string, name: string, depth: number): readonly FoundDependencies[] {
  if (!isRealDirectory(path.join(root, name))) return [];
  const kind = dependencyKinds.find((one) => isOfKind(root, name, one));
  if (kind !== undefined) return [{path: name, tool: kind.tool}];
  if (depth === 0) return [];
  return namesIn(path.join(root, name), {maxEntries: maxTried}).flatMap((child) =>
    dependenciesAt(root, `${name}/${child}`, depth - 1),
  );
}

function isOfKind(
  root: string,
  name: string,
  {names, inside = [], beside}: DependencyKind,
): boolean {
  if (names !== undefined && !names.includes(path.basename(name))) return false;
  const directory = path.join(root, name);
  return (
    inside.some((pattern) => hasMatch(directory, pattern.split('/'))) &&
    (beside === undefined || beside.some((one) => hasMatch(path.dirname(directory), [one])))
  );
}

function hasMatch(directory: string, [first = '', ...rest]: readonly string[]): boolean {
  const names = first === '*' ? namesIn(directory, {maxEntries: maxTried}) : [first];
  return names.some((name) => {
    const place = path.join(directory, name);
    return rest.length === 0
      ? lstatSync(place, {throwIfNoEntry: false}) !== undefined
      : isRealDirectory(place) && hasMatch(place, rest);
  });
}
