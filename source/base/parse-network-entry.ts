import {parseHost, type Host} from './parse-host.ts';

/** One line of a list of hosts that may be reached. */
export type NetworkEntry = {
  /** As it is written down: in small letters, addresses in their usual form. */
  readonly text: string;
  readonly host: Host;
  /** `*.github.com`: every name below it, and not the name itself. */
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
  /** A service on this machine: it is offered inside at the same port. */
  readonly isLocal: boolean;
};

export type NetworkEntryReading = {readonly entry: NetworkEntry} | {readonly refused: string};

/** Where a sandboxed program finds the proxy, on its own loopback: above the ports that the kernel hands out by itself. */
export const networkProxyPort = 61_080;

/** What an entry without a port means. */
export const usualPorts: readonly number[] = [80, 443];

/** Refusals go on after the entry. */
export function parseNetworkEntry(text: string): NetworkEntryReading {
  if (text === '*') return {refused: 'is every host; write "network: all" for that.'};
  if (text.includes('/'))
    return {refused: 'is more than a host; write the host alone, such as registry.npmjs.org.'};
  const {name, port} = splitPort(text);
  if (port !== undefined && (port < 1 || port > 65_535))
    return {refused: 'has no port from 1 to 65535.'};
  const isWildcard = name.startsWith('*.');
  const host = parseHost(isWildcard ? name.slice(2) : name);
  if (host === undefined || (isWildcard && (host.kind !== 'name' || !host.text.includes('.')))) {
    return {
      refused:
        'is not a host; write a name (registry.npmjs.org, *.github.com), an address (10.0.0.5, [fd00::1]:8080), or localhost with a port, without wildcards elsewhere.',
    };
  }

  const isLocal = !isWildcard && isLoopback(host);
  if (isLocal && (port === undefined || port < 1024 || port === networkProxyPort)) {
    return {
      refused: `names this machine; add the port of the service, 1024 or above and not ${networkProxyPort}, such as localhost:3000.`,
    };
  }

  const shown = `${isWildcard ? '*.' : ''}${host.kind === 'ipv6' && port !== undefined ? `[${host.text}]` : host.text}`;
  return {
    entry: {
      text: port === undefined ? shown : `${shown}:${port}`,
      host,
      isWildcard,
      ports: port === undefined ? usualPorts : [port],
      isLocal,
    },
  };
}

/** Those of the texts that can be read. */
export function networkEntriesOf(texts: readonly string[]): readonly NetworkEntry[] {
  return texts.flatMap((text) => {
    const reading = parseNetworkEntry(text);
    return 'entry' in reading ? [reading.entry] : [];
  });
}

/** This machine, as seen from itself. */
export function isLoopback({kind, text}: Host): boolean {
  return kind === 'name'
    ? text === 'localhost' || text.endsWith('.localhost')
    : text === '::1' || (kind === 'ipv4' && text.startsWith('127.'));
}

/** Two colons without brackets are an address of IPv6, and no port. */
function splitPort(text: string): {readonly name: string; readonly port?: number} {
  const found = /^(?<name>\[[^\]]*\]|[^:[\]]*):(?<port>\d{1,5})$/.exec(text)?.groups;
  return found === undefined
    ? {name: text}
    : {name: found['name'] ?? '', port: Number(found['port'])};
}
