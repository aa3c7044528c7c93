import {mkdirSync, mkdtempSync, rmdirSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {writeWhole} from '../files/index.ts';
import {
  askProgram,
  lookAtPath,
  readSystem,
  runProbe,
  type Asking,
  type System,
} from '../machine/index.ts';
import {namesIn} from './names-in.ts';
import {
  readSandbox,
  sandboxed,
  sandboxOf,
  type NetworkFacts,
  type SandboxAbilities,
  type SandboxFacts,
} from '../sandbox/index.ts';

export type SandboxAsking = Asking & {
  /** Where layered directories will lie: not every file system can hold them. */
  readonly directory?: string;
};

/** Whether this machine lets us make a sandbox, and what it allows in one: shown by making them. */
export async function trySandbox(
  {directory, ...asking}: SandboxAsking,
  system: System = readSystem(),
): Promise<SandboxFacts> {
  const sandbox = sandboxOf(system.platform);
  if (sandbox === undefined) return readSandbox(sandbox, {...system, succeeded: false, said: ''});
  const whole =
    sandbox.processesTrial === undefined
      ? undefined
      : await askProgram(sandbox.command, sandbox.processesTrial, asking);
  const {file, outcome} = hasSucceeded(whole)
    ? whole
    : await askProgram(sandbox.command, sandbox.trial, asking);
  const succeeded = outcome?.at === 'exited' && outcome.code === 0;
  const can =
    file === undefined || !succeeded || sandbox.processesTrial === undefined
      ? undefined
      : await abilitiesOf(file, hasSucceeded(whole), directory ?? os.tmpdir(), asking);
  const facts = readSandbox(sandbox, {
    ...system,
    file,
    succeeded,
    said: outcome?.stderr ?? '',
    ...(can === undefined ? {} : {can}),
  });
  return facts.at === 'works' && sandbox.networkTrial !== undefined
    ? {...facts, network: await tryNetwork(sandbox.command, sandbox.networkTrial, asking)}
    : facts;
}

type Answer = Awaited<ReturnType<typeof askProgram>>;

function hasSucceeded(answer: Pick<Answer, 'outcome'> | undefined): answer is Answer {
  return answer?.outcome?.at === 'exited' && answer.outcome.code === 0;
}

async function abilitiesOf(
  bwrap: string,
  processes: boolean,
  directory: string,
  {env, timeoutMs}: Asking,
): Promise<SandboxAbilities> {
  const gid = process.getgid?.() ?? 0;
  const without: SandboxAbilities = {processes, layers: false, gid};
  try {
    mkdirSync(directory, {recursive: true, mode: 0o700});
    const place = mkdtempSync(path.join(directory, `${trialName}${process.pid}-`));
    try {
      return {
        ...without,
        layers: await canLayer({place, bwrap, can: {...without, layers: true}}, {env, timeoutMs}),
      };
    } finally {
      rmSync(place, {recursive: true, force: true});
    }
  } catch {
    return without;
  }
}

const trialName = 'sandbox-trial-';

/** What a daemon left that was killed in the middle of a trial. */
export function dropTrials(directory: string): void {
  for (const name of namesIn(directory).filter(
    (each) => each.startsWith(trialName) && !each.startsWith(`${trialName}${process.pid}-`),
  )) {
    dropWorkDirectory(path.join(directory, name, 'work'));
    rmSync(path.join(directory, name), {recursive: true, force: true});
  }
}

async function canLayer(
  {
    place,
    bwrap,
    can,
  }: {readonly place: string; readonly bwrap: string; readonly can: SandboxAbilities},
  {env, timeoutMs}: Pick<Asking, 'env' | 'timeoutMs'>,
): Promise<boolean> {
  const [lower, upper, work, view, seen] = ['lower', 'upper', 'work', 'view', 'seen'].map((name) =>
    path.join(place, name),
  ) as [string, string, string, string, string];
  for (const each of [lower, upper, work, view, seen]) mkdirSync(each, {mode: 0o700});
  writeWhole(path.join(lower, 'probe'), '');
  const policy = {
    kind: 'worktree' as const,
    writable: [],
    hidden: [],
    bound: [{path: seen, from: view, isWritable: true}],
    layered: [{path: view, lower: [lower], upper, work}],
  };
  const [file = '', ...argv] = sandboxed(
    {argv: ['/bin/sh', '-c', 'echo changed > probe'], cwd: seen},
    policy,
    {bwrap, uid: process.getuid?.() ?? 0, look: lookAtPath, can},
  );
  const outcome = await runProbe(file, argv, {env, timeoutMs, cwd: '/'});
  const isChanged = lookAtPath(path.join(upper, 'probe')).kind === 'file';
  dropWorkDirectory(work);
  return outcome.at === 'exited' && outcome.code === 0 && isChanged;
}

/** What the kernel leaves in there is empty and closed to everybody but root: it can be removed, but not looked into. */
export function dropWorkDirectory(work: string): void {
  try {
    rmdirSync(path.join(work, 'work'));
  } catch {
    // Nothing was mounted.
  }
}

async function tryNetwork(
  command: string,
  trial: readonly string[],
  asking: Asking,
): Promise<NetworkFacts> {
  const {outcome} = await askProgram(command, trial, asking);
  if (outcome?.at === 'exited' && outcome.code === 0) return {at: 'works'};
  return {at: 'broken', said: (outcome?.stderr ?? '').trim().split('\n')[0] ?? ''};
}
