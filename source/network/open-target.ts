import type {Buffer} from 'node:buffer';
import {type Socket, connect} from 'node:net';
import {lookup} from 'node:dns/promises';
import {networkInterfaces} from 'node:os';
import {type Host, isLoopback, type NetworkEntry} from '../shared/index.ts';
import type {NetworkRefusal} from '../domain/index.ts';
import {isAddressAllowed, permissionFor} from './allow-list.ts';

/** A client that does not read the last message within this time loses it. */
const endWithinMs = 2000;

/** Sends a last message and ends the connection, even if the other side keeps its half open. */
export function endSoon(socket: Socket, text: string | Buffer): void {
  const timer = setTimeout(() => {
    socket.destroy();
  }, endWithinMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end(text);
  // Incoming data is read and dropped, otherwise the end would never be seen.
  socket.resume();
}

/** An idle tunnel is closed after this time. */
const idleMs = 60 * 60 * 1000;

/**
 * Passes bytes both ways until both sides have ended; when one breaks, the other is ended too. A
 * slow reader slows the other side down.
 */
export function joinSockets(inside: Socket, outside: Socket): void {
  for (const [one, other] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    one.setTimeout(idleMs, () => {
      one.destroy();
    });
    one.on('error', () => {
      one.destroy();
    });
    one.once('close', () => {
      other.destroy();
    });
    one.pipe(other);
  }
}

/** The network outside of the sandbox: name resolution, and this machine's own addresses. */
export type AddressLookup = {
  readonly resolve: (name: string) => Promise<readonly string[]>;
  readonly isOwn: (address: string) => boolean;
};

export const realOutside: AddressLookup = {
  resolve: async (name) => (await lookup(name, {all: true})).map(({address}) => address),
  isOwn: (address) =>
    Object.values(networkInterfaces()).some(
      (addresses) => addresses?.some((own) => own.address === address) === true,
    ),
};

export type Opened =
  {readonly socket: Socket} | {readonly blocked: NetworkRefusal} | {readonly failed: string};

const connectMs = 20_000;
/** Only this many addresses of a name are tried. */
const maxAddresses = 4;

/**
 * Connects to a target if that is allowed. The name is resolved once, after it was found in the
 * list, and the connection goes to the checked address: a second DNS answer could differ.
 */
export async function openTarget(
  entries: readonly NetworkEntry[],
  {host: text, port}: NetworkTarget,
  outside: AddressLookup,
): Promise<Opened> {
  const permission = permissionFor(entries, text, port);
  if ('blocked' in permission) return permission;
  const addresses = await resolveAddresses(permission.host, outside);
  if (addresses.length === 0) return {failed: `${permission.host.text} has no address`};
  const allowed = addresses.filter((address) =>
    isAddressAllowed(entries, address, port, outside.isOwn),
  );
  if (allowed.length === 0) return {blocked: 'private-address'};
  let message = '';
  for (const address of allowed.slice(0, maxAddresses)) {
    const attempt = await connectTo(address, port);
    if ('socket' in attempt) return attempt;
    message = attempt.failed;
  }

  return {failed: message};
}

async function resolveAddresses(host: Host, {resolve}: AddressLookup): Promise<readonly string[]> {
  if (host.kind !== 'name') return [host.text];
  if (isLoopback(host)) return ['127.0.0.1', '::1'];
  return resolve(host.text).catch(() => []);
}

function connectTo(
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

/** A requested target, not yet checked. */
export type NetworkTarget = {readonly host: string; readonly port: number};

/** Parses `host:port` of a CONNECT request. */
export function parseAuthority(text: string): NetworkTarget | undefined {
  const found =
    /^(?<host>\[[0-9A-Fa-f:.]{2,45}\]|[^\s:[\]/?#@\\]{1,255}):(?<port>[1-9]\d{0,4})$/.exec(
      text,
    )?.groups;
  const port = Number(found?.['port']);
  return found === undefined || port > 65_535 ? undefined : {host: found['host'] ?? '', port};
}

/** Parses `http://host[:port]/path` of a proxy request. The path is passed on unchanged. */
export function parseAbsoluteUrl(
  text: string,
): (NetworkTarget & {readonly path: string; readonly authority: string}) | undefined {
  const found = /^http:\/\/(?<authority>[^\s/?#@\\]{1,300})(?<path>[/?][^\s#\\]*)?$/i.exec(
    text,
  )?.groups;
  if (found === undefined) return undefined;
  const authority = found['authority'] ?? '';
  const target = parseAuthority(
    /:\d+$/.test(authority.replace(/^\[.*\]/, '')) ? authority : `${authority}:80`,
  );
  const path = found['path'] ?? '/';
  return target && {...target, authority, path: path.startsWith('?') ? `/${path}` : path};
}
