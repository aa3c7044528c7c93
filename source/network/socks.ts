import {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {endSoon, joinSockets, type Opened, type NetworkTarget} from './open-target.ts';

/** `more`: the message is incomplete. `size`: how many bytes it has. */
export type SocksParseResult<T> = 'more' | 'wrong' | {readonly value: T; readonly size: number};

export const socksVersion = 5;

/** The offered login methods; 0 is none. */
export function parseSocksGreeting(bytes: Buffer): SocksParseResult<{readonly isOpen: boolean}> {
  if (bytes[0] !== socksVersion) return 'wrong';
  const count = bytes[1];
  if (count === undefined || bytes.length < 2 + count) return 'more';
  return {value: {isOpen: bytes.subarray(2, 2 + count).includes(0)}, size: 2 + count};
}

/** Only the `connect` command is supported. */
export function parseSocksRequest(
  bytes: Buffer,
): SocksParseResult<NetworkTarget & {readonly isConnect: boolean}> {
  if (bytes.length < 5) return bytes.length > 0 && bytes[0] !== socksVersion ? 'wrong' : 'more';
  const [version, command, reserved, type, first = 0] = bytes;
  const length = ({1: 4, 3: 1 + first, 4: 16} as Readonly<Record<number, number>>)[type ?? 0];
  if (
    version !== socksVersion ||
    reserved !== 0 ||
    length === undefined ||
    (type === 3 && first === 0)
  )
    return 'wrong';
  const size = 4 + length + 2;
  if (bytes.length < size) return 'more';
  return {
    value: {
      host: formatSocksHost(type ?? 0, bytes.subarray(4, 4 + length)),
      port: bytes.readUInt16BE(size - 2),
      isConnect: command === 1,
    },
    size,
  };
}

function formatSocksHost(type: number, bytes: Buffer): string {
  if (type === 3) return bytes.subarray(1).toString('latin1');
  if (type === 1) return bytes.join('.');
  return Array.from({length: 8}, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(
    ':',
  );
}

export const socksCodes = {
  granted: 0,
  failed: 1,
  blocked: 2,
  unreachable: 4,
  unknownCommand: 7,
} as const;

/** The bound address is never disclosed. */
export function socksReply(code: (typeof socksCodes)[keyof typeof socksCodes]): Buffer {
  return Buffer.from([socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

/** More bytes than any SOCKS request has; a longer one is no SOCKS. */
const maxRequestBytes = 1024;

/** Serves SOCKS 5 without a login: the greeting, one request, then the tunnel. */
export function serveSocks(
  socket: Socket,
  first: Buffer,
  openFor: (target: NetworkTarget) => Promise<Opened>,
  withinMs: number,
): void {
  const timer = setTimeout(() => {
    socket.destroy();
  }, withinMs);
  let [bytes, isGreeted]: [Buffer, boolean] = [Buffer.alloc(0), false];
  const done = (): void => {
    clearTimeout(timer);
    socket.off('data', onData);
    socket.pause();
  };

  const end = (answer?: Buffer): void => {
    done();
    if (answer === undefined) socket.destroy();
    else endSoon(socket, answer);
  };

  const onData = (more: Buffer): void => {
    bytes = Buffer.concat([bytes, more]);
    if (bytes.length > maxRequestBytes) {
      end();
      return;
    }

    if (!isGreeted) {
      const greeting = parseSocksGreeting(bytes);
      if (greeting === 'more') return;
      if (greeting === 'wrong' || !greeting.value.isOpen) {
        end(Buffer.from([socksVersion, 0xff]));
        return;
      }

      isGreeted = true;
      bytes = bytes.subarray(greeting.size);
      socket.write(Buffer.from([socksVersion, 0]));
    }

    const request = parseSocksRequest(bytes);
    if (request === 'more') return;
    if (request === 'wrong' || !request.value.isConnect) {
      end(socksReply(request === 'wrong' ? socksCodes.failed : socksCodes.unknownCommand));
      return;
    }

    done();
    void connectTarget(socket, request.value, bytes.subarray(request.size), openFor);
  };

  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.on('data', onData);
  onData(first);
  if (!socket.destroyed && socket.listeners('data').includes(onData)) socket.resume();
}

async function connectTarget(
  socket: Socket,
  target: NetworkTarget,
  early: Buffer,
  openFor: (target: NetworkTarget) => Promise<Opened>,
): Promise<void> {
  const opened = await openFor(target);
  if ('socket' in opened) {
    socket.write(socksReply(socksCodes.granted));
    if (early.length > 0) opened.socket.write(early);
    joinSockets(socket, opened.socket);
    return;
  }

  endSoon(socket, socksReply('blocked' in opened ? socksCodes.blocked : socksCodes.unreachable));
}
