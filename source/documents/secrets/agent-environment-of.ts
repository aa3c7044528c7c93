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
export function agentEnvironmentOf(environment: Environment, {allow, needs = []}: EnvironmentWishes): Record<string, string> {
  const named = new Set([...allow, ...needs]);
  const families = [...usualFamilies, ...named].filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const isAllowed = (name: string): boolean => named.has(name) || (!isSecretName(name) && (usual.has(name) || families.some((family) => name.startsWith(family))));
  const passed = Object.entries(environment).flatMap(([name, value]) => (value !== undefined && isAllowed(name) ? [[name, value] as const] : []));
  return {...Object.fromEntries(passed), ...unattended};
}

/** Absent on purpose: EDITOR and VISUAL, which wait for a person; SSH_AUTH_SOCK; NODE_OPTIONS, LD_PRELOAD and GIT_*, which change what runs. */
const usual: ReadonlySet<string> = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM NO_COLOR TMPDIR TMP TEMP ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS'
  ).split(' '),
);

const usualFamilies: readonly string[] = ['LC_*', 'XDG_*'];

/** Nobody sits in front of an agent's programs: what would ask fails instead, and what would page prints. */
const unattended: Readonly<Record<string, string>> = {GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', GIT_PAGER: 'cat', DEBIAN_FRONTEND: 'noninteractive'};
