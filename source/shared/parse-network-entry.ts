/** A host in canonical form, for comparison: a lower-case name, or an address. */
export type Host = {readonly kind: 'name' | 'ipv4' | 'ipv6'; readonly text: string};

/**
 * Parses a host strictly. Forms that programs interpret differently (`127.1`, `0x7f000001`,
 * `0177.0.0.1`, zones, blanks, percent signs) are rejected, so that the checked host is the one
 * that is connected to.
 */
export function parseHost(text: string): Host | undefined {
  const isBracketed = text.startsWith('[') && text.endsWith(']');
  const bare = isBracketed ? text.slice(1, -1) : text;
  if (bare.includes(':')) return parseIpv6(bare);
  return isBracketed ? undefined : parseNameOrIpv4(bare.toLowerCase().replace(/\.$/, ''));
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** As the last label it makes the name an address for `inet_aton`, which many programs use. */
const numericLabel = /^(?:\d+|0x[0-9a-f]*)$/;

function parseNameOrIpv4(text: string): Host | undefined {
  if (ipv4.test(text)) return {kind: 'ipv4', text};
  if (text.length > 253) return undefined;
  const labels = text.split('.');
  return labels.every((part) => hostLabel.test(part)) && !numericLabel.test(labels.at(-1) ?? '')
    ? {kind: 'name', text}
    : undefined;
}

function parseIpv6(text: string): Host | undefined {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return undefined;
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (canonical === undefined) return undefined;
  const mapped = /^::ffff:(?<high>[0-9a-f]{1,4}):(?<low>[0-9a-f]{1,4})$/.exec(canonical)?.groups;
  // The kernel connects to the embedded IPv4 address.
  return mapped === undefined
    ? {kind: 'ipv6', text: canonical}
    : {
        kind: 'ipv4',
        text: [mapped['high'], mapped['low']].flatMap((group) => toBytes(group ?? '0')).join('.'),
      };
}

function toBytes(group: string): [number, number] {
  const value = Number.parseInt(group, 16);
  return [Math.floor(value / 256), value % 256];
}

/** One entry of a list of allowed hosts. */
export type NetworkEntry = {
  /** The entry in canonical form. */
  readonly text: string;
  readonly host: Host;
  /** `*.github.com`: every subdomain, but not the name itself. */
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
  /** A service on this machine, reachable in the sandbox on the same port. */
  readonly isLocal: boolean;
};

export type NetworkEntryParseResult = {readonly entry: NetworkEntry} | {readonly rejected: string};

/** The proxy's port on the sandbox's loopback, above the kernel's ephemeral ports. */
export const networkProxyPort = 61_080;

/** The ports of an entry that names none. */
export const defaultNetworkPorts: readonly number[] = [80, 443];

/** A rejection is a sentence that continues after the entry. */
export function parseNetworkEntry(text: string): NetworkEntryParseResult {
  if (text === '*') return {rejected: 'is every host; write "network: all" for that.'};
  if (text.includes('/'))
    return {rejected: 'is more than a host; write the host alone, such as registry.npmjs.org.'};
  const {name, port} = splitPort(text);
  if (port !== undefined && (port < 1 || port > 65_535))
    return {rejected: 'has no port from 1 to 65535.'};
  const isWildcard = name.startsWith('*.');
  const host = parseHost(isWildcard ? name.slice(2) : name);
  if (host === undefined || (isWildcard && (host.kind !== 'name' || !host.text.includes('.')))) {
    return {
      rejected:
        'is not a host; write a name (registry.npmjs.org, *.github.com), an address ' +
        '(10.0.0.5, [fd00::1]:8080), or localhost with a port, without wildcards ' +
        'elsewhere.',
    };
  }

  const isLocal = !isWildcard && isLoopback(host);
  if (isLocal && (port === undefined || port < 1024 || port === networkProxyPort)) {
    return {
      rejected:
        'names this machine; add the port of the service, 1024 or above and not ' +
        `${networkProxyPort}, such as localhost:3000.`,
    };
  }

  const shown = `${isWildcard ? '*.' : ''}${host.kind === 'ipv6' && port !== undefined ? `[${host.text}]` : host.text}`;
  return {
    entry: {
      text: port === undefined ? shown : `${shown}:${port}`,
      host,
      isWildcard,
      ports: port === undefined ? defaultNetworkPorts : [port],
      isLocal,
    },
  };
}

/** Drops the texts that are not valid entries. */
export function parseNetworkEntries(texts: readonly string[]): readonly NetworkEntry[] {
  return texts.flatMap((text) => {
    const parsed = parseNetworkEntry(text);
    return 'entry' in parsed ? [parsed.entry] : [];
  });
}

export function isLoopback({kind, text}: Host): boolean {
  return kind === 'name'
    ? text === 'localhost' || text.endsWith('.localhost')
    : text === '::1' || (kind === 'ipv4' && text.startsWith('127.'));
}

/** Two colons without brackets are an IPv6 address, not a port. */
function splitPort(text: string): {readonly name: string; readonly port?: number} {
  const found = /^(?<name>\[[^\]]*\]|[^:[\]]*):(?<port>\d{1,5})$/.exec(text)?.groups;
  return found === undefined
    ? {name: text}
    : {name: found['name'] ?? '', port: Number(found['port'])};
}
