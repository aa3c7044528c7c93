import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {TestContext} from 'node:test';
import {
  callTool,
  readGrant,
  type ToolAnswer,
  type ToolsGrant,
} from '../../../../source/tools/index.ts';
import {sessionOf, type Session, type SessionId} from '../../../../source/domain/index.ts';
import {eventually} from '../../../support/eventually.ts';
import {createStage, type Stage, type StageOptions} from '../../loop/support/stage.ts';

/** An agent at work whose tools the test calls in its place, until it is let go. */
export type StagedAgent = Stage & {
  readonly grantOf: (session: string) => ToolsGrant;
  /** Calls a tool as the agent of that session; by default the worker of the first task. */
  readonly call: (
    tool: string,
    input?: object,
    options?: {
      readonly session?: string;
      readonly patienceMs?: number;
      readonly signal?: AbortSignal;
    },
  ) => Promise<ToolAnswer>;
  /** The agent of the task does its work and ends. */
  readonly letGo: (task?: string) => void;
  readonly worker: SessionId;
};

/** Waits until a file says go, then does the work of the task. */
export const patient = (task: string): string =>
  `while [ ! -e "$HOME/go-${task}" ]; do sleep 0.05; done; echo done > ${task}.txt`;

export async function createAgent(
  t: Pick<TestContext, 'after'>,
  options: StageOptions = {},
): Promise<StagedAgent> {
  const tasks = options.tasks ?? [{id: 't1'}];
  const stage = createStage(t, {
    ...options,
    acts: {...Object.fromEntries(tasks.map(({id}) => [id, patient(id)])), ...options.acts},
  });
  const planned = await stage.objective();
  const {code, err} = stage.run('plan', 'approve', 'r1');
  if (code !== 0) throw new Error(`it did not start: ${planned.out}${planned.err}${err}`);
  const isWorker = (session: Session | undefined): boolean =>
    session?.purpose.for === 'attempt' &&
    session.purpose.task === 'r1.t1' &&
    session.life.at === 'running';
  const state = await stage.until('the worker runs', (known) =>
    known.live.some((id) => isWorker(sessionOf(known, id))),
  );
  const worker = state.live.find((id) => isWorker(sessionOf(state, id)))!;
  const grantOf = (session: string): ToolsGrant => {
    const directory = path.join(stage.here().stateDirectory, 'exchange');
    const name = readdirSync(directory).find((candidate) => candidate.endsWith(`-${session}`));
    const reading = readGrant(readFileSync(path.join(directory, name!, 'tools.json'), 'utf8'));
    if ('problem' in reading) throw new Error(reading.problem);
    return reading.value;
  };

  return {
    ...stage,
    worker,
    grantOf,
    call: (tool, input = {}, {session = worker, patienceMs = 20_000, signal} = {}) =>
      callTool(grantOf(session), {
        tool,
        input,
        build: 'test',
        patienceMs,
        ...(signal === undefined ? {} : {signal}),
      }),
    letGo: (task = 't1') => {
      writeFileSync(path.join(stage.home, `go-${task}`), '');
    },
  };
}

export async function textOf(answer: Promise<ToolAnswer>): Promise<string> {
  return (await answer).text;
}

export {eventually};
