import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {lookAtPath, runProbe, type ProbeOutcome} from '../machine/index.ts';
import {doorsOut, neededInTemporary, sandboxed, type SandboxFacts} from '../sandbox/index.ts';
import {isInside} from './launch/sandbox-launch.ts';

export type AgentTrial = {
  readonly file: string;
  readonly argv: readonly string[];
  /** As a session of it would have it. */
  readonly env: Readonly<Record<string, string>>;
  readonly root?: string | undefined;
  readonly timeoutMs: number;
};

/** How an agent starts where its sessions start: in a sandbox made as theirs is. Nothing where the machine has none. */
export async function tryAgentInSandbox(
  sandbox: SandboxFacts,
  {file, argv, env, root, timeoutMs}: AgentTrial,
): Promise<
  | {readonly at: 'works'}
  | {readonly at: 'fails'; readonly how: string; readonly said: string}
  | undefined
> {
  if (sandbox.at !== 'works') return undefined;
  const uid = process.getuid?.() ?? 0;
  const isReplaced = root === undefined || !isInside(os.tmpdir(), root);
  let place: string | undefined;
  try {
    place = mkdtempSync(path.join(os.tmpdir(), 'orchestra-doctor-'));
    const temporary = path.join(place, 'tmp');
    mkdirSync(temporary, {mode: 0o700});
    const policy = {
      kind: 'worktree' as const,
      writable: [place],
      hidden: doorsOut({uid, env}),
      readOnly: [
        ...(root === undefined ? [] : [root]),
        ...(isReplaced ? neededInTemporary({argv: [file], env}, lookAtPath) : []),
      ],
      ...(isReplaced ? {temporary} : {}),
    };
    const [program = '', ...rest] = sandboxed({argv: [file, ...argv], cwd: place}, policy, {
      bwrap: sandbox.file,
      uid,
      look: lookAtPath,
      ...(sandbox.can === undefined ? {} : {can: sandbox.can}),
    });
    return readTrial(
      await runProbe(program, rest, {env: {...env, TMPDIR: temporary}, timeoutMs, cwd: '/'}),
    );
  } catch (error) {
    return {
      at: 'fails',
      how: 'the sandbox could not be made',
      said: error instanceof Error ? error.message : String(error),
    };
  } finally {
    if (place !== undefined) rmSync(place, {recursive: true, force: true});
  }
}

function readTrial(
  outcome: ProbeOutcome,
): {readonly at: 'works'} | {readonly at: 'fails'; readonly how: string; readonly said: string} {
  if (outcome.at === 'exited' && outcome.code === 0) return {at: 'works'};
  const how =
    outcome.at === 'exited'
      ? `exit code ${outcome.code}`
      : outcome.at === 'signalled'
        ? outcome.signal
        : outcome.at === 'timed-out'
          ? `no answer within ${outcome.timeoutMs / 1000} s`
          : outcome.code;
  return {at: 'fails', how, said: (outcome.stderr.trim().split('\n').at(-1) ?? '').slice(0, 200)};
}
