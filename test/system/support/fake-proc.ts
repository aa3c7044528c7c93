import path from 'node:path';
import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import type {Kernel} from '../../../source/system/index.ts';
import {temporaryDirectory} from '../fixtures.ts';

export type FakeProcess = {
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
  /** Targets of its open files; `hidden` when we may not read them. */
  readonly files?: readonly string[] | 'hidden';
};

/** A small `/proc` in a temporary directory, with any content. */
export type FakeProc = {
  readonly kernel: Kernel;
  readonly put: (...processes: readonly FakeProcess[]) => void;
  readonly remove: (pid: number) => void;
  readonly putFile: (file: string, text: string) => void;
};

export const fakeBootId = '11111111-2222-3333-4444-555555555555';

export function createFakeProc(t: TestContext): FakeProc {
  const proc = temporaryDirectory(t);
  const putFile = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(proc, file)), {recursive: true});
    writeFileSync(path.join(proc, file), text);
  };

  putFile('sys/kernel/random/boot_id', `${fakeBootId}\n`);
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
      for (const one of processes) {
        remove(one.pid);
        putFile(`${one.pid}/stat`, getStat(one));
        putFile(`${one.pid}/environ`, one.environ ?? '');
        putFile(`${one.pid}/cmdline`, one.cmdline ?? '');
        putFiles(path.join(proc, String(one.pid), 'fd'), one.files ?? []);
      }
    },
  };
}

/** Not even root can read a link to itself. */
function putFiles(directory: string, files: readonly string[] | 'hidden'): void {
  if (files === 'hidden') {
    symlinkSync('fd', directory);
    return;
  }

  mkdirSync(directory);
  for (const [number, target] of files.entries())
    symlinkSync(target, path.join(directory, String(number)));
}

function getStat({
  pid,
  name = 'fake',
  state = 'S',
  parent = 1,
  group = pid,
  session = pid,
  terminal = 0,
  startTime = 1000,
  cpuTicks = 0,
  flags = 4_194_304,
}: FakeProcess): string {
  const foreground = terminal === 0 ? -1 : group;
  return `${pid} (${name}) ${state} ${parent} ${group} ${session} ${terminal} ${foreground} ${flags} 1 0 0 0 ${cpuTicks} 0 0 0 20 0 1 0 ${startTime} 1000000 256 18446744073709551615 1 1 0\n`;
}
