import path from 'node:path';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {callTool, parseGrant, type ToolsGrant} from '../../../../source/mcp/index.ts';
import type {ToolAnswer} from '../../../../source/protocol/index.ts';
import {selectSession, type Session, type SessionId} from '../../../../source/domain/index.ts';
import {eventually} from '../../../support/eventually.ts';
import {
  createFixture,
  type LoopFixture,
  type StageOptions,
} from '../../../e2e/loop/support/loop-fixture.ts';

/** An agent at work whose tools the test calls in its place, until it is let go. */
export type StagedAgent = LoopFixture & {
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
  const fixture = createFixture(t, {
    ...options,
    acts: {...Object.fromEntries(tasks.map(({id}) => [id, patient(id)])), ...options.acts},
  });
  const planned = await fixture.objective();
  const {code, err} = fixture.run('plan', 'approve', 'r1');
  if (code !== 0) throw new Error(`it did not start: ${planned.out}${planned.err}${err}`);
  const isWorker = (session: Session | undefined): boolean =>
    session?.purpose.for === 'attempt' &&
    session.purpose.task === 'r1.t1' &&
    session.life.at === 'running';
  const state = await fixture.until('the worker runs', (known) =>
    known.live.some((id) => isWorker(selectSession(known, id))),
  );
  const worker = state.live.find((id) => isWorker(selectSession(state, id)))!;
  const getGrant = (session: string): ToolsGrant => {
    const directory = path.join(fixture.current().stateDirectory, 'exchange');
    const name = readdirSync(directory).find((candidate) => candidate.endsWith(`-${session}`));
    const reading = parseGrant(readFileSync(path.join(directory, name!, 'tools.json'), 'utf8'));
    if ('problem' in reading) throw new Error(reading.problem);
    return reading.value;
  };

  return {
    ...fixture,
    worker,
    grantOf: getGrant,
    call: (tool, input = {}, {session = worker, patienceMs = 20_000, signal} = {}) =>
      callTool(getGrant(session), {
        tool,
        input,
        build: 'test',
        patienceMs,
        ...(signal === undefined ? {} : {signal}),
      }),
    letGo: (task = 't1') => {
      writeFileSync(path.join(fixture.home, `go-${task}`), '');
    },
  };
}

export async function toText(answer: Promise<ToolAnswer>): Promise<string> {
  return (await answer).text;
}

export {eventually};
