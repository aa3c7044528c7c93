import {askProgram} from '../ask-program.ts';
import type {Fact} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import type {Listener} from './listener.ts';
import {lsofQuestion, readLsof} from './read-lsof.ts';
import {readNet} from './read-net.ts';
import {listening, readSocketTable} from './read-socket-table.ts';
import {readUnixTable, type UnixListener} from './read-unix-table.ts';

const lsofLimits = {timeoutMs: 5000, mostBytes: 4 * 1024 * 1024};

/** Every TCP socket of this network namespace that listens. Nobody is connected to: asking has no effect. */
export async function readListeners(kernel: Kernel): Promise<Fact<readonly Listener[]>> {
  const at = kernel.now();
  if (kernel.platform === 'darwin') return askLsof(kernel);
  const tables = await Promise.all([readNet('tcp', kernel), readNet('tcp6', kernel)]);
  const source = '/proc/net/tcp, /proc/net/tcp6';
  if (tables[0] === undefined)
    return {source, at, unknown: `${kernel.proc}/net/tcp cannot be read on ${kernel.platform}`};
  const value = tables
    .flatMap((table) => readSocketTable(table ?? '', ({state}) => state === listening))
    .map(({address, port, uid, inode}) => ({address, port, uid, inode}));
  return {source, at, value};
}

export async function readUnixListeners(kernel: Kernel): Promise<Fact<readonly UnixListener[]>> {
  const at = kernel.now();
  const table = await readNet('unix', kernel);
  return table === undefined
    ? {
        source: '/proc/net/unix',
        at,
        unknown: `${kernel.proc}/net/unix cannot be read on ${kernel.platform}`,
      }
    : {source: '/proc/net/unix', at, value: readUnixTable(table)};
}

async function askLsof(kernel: Kernel): Promise<Fact<readonly Listener[]>> {
  const at = kernel.now();
  const {outcome} = await askProgram('lsof', lsofQuestion, {
    env: {PATH: kernel.path, LC_ALL: 'C'},
    ...lsofLimits,
  });
  // It ends with 1 when it found nothing.
  if (outcome?.at !== 'exited' || outcome.code > 1)
    return {source: 'lsof', at, unknown: 'lsof did not answer'};
  return {source: 'lsof', at, value: readLsof(outcome.stdout)};
}
