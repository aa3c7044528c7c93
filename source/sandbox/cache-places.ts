import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** What package managers and build tools keep for all projects, in a home directory. */
const usual = [
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

/** Where people say that it lies elsewhere. */
const named: readonly (readonly [variable: string, ...within: readonly string[]])[] = [
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

/** Directories of caches, outermost first and none inside of another. Not all of them need be there. */
export function cachePlaces(home: string, env: Environment): readonly string[] {
  const told = named.flatMap(([variable, ...within]) => {
    const value = env[variable];
    return value !== undefined && path.isAbsolute(value) ? [path.resolve(value, ...within)] : [];
  });
  const all = [...new Set([...usual.map((name) => path.join(home, name)), ...told])]
    .filter((place) => place !== '/' && place !== home && !home.startsWith(`${place}/`))
    .sort();
  return all.filter((place) => !all.some((other) => place.startsWith(`${other}/`)));
}

/** For tools whose cache is not there: inside nobody could make it in the home directory. */
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
