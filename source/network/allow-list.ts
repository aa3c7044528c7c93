import {BlockList} from 'node:net';
import {type Host, isLoopback, type NetworkEntry, parseHost} from '../shared/index.ts';
import type {NetworkRefusal} from '../domain/index.ts';

/**
 * Address ranges that are not public according to the special-purpose registries (RFC 6890 and
 * later), and ranges that translate to other addresses.
 */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Special ranges inside of 2000::/3, which has all public addresses: Teredo and similar,
 * documentation, and 6to4, which embeds an IPv4 address.
 */
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [address, bits] of special4) special.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of special6) special.addSubnet(address, bits, 'ipv6');
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is public. All others are this machine, a private network, a cloud's metadata
 * service, or unused.
 */
export function isPublicAddress({kind, text}: Host): boolean {
  if (kind === 'ipv4') return !special.check(text, 'ipv4');
  return kind === 'ipv6' && publicIpv6.check(text, 'ipv6') && !special.check(text, 'ipv6');
}

export type Permission = {readonly host: Host} | {readonly blocked: NetworkRefusal};

/**
 * Whether a host and port are listed. Unlisted names are never resolved: the DNS query itself would
 * leak data.
 */
export function permissionFor(
  entries: readonly NetworkEntry[],
  text: string,
  port: number,
): Permission {
  const host = parseHost(text);
  if (host === undefined) return {blocked: 'not-a-host'};
  const named = entries.filter((entry) => isNamedBy(entry, host));
  if (named.some(({ports}) => ports.includes(port))) return {host};
  return {blocked: named.length === 0 ? 'not-listed' : 'port-not-listed'};
}

/**
 * Whether an address of a listed name may be connected to. A private address must be listed itself,
 * with the port: the owner of a name decides where it points, and could point it at this machine or
 * a private network.
 */
export function isAddressAllowed(
  entries: readonly NetworkEntry[],
  address: string,
  port: number,
  isOwn: (address: string) => boolean,
): boolean {
  const host = parseHost(address);
  if (host === undefined || host.kind === 'name') return false;
  if (isPublicAddress(host) && !isOwn(host.text)) return true;
  return entries.some(
    (entry) =>
      entry.ports.includes(port) &&
      (isNamedBy(entry, host) ||
        (isLoopback(entry.host) && entry.host.kind === 'name' && isLoopback(host))),
  );
}

function isNamedBy({host: listed, isWildcard}: NetworkEntry, host: Host): boolean {
  if (isWildcard) return host.kind === 'name' && host.text.endsWith(`.${listed.text}`);
  return listed.kind === host.kind && listed.text === host.text;
}
