import type {Kernel} from '../kernel.ts';
import {isSameProcess, type Process} from './process.ts';
import {readBoot} from './read-boot.ts';
import {readFromProc} from './read-proc.ts';
import {readProcesses} from './read-processes.ts';
import type {Sample} from './usage-between.ts';

/** The same processes a moment later, those that are still there; on Linux nobody else is looked at. */
export async function readAgain(processes: readonly Process[], kernel: Kernel): Promise<Sample> {
  const at = kernel.now();
  const now = new Map(
    (await readNow(processes, kernel)).map((process) => [process.identity.pid, process]),
  );
  return {
    at,
    processes: processes.flatMap(({identity}) => {
      const same = now.get(identity.pid);
      return same !== undefined && isSameProcess(same.identity, identity) ? [same] : [];
    }),
  };
}

async function readNow(processes: readonly Process[], kernel: Kernel): Promise<readonly Process[]> {
  const boot = kernel.platform === 'linux' ? readBoot(kernel) : undefined;
  if (boot !== undefined)
    return processes.flatMap(({identity}) => readFromProc(identity.pid, boot, kernel) ?? []);
  const all = await readProcesses(kernel);
  return 'value' in all ? all.value : [];
}
