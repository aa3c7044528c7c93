import {isLoopback, parseHost, type Host, type NetworkEntry} from '../base/index.ts';
import type {NetworkRefusal} from '../domain/index.ts';
import {isPublicAddress} from './is-public-address.ts';

/** Why something was refused. */
export type RefusalReason = NetworkRefusal;

export type Permission = {readonly host: Host} | {readonly refused: RefusalReason};

/** Whether a host and a port may be asked for at all. Nothing is resolved for what is not listed: a question to a name server tells, too. */
export function permissionFor(
  entries: readonly NetworkEntry[],
  text: string,
  port: number,
): Permission {
  const host = parseHost(text);
  if (host === undefined) return {refused: 'not-a-host'};
  const named = entries.filter((entry) => isNamedBy(entry, host));
  if (named.some(({ports}) => ports.includes(port))) return {host};
  return {refused: named.length === 0 ? 'not-listed' : 'port-not-listed'};
}

/**
 * Whether an address that a listed name stands for may be connected to. One that is not public must be listed itself, with the
 * port: whoever owns a name decides what it stands for, and could let it lead to this machine or into a private network.
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
