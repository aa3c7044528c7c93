import {
  getKernel,
  type Kernel,
  type Process,
  type ProcessSample,
  readProcess,
  readProcesses,
} from '../../../source/system/index.ts';

/** The kernel of this machine. */
export const kernel: Kernel = getKernel({path: '/usr/bin:/bin', now: Date.now});

export async function takeSample(): Promise<ProcessSample> {
  const all = await readProcesses(kernel);
  if ('unknown' in all) throw new Error(all.unknown);
  return {at: all.at, processes: all.value};
}

/** The process with this pid, or undefined. */
export async function processAt(pid: number): Promise<Process | undefined> {
  const found = await readProcess(pid, kernel);
  if ('unknown' in found) throw new Error(found.unknown);
  return found.value;
}

export function isAlive(process: Process | undefined): process is Process {
  return process !== undefined && process.state !== 'Z' && process.state !== 'X';
}
