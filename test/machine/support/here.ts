import {
  type Kernel,
  kernelOf,
  type Process,
  readProcess,
  readProcesses,
  type Sample,
} from '../../../source/machine/index.ts';

/** This machine's own kernel. */
export const kernel: Kernel = kernelOf({path: '/usr/bin:/bin', now: Date.now});

export async function takeSample(): Promise<Sample> {
  const all = await readProcesses(kernel);
  if ('unknown' in all) throw new Error(all.unknown);
  return {at: all.at, processes: all.value};
}

/** The process with that number, or nothing. */
export async function processAt(pid: number): Promise<Process | undefined> {
  const found = await readProcess(pid, kernel);
  if ('unknown' in found) throw new Error(found.unknown);
  return found.value;
}

export function isAlive(process: Process | undefined): process is Process {
  return process !== undefined && process.state !== 'Z' && process.state !== 'X';
}
