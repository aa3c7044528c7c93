import {lookup} from 'node:dns/promises';
import {connect, type Socket} from 'node:net';
import {networkInterfaces} from 'node:os';
import {isLoopback, type Host, type NetworkEntry} from '../base/index.ts';
import {isAddressAllowed, permissionFor, type RefusalReason} from './allow-list.ts';
import type {Target} from './parse-target.ts';

/** Outside of the sandbox: who is asked for the addresses of a name, and which addresses are this machine's own. */
export type Outside = {
  readonly resolve: (name: string) => Promise<readonly string[]>;
  readonly isOwn: (address: string) => boolean;
};

export const realOutside: Outside = {
  resolve: async (name) => (await lookup(name, {all: true})).map(({address}) => address),
  isOwn: (address) =>
    Object.values(networkInterfaces()).some(
      (addresses) => addresses?.some((own) => own.address === address) === true,
    ),
};

export type Opened =
  {readonly socket: Socket} | {readonly refused: RefusalReason} | {readonly failed: string};

const connectMs = 20_000;
/** Of a name with many addresses the first ones are tried. */
const maxAddresses = 4;

/**
 * Connects to where somebody wants to go, if that is allowed. The name is resolved here, once, after it was found in the list,
 * and the very address that was checked is connected to: a second answer could be another one.
 */
export async function openTarget(
  entries: readonly NetworkEntry[],
  {host: text, port}: Target,
  outside: Outside,
): Promise<Opened> {
  const permission = permissionFor(entries, text, port);
  if ('refused' in permission) return permission;
  const addresses = await addressesOf(permission.host, outside);
  if (addresses.length === 0) return {failed: `${permission.host.text} has no address`};
  const allowed = addresses.filter((address) =>
    isAddressAllowed(entries, address, port, outside.isOwn),
  );
  if (allowed.length === 0) return {refused: 'private-address'};
  let words = '';
  for (const address of allowed.slice(0, maxAddresses)) {
    const attempt = await open(address, port);
    if ('socket' in attempt) return attempt;
    words = attempt.failed;
  }

  return {failed: words};
}

async function addressesOf(host: Host, {resolve}: Outside): Promise<readonly string[]> {
  if (host.kind !== 'name') return [host.text];
  if (isLoopback(host)) return ['127.0.0.1', '::1'];
  return resolve(host.text).catch(() => []);
}

function open(
  address: string,
  port: number,
): Promise<{readonly socket: Socket} | {readonly failed: string}> {
  return new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    const timer = setTimeout(() => {
      socket.destroy(new Error(`no answer within ${connectMs / 1000} s`));
    }, connectMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve({socket});
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      resolve({failed: error.message});
    });
  });
}
