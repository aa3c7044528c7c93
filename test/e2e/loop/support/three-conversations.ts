import path from 'node:path';
import {existsSync, readFileSync} from 'node:fs';
import type {RunRequest, SessionId} from '../../../../source/domain/index.ts';
import {type LoopFixture, openStage, pretendAgents, type StageOptions} from './loop-fixture.ts';

/** What an agent wrote down itself, in order; `draft` is what was pasted and stands in its input. */
export type Noted = {
  readonly session: string;
  readonly prompt?: string;
  readonly draft?: string;
  /** The conversation in which nobody has told the task. */
  readonly lost?: string;
  readonly missing?: string;
};

export const interactiveRequest: RunRequest = {
  objective: 'Make it better',
  worker: 'converses',
  planner: 'pretend',
  workers: 'interactive',
  queued: false,
};

const program = path.join(pretendAgents, 'converses.mjs');

/** From a worktree, which is where the agents run. */
const talks = '../../talks';

/**
 * Three tasks of two agents at a time that work in their own interface, and continue their
 * conversations when they were killed. t1 is red first; t3 builds on t1.
 */
export function openThreeConversations(
  options: Pick<StageOptions, 'tasks' | 'rules'> = {},
): LoopFixture {
  const work = `${program}, ${talks}`;
  return openStage({
    tasks: [{id: 't1'}, {id: 't2'}, {id: 't3', after: ['t1']}],
    ...options,
    files: {
      '.orchestra/project.yaml': `sandbox: off
baseline: false
planner: pretend
worker: converses
limits:
  workers: 2
agents:
  pretend:
    plan: [sh, ${path.join(pretendAgents, 'plan.sh')}, '{promptFile}', '{outcomeFile}']
    work: [sh, ${path.join(pretendAgents, 'by-task.sh')}, '{promptFile}', '{outcomeFile}']
    prompt: file
  converses:
    plan: [${work}]
    work: [${work}]
    resume: [${work}, --resume, '{conversation}']
    prompt: typed
    patterns: {ready: '^>'}
`,
    },
  });
}

export function readNoted({home}: Pick<LoopFixture, 'home'>): readonly Noted[] {
  const file = path.join(home, 'talks', 'record');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Noted)
    : [];
}

/** The name of a session in its environment ends with its number. */
export function notedBy(noted: readonly Noted[], session: SessionId): readonly Noted[] {
  return noted.filter((one) => one.session.endsWith(`-${session}`));
}

/** A screen adds line breaks, and a terminal may change them. */
export function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** What would be typed for a prompt: its text, or a sentence that names its file. */
export function isPromptOf(file: string, typed: string): boolean {
  return (
    typed.includes(file) ||
    (existsSync(file) && squeeze(readFileSync(file, 'utf8')) === squeeze(typed))
  );
}
