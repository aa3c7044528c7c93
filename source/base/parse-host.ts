/** A host in the one form in which hosts are compared: a name in small letters, or an address. */
export type Host = {readonly kind: 'name' | 'ipv4' | 'ipv6'; readonly text: string};

/**
 * Reads a host strictly. What programs read in several ways (`127.1`, `0x7f000001`, `0177.0.0.1`, zones, blanks, percent signs)
 * is no host here: what was checked must be what is connected to.
 */
export function parseHost(text: string): Host | undefined {
  const isBracketed = text.startsWith('[') && text.endsWith(']');
  const bare = isBracketed ? text.slice(1, -1) : text;
  if (bare.includes(':')) return parseIpv6(bare);
  return isBracketed ? undefined : parseNameOrIpv4(bare.toLowerCase().replace(/\.$/, ''));
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** As a last label it makes the whole an address for `inet_aton`, and so for many programs. */
const number = /^(?:\d+|0x[0-9a-f]*)$/;

function parseNameOrIpv4(text: string): Host | undefined {
  if (ipv4.test(text)) return {kind: 'ipv4', text};
  if (text.length > 253) return undefined;
  const labels = text.split('.');
  return labels.every((part) => label.test(part)) && !number.test(labels.at(-1) ?? '')
    ? {kind: 'name', text}
    : undefined;
}

function parseIpv6(text: string): Host | undefined {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return undefined;
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (canonical === undefined) return undefined;
  const mapped = /^::ffff:(?<high>[0-9a-f]{1,4}):(?<low>[0-9a-f]{1,4})$/.exec(canonical)?.groups;
  // The kernel connects to the address inside, so it is that address.
  return mapped === undefined
    ? {kind: 'ipv6', text: canonical}
    : {
        kind: 'ipv4',
        text: [mapped['high'], mapped['low']].flatMap((group) => bytesOf(group ?? '0')).join('.'),
      };
}

function bytesOf(group: string): [number, number] {
  const value = Number.parseInt(group, 16);
  return [Math.floor(value / 256), value % 256];
}
