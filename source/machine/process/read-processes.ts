import {askProgram} from '../ask-program.ts';
import type {Fact} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import type {Process} from './process.ts';
import {readBoot} from './read-boot.ts';
import {readAllFromProc, readFromProc} from './read-proc.ts';
import {psNamesQuestion, psQuestion, readPs} from './read-ps.ts';

const psLimits = {timeoutMs: 5000, mostBytes: 4 * 1024 * 1024};

/** Every process, in one pass. Two of these, some time apart, tell who used the processor. */
export async function readProcesses(kernel: Kernel): Promise<Fact<readonly Process[]>> {
  const at = kernel.now();
  if (kernel.platform === 'darwin') return askPs(kernel);
  const boot = kernel.platform === 'linux' ? readBoot(kernel) : undefined;
  if (boot === undefined)
    return {
      source: kernel.proc,
      at,
      unknown: `the kernel's boot cannot be read under ${kernel.proc} on ${kernel.platform}`,
    };
  return {source: kernel.proc, at, value: await readAllFromProc(boot, kernel)};
}

/** Nothing as its value: there is no such process. */
export async function readProcess(pid: number, kernel: Kernel): Promise<Fact<Process | undefined>> {
  if (kernel.platform !== 'linux') {
    const all = await readProcesses(kernel);
    return 'unknown' in all
      ? all
      : {...all, value: all.value.find(({identity}) => identity.pid === pid)};
  }

  const at = kernel.now();
  const boot = readBoot(kernel);
  if (boot === undefined)
    return {
      source: kernel.proc,
      at,
      unknown: `the kernel's boot cannot be read under ${kernel.proc}`,
    };
  return {source: `${kernel.proc}/${pid}/stat`, at, value: readFromProc(pid, boot, kernel)};
}

/** Unverified: there was no Mac to try it on. */
async function askPs(kernel: Kernel): Promise<Fact<readonly Process[]>> {
  const at = kernel.now();
  const ask = async (command: string, argv: readonly string[]): Promise<string | undefined> => {
    const {outcome} = await askProgram(command, argv, {
      env: {PATH: kernel.path, LC_ALL: 'C'},
      ...psLimits,
    });
    return outcome?.at === 'exited' && outcome.code === 0 ? outcome.stdout : undefined;
  };

  const [table, names, bootId] = await Promise.all([
    ask('ps', psQuestion),
    ask('ps', psNamesQuestion),
    ask('sysctl', ['-n', 'kern.bootsessionuuid']),
  ]);
  if (table === undefined || names === undefined || bootId === undefined)
    return {source: 'ps', at, unknown: 'ps or sysctl did not answer'};
  return {source: 'ps', at, value: readPs(table, names, bootId.trim())};
}
