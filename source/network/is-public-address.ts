import {BlockList} from 'node:net';
import type {Host} from '../base/index.ts';

/** What the registries of special addresses (RFC 6890 and after) keep from the public network, and what leads elsewhere than it says. */
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

/** Inside of 2000::/3, where all public addresses are: Teredo and its like, examples, and 6to4, which holds an address of IPv4. */
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

/** Whether an address belongs to the public network; everything else is this machine, a private network, a cloud's metadata, or nobody. */
export function isPublicAddress({kind, text}: Host): boolean {
  if (kind === 'ipv4') return !special.check(text, 'ipv4');
  return kind === 'ipv6' && publicIpv6.check(text, 'ipv6') && !special.check(text, 'ipv6');
}
