import type {Environment} from '../shared/index.ts';

export type EnvironmentOptions = {
  /** The names under `environment` in the project file. A name may end in `*`. */
  readonly allow: readonly string[];
  /** Names that the agent's program needs, including its own credentials. */
  readonly needs?: readonly string[];
};

/**
 * The variables of an agent: those that every program needs, those that are named, and those that
 * stop programs from prompting. A name with KEY, SECRET, TOKEN, PASSWORD or CREDENTIAL must be
 * named in full; `AWS_*` is not enough.
 */
export function selectAgentEnvironment(
  environment: Environment,
  options: EnvironmentOptions,
): Record<string, string> {
  return {...selectAllowedVariables(environment, options), ...unattended};
}

/** The variables that a session may get: PATH, the usual names, and those that are named. */
export function selectAllowedVariables(
  environment: Environment,
  options: EnvironmentOptions,
): Record<string, string> {
  const isAllowed = variableFilter(options);
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isAllowed(entry[0]),
    ),
  );
}

/** A predicate: whether a session may get a variable of this name. */
export function variableFilter({allow, needs = []}: EnvironmentOptions): (name: string) => boolean {
  const named = new Set([...allow, ...needs]);
  const families = [...usualFamilies, ...named]
    .filter((name) => name.endsWith('*'))
    .map((name) => name.slice(0, -1));
  return (name) =>
    named.has(name) ||
    (!isSecretName(name) &&
      (usual.has(name) || families.some((family) => name.startsWith(family))));
}

/**
 * Absent on purpose: EDITOR and VISUAL, which wait for a person; SSH_AUTH_SOCK; DIRENV_*, which is
 * direnv's state of one shell; NODE_OPTIONS, LD_PRELOAD, LD_LIBRARY_PATH, PYTHONPATH, PYTHONHOME,
 * PERL5LIB, RUBYOPT, GEM_PATH, CLASSPATH, JAVA_TOOL_OPTIONS, GOFLAGS, RUSTFLAGS, BASH_ENV,
 * PYENV_HOOK_PATH and GIT_*, which change what runs or what programs load. The project file may
 * still name them.
 */
const usual: ReadonlySet<string> = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM NO_COLOR TMPDIR TMP TEMP ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy ' +
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS ' +
    // Locations of version managers and toolchains, and the selected versions.
    'VIRTUAL_ENV VIRTUAL_ENV_PROMPT CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE ' +
    'CONDA_PYTHON_EXE CONDA_SHLVL PYENV_ROOT PYENV_VERSION PYENV_SHELL POETRY_HOME ' +
    'PIPX_HOME UV_PYTHON_INSTALL_DIR UV_PROJECT_ENVIRONMENT ' +
    'NVM_DIR NVM_BIN NODENV_ROOT NODENV_VERSION NODENV_SHELL N_PREFIX VOLTA_HOME ' +
    'PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_INSTALL ' +
    'RBENV_ROOT RBENV_VERSION RBENV_SHELL GOPATH GOROOT GOBIN GOENV_ROOT GOENV_VERSION ' +
    'GOTOOLCHAIN CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN ' +
    'JAVA_HOME JDK_HOME JENV_ROOT JENV_VERSION SDKMAN_DIR SDKMAN_CANDIDATES_DIR ' +
    'GRADLE_HOME GRADLE_USER_HOME MAVEN_HOME M2_HOME ANDROID_HOME ANDROID_SDK_ROOT ' +
    'DOTNET_ROOT PHPENV_ROOT PLENV_ROOT GHCUP_INSTALL_BASE_PREFIX ' +
    // Locations of caches, as the sandbox knows them.
    'npm_config_cache NPM_CONFIG_CACHE YARN_CACHE_FOLDER GOMODCACHE GOCACHE ' +
    'PIP_CACHE_DIR UV_CACHE_DIR POETRY_CACHE_DIR DENO_DIR BUN_INSTALL_CACHE_DIR ' +
    'NUGET_PACKAGES CCACHE_DIR SCCACHE_DIR TURBO_CACHE_DIR PLAYWRIGHT_BROWSERS_PATH'
  ).split(' '),
);

const usualFamilies: readonly string[] = ['LC_*', 'XDG_*', 'ASDF_*', 'MISE_*', 'FNM_*'];

/** Nobody can answer an agent's programs: a prompt fails instead, and a pager prints. */
const unattended: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The values of the environment that must not appear in a prompt, a summary or the journal. */
export function findSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    isSecretName(name) && value !== undefined ? [value] : [],
  );
}

/** Whether agents get a variable of this name only if it is named in full. */
export function isSecretName(name: string): boolean {
  return /KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL/i.test(name);
}
