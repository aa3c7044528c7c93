import {askProgram, readSystem, type Asking, type System} from '../machine/index.ts';
import {readSandbox, sandboxOf, type NetworkFacts, type SandboxFacts} from '../sandbox/index.ts';

/** Whether this machine lets us make a sandbox: shown by making one. */
export async function trySandbox(asking: Asking, system: System = readSystem()): Promise<SandboxFacts> {
  const sandbox = sandboxOf(system.platform);
  if (sandbox === undefined) return readSandbox(sandbox, {...system, succeeded: false, said: ''});
  const {file, outcome} = await askProgram(sandbox.command, sandbox.trial, asking);
  const facts = readSandbox(sandbox, {...system, file, succeeded: outcome?.at === 'exited' && outcome.code === 0, said: outcome?.stderr ?? ''});
  return facts.at === 'works' && sandbox.networkTrial !== undefined ? {...facts, network: await tryNetwork(sandbox.command, sandbox.networkTrial, asking)} : facts;
}

async function tryNetwork(command: string, trial: readonly string[], asking: Asking): Promise<NetworkFacts> {
  const {outcome} = await askProgram(command, trial, asking);
  if (outcome?.at === 'exited' && outcome.code === 0) return {at: 'works'};
  return {at: 'broken', said: (outcome?.stderr ?? '').trim().split('\n')[0] ?? ''};
}
