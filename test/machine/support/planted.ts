import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {TestContext} from 'node:test';
import type {Kernel} from '../../../source/machine/index.ts';
import {temporaryDirectory} from '../fixtures.ts';

export type PlantedProcess = {
  readonly pid: number;
  readonly name?: string;
  readonly state?: string;
  readonly parent?: number;
  readonly group?: number;
  readonly session?: number;
  /** A device number; 136 × 256 + n is `/dev/pts/n`. */
  readonly terminal?: number;
  readonly startTime?: number;
  readonly cpuTicks?: number;
  readonly flags?: number;
  readonly environ?: string;
  readonly cmdline?: string;
  /** Where its open files lead to; `hidden` for those that we may not see. */
  readonly files?: readonly string[] | 'hidden';
};

/** A small `/proc` of our own, where anything can be true. */
export type Planted = {
  readonly kernel: Kernel;
  readonly put: (...processes: readonly PlantedProcess[]) => void;
  readonly remove: (pid: number) => void;
  readonly putFile: (file: string, text: string) => void;
};

export const plantedBoot = '11111111-2222-3333-4444-555555555555';

export function plantProc(t: TestContext): Planted {
  const proc = temporaryDirectory(t);
  const putFile = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(proc, file)), {recursive: true});
    writeFileSync(path.join(proc, file), text);
  };

  putFile('sys/kernel/random/boot_id', `${plantedBoot}\n`);
  putFile('uptime', '1000.00 1990.00\n');
  putFile('net/tcp', '  sl  local_address rem_address   st\n');
  const remove = (pid: number): void => {
    rmSync(path.join(proc, String(pid)), {recursive: true, force: true});
  };

  return {
    kernel: {
      platform: 'linux',
      arch: 'x64',
      proc,
      path: '',
      uid: process.geteuid?.() ?? -1,
      now: () => 1_700_000_000_000,
    },
    remove,
    putFile,
    put: (...processes) => {
      for (const planted of processes) {
        remove(planted.pid);
        putFile(`${planted.pid}/stat`, statOf(planted));
        putFile(`${planted.pid}/environ`, planted.environ ?? '');
        putFile(`${planted.pid}/cmdline`, planted.cmdline ?? '');
        putFiles(path.join(proc, String(planted.pid), 'fd'), planted.files ?? []);
      }
    },
  };
}

/** A link that leads to itself cannot be read by anybody, root included. */
function putFiles(directory: string, files: readonly string[] | 'hidden'): void {
  if (files === 'hidden') {
    symlinkSync('fd', directory);
    return;
  }

  mkdirSync(directory);
  for (const [number, target] of files.entries())
    symlinkSync(target, path.join(directory, String(number)));
}

function statOf({
  pid,
  name = 'planted',
  state = 'S',
  parent = 1,
  group = pid,
  session = pid,
  terminal = 0,
  startTime = 1000,
  cpuTicks = 0,
  flags = 4_194_304,
}: PlantedProcess): string {
  const foreground = terminal === 0 ? -1 : group;
  return `${pid} (${name}) ${state} ${parent} ${group} ${session} ${terminal} ${foreground} ${flags} 1 0 0 0 ${cpuTicks} 0 0 0 20 0 1 0 ${startTime} 1000000 256 18446744073709551615 1 1 0\n`;
}
