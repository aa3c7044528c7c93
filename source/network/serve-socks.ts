import {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {endSoon} from './end-soon.ts';
import {joinSockets} from './join-sockets.ts';
import type {Opened} from './open-target.ts';
import {
  parseSocksGreeting,
  parseSocksRequest,
  socksCodes,
  socksReply,
  socksVersion,
} from './parse-socks.ts';
import type {Target} from './parse-target.ts';

/** The longest request there can be; more than that before an answer is nobody's protocol. */
const maxBytes = 1024;

/** SOCKS 5 without a login: the greeting, one request, and then what the request was for. */
export function serveSocks(
  socket: Socket,
  first: Buffer,
  openFor: (target: Target) => Promise<Opened>,
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
    if (bytes.length > maxBytes) {
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
    void connect(socket, request.value, bytes.subarray(request.size), openFor);
  };

  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.on('data', onData);
  onData(first);
  if (!socket.destroyed && socket.listeners('data').includes(onData)) socket.resume();
}

async function connect(
  socket: Socket,
  target: Target,
  early: Buffer,
  openFor: (target: Target) => Promise<Opened>,
): Promise<void> {
  const opened = await openFor(target);
  if ('socket' in opened) {
    socket.write(socksReply(socksCodes.granted));
    if (early.length > 0) opened.socket.write(early);
    joinSockets(socket, opened.socket);
    return;
  }

  endSoon(socket, socksReply('refused' in opened ? socksCodes.refused : socksCodes.unreachable));
}
