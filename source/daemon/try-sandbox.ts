import {askProgram, readSystem} from '../machine/index.ts';
import {readSandbox, sandboxOf, type SandboxFacts} from '../sandbox/index.ts';

const trialMs = 5000;

/** Whether this machine lets us make a sandbox: shown by making one. */
export async function trySandbox({env, root}: {readonly env: Readonly<Record<string, string>>; readonly root: string}): Promise<SandboxFacts> {
  const system = readSystem();
  const sandbox = sandboxOf(system.platform);
  if (sandbox === undefined) return readSandbox(sandbox, {...system, succeeded: false, said: ''});
  const {file, outcome} = await askProgram(sandbox.command, sandbox.trial, {env, timeoutMs: trialMs, outside: root});
  return readSandbox(sandbox, {...system, file, succeeded: outcome?.at === 'exited' && outcome.code === 0, said: outcome?.stderr ?? ''});
}
