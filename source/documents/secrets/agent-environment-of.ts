import {isSecretName} from './secrets-of.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type EnvironmentWishes = {
  /** Names of the project file's `environment`. A name may end in `*`. */
  readonly allow: readonly string[];
  /** Names that the agent's program needs, its own credentials among them. */
  readonly needs?: readonly string[];
};

/**
 * The variables that an agent gets: those that every program needs, those that somebody named, and what keeps programs
 * from asking questions. A name with KEY, SECRET, TOKEN, PASSWORD or CREDENTIAL in it must be named whole; `AWS_*` is not enough.
 */
export function agentEnvironmentOf(
  environment: Environment,
  wishes: EnvironmentWishes,
): Record<string, string> {
  return {...countingVariables(environment, wishes), ...unattended};
}

/** Those of the variables that a session may get: PATH, the usual names, and what somebody named. */
export function countingVariables(
  environment: Environment,
  wishes: EnvironmentWishes,
): Record<string, string> {
  const counts = isCounted(wishes);
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && counts(entry[0]),
    ),
  );
}

/** Whether a session may get a variable of this name. */
export function isCounted({allow, needs = []}: EnvironmentWishes): (name: string) => boolean {
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
 * Absent on purpose: EDITOR and VISUAL, which wait for a person; SSH_AUTH_SOCK; DIRENV_*, which is direnv's own memory of one shell;
 * NODE_OPTIONS, LD_PRELOAD, LD_LIBRARY_PATH, PYTHONPATH, PYTHONHOME, PERL5LIB, RUBYOPT, GEM_PATH, CLASSPATH, JAVA_TOOL_OPTIONS, GOFLAGS,
 * RUSTFLAGS, BASH_ENV, PYENV_HOOK_PATH and GIT_*, which change what runs or what programs load. A person may name them all the same.
 */
const usual: ReadonlySet<string> = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM NO_COLOR TMPDIR TMP TEMP ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS ' +
    // Where version managers and toolchains are, and which version they are to use.
    'VIRTUAL_ENV VIRTUAL_ENV_PROMPT CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL PYENV_ROOT PYENV_VERSION PYENV_SHELL POETRY_HOME PIPX_HOME UV_PYTHON_INSTALL_DIR UV_PROJECT_ENVIRONMENT ' +
    'NVM_DIR NVM_BIN NODENV_ROOT NODENV_VERSION NODENV_SHELL N_PREFIX VOLTA_HOME PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_INSTALL ' +
    'RBENV_ROOT RBENV_VERSION RBENV_SHELL GOPATH GOROOT GOBIN GOENV_ROOT GOENV_VERSION GOTOOLCHAIN CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN ' +
    'JAVA_HOME JDK_HOME JENV_ROOT JENV_VERSION SDKMAN_DIR SDKMAN_CANDIDATES_DIR GRADLE_HOME GRADLE_USER_HOME MAVEN_HOME M2_HOME ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT PHPENV_ROOT PLENV_ROOT GHCUP_INSTALL_BASE_PREFIX ' +
    // Where caches are, as the sandbox knows them.
    'npm_config_cache NPM_CONFIG_CACHE YARN_CACHE_FOLDER GOMODCACHE GOCACHE PIP_CACHE_DIR UV_CACHE_DIR POETRY_CACHE_DIR DENO_DIR BUN_INSTALL_CACHE_DIR NUGET_PACKAGES CCACHE_DIR SCCACHE_DIR TURBO_CACHE_DIR PLAYWRIGHT_BROWSERS_PATH'
  ).split(' '),
);

const usualFamilies: readonly string[] = ['LC_*', 'XDG_*', 'ASDF_*', 'MISE_*', 'FNM_*'];

/** Nobody sits in front of an agent's programs: what would ask fails instead, and what would page prints. */
const unattended: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
};
