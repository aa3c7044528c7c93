import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {writeFileAtomic} from '../../files/index.ts';
import {
  askProgram,
  type AskProgramOptions,
  inspectPath,
  readSystem,
  runProbe,
  type System,
} from '../../system/index.ts';
import {listOwnNames} from '../directories.ts';
import {dropWorkDirectory} from '../launch/caches.ts';
import {
  findSandbox,
  type NetworkFacts,
  type SandboxAbilities,
  sandboxed,
  type SandboxFacts,
  toSandboxFacts,
} from '../../sandbox/index.ts';

export type SandboxAsking = AskProgramOptions & {
  /** Where layered directories will be: not every file system supports them. */
  readonly directory?: string;
};

/** Whether this machine supports a sandbox, and what works in one. Found out by creating some. */
export async function trySandbox(
  {directory, ...asking}: SandboxAsking,
  system: System = readSystem(),
): Promise<SandboxFacts> {
  const sandbox = findSandbox(system.platform);
  if (sandbox === undefined)
    return toSandboxFacts(sandbox, {...system, succeeded: false, said: ''});
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
      : await tryAbilities(file, hasSucceeded(whole), directory ?? os.tmpdir(), asking);
  const facts = toSandboxFacts(sandbox, {
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

async function tryAbilities(
  bwrap: string,
  processes: boolean,
  directory: string,
  {env, timeoutMs}: AskProgramOptions,
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

/** Removes what a daemon left that was killed during a trial. */
export function dropTrials(directory: string): void {
  for (const name of listOwnNames(directory).filter(
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
  {env, timeoutMs}: Pick<AskProgramOptions, 'env' | 'timeoutMs'>,
): Promise<boolean> {
  const [lower, upper, work, view, seen] = ['lower', 'upper', 'work', 'view', 'seen'].map((name) =>
    path.join(place, name),
  ) as [string, string, string, string, string];
  for (const each of [lower, upper, work, view, seen]) mkdirSync(each, {mode: 0o700});
  writeFileAtomic(path.join(lower, 'probe'), '');
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
    {bwrap, uid: process.getuid?.() ?? 0, look: inspectPath, can},
  );
  const outcome = await runProbe(file, argv, {env, timeoutMs, cwd: '/'});
  const isChanged = inspectPath(path.join(upper, 'probe')).kind === 'file';
  dropWorkDirectory(work);
  return outcome.at === 'exited' && outcome.code === 0 && isChanged;
}

async function tryNetwork(
  command: string,
  trial: readonly string[],
  asking: AskProgramOptions,
): Promise<NetworkFacts> {
  const {outcome} = await askProgram(command, trial, asking);
  if (outcome?.at === 'exited' && outcome.code === 0) return {at: 'works'};
  return {at: 'broken', said: (outcome?.stderr ?? '').trim().split('\n')[0] ?? ''};
}
