import {errorText} from '../../shared/index.ts';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {inspectPath, type ProbeOutcome, runProbe} from '../../system/index.ts';
import {
  controlSockets,
  neededInTemporary,
  sandboxed,
  type SandboxFacts,
} from '../../sandbox/index.ts';
import {isBelowRealPath} from '../launch/sandbox-launch.ts';

export type AgentTrial = {
  readonly file: string;
  readonly argv: readonly string[];
  /** The environment of its sessions. */
  readonly env: Readonly<Record<string, string>>;
  readonly root?: string | undefined;
  readonly timeoutMs: number;
};

/**
 * Tries to start an agent in a sandbox like that of its sessions. Undefined if the machine has no
 * sandbox.
 */
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
  const isReplaced = root === undefined || !isBelowRealPath(os.tmpdir(), root);
  let place: string | undefined;
  try {
    place = mkdtempSync(path.join(os.tmpdir(), 'orchestra-doctor-'));
    const temporary = path.join(place, 'tmp');
    mkdirSync(temporary, {mode: 0o700});
    const policy = {
      kind: 'worktree' as const,
      writable: [place],
      hidden: controlSockets({uid, env}),
      readOnly: [
        ...(root === undefined ? [] : [root]),
        ...(isReplaced ? neededInTemporary({argv: [file], env}, inspectPath) : []),
      ],
      ...(isReplaced ? {temporary} : {}),
    };
    const [program = '', ...rest] = sandboxed({argv: [file, ...argv], cwd: place}, policy, {
      bwrap: sandbox.file,
      uid,
      look: inspectPath,
      ...(sandbox.can === undefined ? {} : {can: sandbox.can}),
    });
    return toTrialResult(
      await runProbe(program, rest, {env: {...env, TMPDIR: temporary}, timeoutMs, cwd: '/'}),
    );
  } catch (error) {
    return {
      at: 'fails',
      how: 'the sandbox could not be made',
      said: errorText(error),
    };
  } finally {
    if (place !== undefined) rmSync(place, {recursive: true, force: true});
  }
}

function toTrialResult(
  outcome: ProbeOutcome,
): {readonly at: 'works'} | {readonly at: 'fails'; readonly how: string; readonly said: string} {
  if (outcome.at === 'exited' && outcome.code === 0) return {at: 'works'};
  return {
    at: 'fails',
    how: formatFailure(outcome),
    said: (outcome.stderr.trim().split('\n').at(-1) ?? '').slice(0, 200),
  };
}

function formatFailure(outcome: ProbeOutcome): string {
  switch (outcome.at) {
    case 'exited':
      return `exit code ${outcome.code}`;
    case 'signalled':
      return outcome.signal;
    case 'timed-out':
      return `no answer within ${outcome.timeoutMs / 1000} s`;
    default:
      return outcome.code;
  }
}
