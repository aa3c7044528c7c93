import {readlinkSync} from 'node:fs';
import {askProgram} from '../ask-program.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {readPairs} from './read-pairs.ts';

/** `hasLeft`: nobody has the other end open any more. `isBlind`: the kernel could not be asked, whoever it is. */
export type UnknownPeer = {
  readonly unknown: string;
  readonly hasLeft?: true;
  readonly isBlind?: true;
};

/** Where `ss` is, though a person's PATH may not lead there. */
export const systemPath = '/usr/bin:/bin:/usr/sbin:/sbin';

/** Some thousand connections. Whoever has made more of them could push the true row out of sight. */
const mostBytes = 4 * 1024 * 1024;

/**
 * The inode of the socket at the other end of a connection of our own. Node can't ask for SO_PEERCRED and `/proc/net/unix`
 * does not tell who is connected to whom, so `ss` asks the kernel (sock_diag). Its own list of processes is not asked for:
 * it prints their names, which they choose, and takes three times as long.
 */
export async function findOtherEnd(fd: number, kernel: Kernel): Promise<number | UnknownPeer> {
  const link = valueOf(lookAt(() => readlinkSync(`${kernel.proc}/self/fd/${fd}`))) ?? '';
  const near = /^socket:\[(?<inode>\d+)\]$/.exec(link)?.groups?.['inode'];
  if (near === undefined) return {unknown: 'the connection is closed', hasLeft: true};
  const search = {PATH: `${kernel.path}:${systemPath}`, LC_ALL: 'C', COLUMNS: '400'};
  const {file, outcome} = await askProgram('ss', ['-xHn'], {
    env: search,
    timeoutMs: 5000,
    mostBytes,
  });
  if (file === undefined)
    return {unknown: 'ss was not found; install the package iproute2', isBlind: true};
  if (outcome?.at !== 'exited' || outcome.code !== 0)
    return {unknown: `${file} did not tell who is connected`, isBlind: true};
  if (Buffer.byteLength(outcome.stdout) >= mostBytes)
    return {
      unknown: 'there are too many connections on this machine to tell them apart',
      isBlind: true,
    };
  const pairs = readPairs(outcome.stdout);
  const far = onlyOne(pairs.get(Number(near)));
  if (far === undefined)
    return {unknown: 'the kernel does not list the connection, or something else claims to be it'};
  if (far === 0) return {unknown: 'the other end has already gone', hasLeft: true};
  return onlyOne(pairs.get(far)) === Number(near)
    ? far
    : {unknown: 'the other end does not lead back to the connection'};
}

function onlyOne(numbers: readonly number[] | undefined): number | undefined {
  return numbers?.length === 1 ? numbers[0] : undefined;
}
