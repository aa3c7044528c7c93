import {Buffer} from 'node:buffer';
import type {Target} from './parse-target.ts';

/** `more`: what has come is only a beginning. `size`: how many bytes it took. */
export type SocksReading<T> = 'more' | 'wrong' | {readonly value: T; readonly size: number};

export const socksVersion = 5;

/** Which ways to log in are offered; 0 is none. */
export function parseSocksGreeting(bytes: Buffer): SocksReading<{readonly isOpen: boolean}> {
  if (bytes[0] !== socksVersion) return 'wrong';
  const count = bytes[1];
  if (count === undefined || bytes.length < 2 + count) return 'more';
  return {value: {isOpen: bytes.subarray(2, 2 + count).includes(0)}, size: 2 + count};
}

/** `connect` is the only command that is carried out. */
export function parseSocksRequest(
  bytes: Buffer,
): SocksReading<Target & {readonly isConnect: boolean}> {
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
      host: hostOf(type ?? 0, bytes.subarray(4, 4 + length)),
      port: bytes.readUInt16BE(size - 2),
      isConnect: command === 1,
    },
    size,
  };
}

function hostOf(type: number, bytes: Buffer): string {
  if (type === 3) return bytes.subarray(1).toString('latin1');
  if (type === 1) return bytes.join('.');
  return Array.from({length: 8}, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(
    ':',
  );
}

export const socksCodes = {
  granted: 0,
  failed: 1,
  refused: 2,
  unreachable: 4,
  unknownCommand: 7,
} as const;

/** The address that is bound is nobody's business. */
export function socksReply(code: (typeof socksCodes)[keyof typeof socksCodes]): Buffer {
  return Buffer.from([socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}
