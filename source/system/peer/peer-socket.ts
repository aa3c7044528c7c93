import {readlinkSync} from 'node:fs';
import type {Socket} from 'node:net';
import {askProgram} from '../programs.ts';
import {getValue, type Kernel, mapInSlices, tryRead} from '../kernel.ts';
import {fromAnyThread, readSocketInodes} from '../processes/proc.ts';
import {isDead, type Process} from '../processes/process.ts';

/**
 * A row of `ss -xHn` ends with our inode, `*` and the peer's inode. Before them is a socket name
 * that any user can choose.
 */
const pairRow = /^u_str +ESTAB +\d+ +\d+ .*\s(?<near>\d+) +\* +(?<far>\d+) *$/;

/**
 * inode → peer inodes. More than one means that a socket name with a line break forged a row: then
 * nothing is certain.
 */
export function parseSocketPairs(text: string): ReadonlyMap<number, readonly number[]> {
  const pairs = new Map<number, number[]>();
  for (const line of text.split('\n')) {
    const {near, far} = pairRow.exec(line)?.groups ?? {};
    if (near !== undefined && far !== undefined)
      pairs.set(Number(near), [...(pairs.get(Number(near)) ?? []), Number(far)]);
  }

  return pairs;
}

/**
 * `hasLeft`: no process has the other end open any more. `isBlind`: the kernel could not be asked
 * at all.
 */
export type UnknownPeer = {
  readonly unknown: string;
  readonly hasLeft?: true;
  readonly isBlind?: true;
};

/** Directories of `ss`, which may be missing from the person's PATH. */
export const systemPath = '/usr/bin:/bin:/usr/sbin:/sbin';

/** Enough for some thousand connections. With more, the true row could be cut off. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The inode of the peer socket of one of our connections. Node cannot read SO_PEERCRED and
 * `/proc/net/unix` does not pair sockets, so `ss` asks the kernel (sock_diag). `ss -p` is not used:
 * it prints process names, which processes choose, and takes three times as long.
 *
 * While other sockets come and go, the kernel's listing can miss a socket or name it twice. So an
 * uncertain answer is asked for again, and then two answers in a row must agree.
 */
export async function findOtherEnd(fd: number, kernel: Kernel): Promise<number | UnknownPeer> {
  let answer = await askOtherEnd(fd, kernel);
  if (!isUncertain(answer)) return answer;
  for (let asked = 0; asked < maxRepeats; asked++) {
    const next = await askOtherEnd(fd, kernel);
    if (typeof next !== 'number' && !isUncertain(next)) return next;
    if (typeof next === 'number' && next === answer) return next;
    answer = next;
  }

  return typeof answer === 'number' ? {unknown: notListed} : answer;
}

const maxRepeats = 5;
const notListed = 'the kernel does not list the connection, or lists it twice';

/** The connection may be as it should, and the listing wrong. */
function isUncertain(answer: number | UnknownPeer): boolean {
  return typeof answer !== 'number' && answer.hasLeft !== true && answer.isBlind !== true;
}

async function askOtherEnd(fd: number, kernel: Kernel): Promise<number | UnknownPeer> {
  const link = getValue(tryRead(() => readlinkSync(`${kernel.proc}/self/fd/${fd}`))) ?? '';
  const near = /^socket:\[(?<inode>\d+)\]$/.exec(link)?.groups?.['inode'];
  if (near === undefined) return {unknown: 'the connection is closed', hasLeft: true};
  const search = {PATH: `${kernel.path}:${systemPath}`, LC_ALL: 'C', COLUMNS: '400'};
  const {file, outcome} = await askProgram('ss', ['-xHn'], {
    env: search,
    timeoutMs: 5000,
    maxBytes,
  });
  if (file === undefined)
    return {unknown: 'ss was not found; install the package iproute2', isBlind: true};
  if (outcome?.at !== 'exited' || outcome.code !== 0)
    return {unknown: `${file} did not tell who is connected`, isBlind: true};
  if (Buffer.byteLength(outcome.stdout) >= maxBytes)
    return {
      unknown: 'there are too many connections on this machine to tell them apart',
      isBlind: true,
    };
  const pairs = parseSocketPairs(outcome.stdout);
  const far = onlyOne(pairs.get(Number(near)));
  if (far === undefined) return {unknown: notListed};
  if (far === 0) return {unknown: 'the other end has already gone', hasLeft: true};
  return onlyOne(pairs.get(far)) === Number(near)
    ? far
    : {unknown: 'the other end does not lead back to the connection'};
}

function onlyOne(numbers: readonly number[] | undefined): number | undefined {
  return numbers?.length === 1 ? numbers[0] : undefined;
}

/**
 * Every process that has the socket open. Forked children inherit it, and each of them can write to
 * it.
 */
export function findConnectionHolders(
  inode: number,
  processes: readonly Process[],
  kernel: Kernel,
): Promise<Process[]> {
  const holds = ({identity: {pid}}: Process): boolean =>
    fromAnyThread(pid, kernel, readSocketInodes)?.includes(inode) === true;
  return mapInSlices(processes, (process) =>
    !isDead(process) && holds(process) ? process : undefined,
  );
}

/**
 * The file descriptor of a socket in this process. Node keeps it in `_handle.fd`, which is not
 * public but has always been there (`test/system/peer/find-peer.test.ts` checks it). A closed
 * socket has none or -1.
 */
export function getSocketFd(socket: Socket): number | undefined {
  const {_handle: handle} = socket as unknown as {
    readonly _handle?: {readonly fd?: unknown} | null;
  };
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
