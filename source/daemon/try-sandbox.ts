import {askProgram, readSystem, type Asking, type System} from '../machine/index.ts';
import {readSandbox, sandboxOf, type SandboxFacts} from '../sandbox/index.ts';

/** Whether this machine lets us make a sandbox: shown by making one. */
export async function trySandbox(asking: Asking, system: System = readSystem()): Promise<SandboxFacts> {
  const sandbox = sandboxOf(system.platform);
  if (sandbox === undefined) return readSandbox(sandbox, {...system, succeeded: false, said: ''});
  const {file, outcome} = await askProgram(sandbox.command, sandbox.trial, asking);
  return readSandbox(sandbox, {...system, file, succeeded: outcome?.at === 'exited' && outcome.code === 0, said: outcome?.stderr ?? ''});
}
