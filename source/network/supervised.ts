import {type NetworkEntry, networkProxyPort} from '../shared/index.ts';

/** Instructions for a supervisor, in a file of its session that no agent sees. */
export type SupervisorOrders = {
  readonly allow: readonly string[];
  /** The file for refusals. */
  readonly refusals: string;
  /** Whether it also shows refusals on the session's terminal. */
  readonly shows: boolean;
  /** A seccomp filter that bubblewrap reads from file descriptor 4. */
  readonly filter?: string;
};

/**
 * The file descriptors that bubblewrap inherits from the supervisor: the channel for the bridge's
 * sockets, and the filter.
 */
export const inheritedFiles = {channel: 3, filter: 4} as const;

const bridgeScript =
  '"$1" "$2" bridge "$3" || exit 126; shift 3; unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE; exec "$@" 3>&-';

/**
 * The command inside of the sandbox: first our bridge, which listens on the sandbox's loopback and
 * sends the sockets to the supervisor; then the command itself in the same process. Nothing of ours
 * keeps running inside.
 */
export function bridged(
  argv: readonly string[],
  program: readonly string[],
  entries: readonly NetworkEntry[],
): readonly string[] {
  const [node = '', file = ''] = [program[0], program.at(-1)];
  return [
    '/bin/sh',
    '-c',
    bridgeScript,
    'sh',
    node,
    file,
    selectLoopbackPorts(entries).join(','),
    ...argv,
  ];
}

/**
 * The command outside: our supervisor, which starts the sandbox, runs the proxy and ends with it.
 */
export function supervised(
  argv: readonly string[],
  program: readonly string[],
  orders: string,
): readonly string[] {
  return [...program, 'supervise', orders, '--', ...argv];
}

const filterScript = 'exec "$@" 4<"$0"';

/** For a sandbox without any network, which needs no supervisor but only the open filter. */
export function filtered(argv: readonly string[], filter: string): readonly string[] {
  return ['/bin/sh', '-c', filterScript, filter, ...argv];
}

/** Removes our wrapper commands, for display. */
export function unsupervised(argv: readonly string[]): readonly string[] {
  if (argv[2] === filterScript) return argv.slice(4);
  const role = argv.indexOf('supervise');
  return role > 0 && argv[role + 2] === '--' && argv[role - 1]?.endsWith('network.cjs') === true
    ? argv.slice(role + 3)
    : argv;
}

export function unbridged(argv: readonly string[]): readonly string[] {
  return argv[2] === bridgeScript ? argv.slice(7) : argv;
}

/** Ports on the sandbox's loopback: the proxy first, then services of this machine. */
export function selectLoopbackPorts(entries: readonly NetworkEntry[]): readonly number[] {
  return [
    networkProxyPort,
    ...new Set(entries.filter(({isLocal}) => isLocal).flatMap(({ports}) => ports)),
  ];
}

/**
 * Proxy variables for programs inside. `ALL_PROXY` speaks HTTP as well, because programs without
 * SOCKS fail on a SOCKS address. Some programs read only the upper-case names, others only the
 * lower-case ones.
 */
export function proxyVariables(): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${networkProxyPort}`;
  const own = 'localhost,127.0.0.1,::1,[::1]';
  return {
    HTTP_PROXY: proxy,
    http_proxy: proxy,
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    ALL_PROXY: proxy,
    all_proxy: proxy,
    NO_PROXY: own,
    no_proxy: own,
    NODE_USE_ENV_PROXY: '1',
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
  };
}
