import {networkProxyPort, type NetworkEntry} from '../base/index.ts';

/** What a supervisor is told, in a file of its session that no agent sees. */
export type SupervisorOrders = {
  readonly allow: readonly string[];
  /** Where it leaves what it refused. */
  readonly refusals: string;
  /** Whether it shows refusals on the session's terminal, too. */
  readonly shows: boolean;
  /** A filter of system calls that bubblewrap reads as file 4. */
  readonly filter?: string;
};

/** The file numbers that bubblewrap inherits from the supervisor: how the bridge hands over its sockets, and the filter. */
export const inheritedFiles = {channel: 3, filter: 4} as const;

const bridgeScript =
  '"$1" "$2" bridge "$3" || exit 126; shift 3; unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE; exec "$@" 3>&-';

/**
 * The command inside of the sandbox: first our own program, which listens on the sandbox's loopback and hands these sockets
 * to the supervisor; when it has ended, the command itself in the same process. Nothing of ours stays inside.
 */
export function bridged(
  argv: readonly string[],
  program: readonly string[],
  entries: readonly NetworkEntry[],
): readonly string[] {
  const [node = '', file = ''] = [program[0], program.at(-1)];
  return ['/bin/sh', '-c', bridgeScript, 'sh', node, file, portsOf(entries).join(','), ...argv];
}

/** The command outside: our own program, which starts the sandbox, is the proxy as long as that runs, and ends with it. */
export function supervised(
  argv: readonly string[],
  program: readonly string[],
  orders: string,
): readonly string[] {
  return [...program, 'supervise', orders, '--', ...argv];
}

const filterScript = 'exec "$@" 4<"$0"';

/** For a sandbox without any network, which needs no supervisor: only the filter is opened for it. */
export function filtered(argv: readonly string[], filter: string): readonly string[] {
  return ['/bin/sh', '-c', filterScript, filter, ...argv];
}

/** The commands without what was put around them, for people to read. */
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

/** Ports of the sandbox's own loopback at which something is found: the proxy first, then services of this machine. */
export function portsOf(entries: readonly NetworkEntry[]): readonly number[] {
  return [
    networkProxyPort,
    ...new Set(entries.filter(({isLocal}) => isLocal).flatMap(({ports}) => ports)),
  ];
}

/**
 * What programs inside must know. `ALL_PROXY` speaks HTTP as well: programs that know no SOCKS end when they are told of one. Old
 * spellings are read by some programs only, new ones by others.
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
