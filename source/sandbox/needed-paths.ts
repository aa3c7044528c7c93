import path from 'node:path';
import type {LookAtPath} from './policy.ts';

export type Started = {
  /** All arguments of the command, including its wrappers: programs, scripts, a playbook. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Replaced inside of the sandbox, so its real content is hidden. */
const temporaryDirectory = '/tmp';

/** Directories of the person's session, not of programs. */
const sessionVariables: ReadonlySet<string> = new Set([
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_RUNTIME_DIR',
  'PWD',
  'OLDPWD',
]);

/**
 * What a command needs of the real `/tmp` if it has a private one: the programs that it names with
 * their installations, the directories on PATH, and directories that variables name. They are shown
 * read-only; sockets beside them stay hidden. Without this a program that is installed there exits
 * with 127.
 */
export function neededInTemporary({argv, env}: Started, look: LookAtPath): readonly string[] {
  const files = argv
    .filter((word) => path.isAbsolute(word))
    .flatMap((word) => withReal(path.resolve(word), look))
    .filter((file) => isTemporary(file));
  const searched = (env['PATH'] ?? '').split(':').filter((entry) => isTemporary(entry));
  const named = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    name !== 'PATH' &&
    !sessionVariables.has(name) &&
    isTemporary(value) &&
    look(value).kind === 'directory'
      ? [path.resolve(value)]
      : [],
  );
  const places = [
    ...files.map(findInstallation),
    ...searched.map((entry) => findInstallation(path.join(entry, 'program'))),
    ...named,
  ];
  return [...new Set(places)].filter(
    (place) => isTemporary(place) && look(place).kind !== 'missing',
  );
}

/** A link and its target may be installed in two places. */
function withReal(file: string, look: LookAtPath): readonly string[] {
  const {kind, real} = look(file);
  if (kind === 'missing') return [];
  return real === file ? [file] : [file, real];
}

/**
 * The installation of `PREFIX/bin/x` is PREFIX, that of a package its shared `node_modules`,
 * otherwise the directory of the file.
 */
function findInstallation(file: string): string {
  const modules = file.indexOf('/node_modules/');
  const directory = path.dirname(path.resolve(file));
  if (modules !== -1) return file.slice(0, modules + '/node_modules'.length);
  const whole = ['bin', 'sbin', 'shims', 'Scripts'].includes(path.basename(directory))
    ? path.dirname(directory)
    : directory;
  if (isTemporary(whole)) return whole;
  return isTemporary(directory) ? directory : path.resolve(file);
}

function isTemporary(place: string): boolean {
  return path.isAbsolute(place) && path.resolve(place).startsWith(`${temporaryDirectory}/`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Caches of package managers and build tools in a home directory. */
const usualCaches = [
  '.cache',
  '.npm',
  '.yarn',
  '.pnpm-store',
  '.local/share/pnpm',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg',
  '.gradle',
  '.m2',
  '.bun/install',
  '.deno',
  '.nuget',
  '.ivy2',
  '.sbt',
  '.cpan',
  '.gem',
  '.composer',
  'Library/Caches',
];

/** Variables that move a cache elsewhere. */
const cacheVariables: readonly (readonly [variable: string, ...within: readonly string[]])[] = [
  ['XDG_CACHE_HOME'],
  ['npm_config_cache'],
  ['NPM_CONFIG_CACHE'],
  ['YARN_CACHE_FOLDER'],
  ['CARGO_HOME', 'registry'],
  ['CARGO_HOME', 'git'],
  ['GOMODCACHE'],
  ['GOCACHE'],
  ['GRADLE_USER_HOME'],
  ['PIP_CACHE_DIR'],
  ['UV_CACHE_DIR'],
  ['POETRY_CACHE_DIR'],
  ['DENO_DIR'],
  ['BUN_INSTALL_CACHE_DIR'],
  ['NUGET_PACKAGES'],
  ['CCACHE_DIR'],
  ['SCCACHE_DIR'],
  ['TURBO_CACHE_DIR'],
  ['PLAYWRIGHT_BROWSERS_PATH'],
];

/** Cache directories, outermost first and none inside of another. Some may not exist. */
export function cachePlaces(home: string, env: Environment): readonly string[] {
  const named = cacheVariables.flatMap(([variable, ...within]) => {
    const value = env[variable];
    return value !== undefined && path.isAbsolute(value) ? [path.resolve(value, ...within)] : [];
  });
  const all = [...new Set([...usualCaches.map((name) => path.join(home, name)), ...named])]
    .filter((place) => place !== '/' && place !== home && !home.startsWith(`${place}/`))
    .sort();
  return all.filter((place) => !all.some((other) => place.startsWith(`${other}/`)));
}

/**
 * Variables for tools whose cache does not exist: inside it could not be made in the home
 * directory.
 */
export function missingCacheVariables(
  home: string,
  env: Environment,
  isThere: (place: string) => boolean,
  own: string,
): Readonly<Record<string, string>> {
  const isMissing = (place: string): boolean => !isThere(place);
  return {
    ...(env['XDG_CACHE_HOME'] === undefined && isMissing(path.join(home, '.cache'))
      ? {XDG_CACHE_HOME: path.join(own, 'cache')}
      : {}),
    ...(env['npm_config_cache'] === undefined && isMissing(path.join(home, '.npm'))
      ? {npm_config_cache: path.join(own, 'npm')}
      : {}),
  };
}
