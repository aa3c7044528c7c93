import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {
  createFixture,
  type LoopFixture,
  pretendAgents,
  type StageOptions,
} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

type DyingStage = LoopFixture & {
  /** Of each start its task and the conversation that it went on with, or `fresh`. */
  readonly started: (task: string) => readonly string[];
  readonly attempts: () => Promise<Readonly<Record<string, readonly string[]>>>;
};

/**
 * Each task is done by a CLI of that name, which dies on its first start in the way that the table
 * says.
 */
function createDyingStage(
  t: TestContext,
  agent: string,
  ways: Readonly<Record<string, string>>,
  options: StageOptions = {},
): DyingStage {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-dying-'));
  writeFileSync(
    path.join(bin, agent),
    `#!/bin/sh\nexec sh ${path.join(pretendAgents, 'dies.sh')} ${agent} "$@"\n`,
  );
  chmodSync(path.join(bin, agent), 0o755);
  const fixture = createFixture(t, {
    tasks: Object.keys(ways).map((id) => ({id})),
    ...options,
    env: {
      PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      ...options.env,
    },
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  mkdirSync(path.join(fixture.home, 'ways'), {recursive: true});
  for (const [task, way] of Object.entries(ways))
    writeFileSync(path.join(fixture.home, 'ways', task), way);
  const log = path.join(fixture.home, 'started');
  return {
    ...fixture,
    started: (task) =>
      (existsSync(log) ? readFileSync(log, 'utf8') : '')
        .split('\n')
        .flatMap((line) => (line.startsWith(`${task} `) ? [line.slice(task.length + 1)] : [])),
    attempts: async () =>
      Object.fromEntries(
        (selectRun(await fixture.state(), 'r1')?.tasks ?? []).map(({planned, attempts}) => [
          planned.id,
          attempts.map(
            ({number, step, interruptions}) => `${number} ${step.at}, interrupted ${interruptions}`,
          ),
        ]),
      ),
  };
}

const interrupted = ['1 passed, interrupted 1'];
const failed = ['1 failed, interrupted 0', '2 passed, interrupted 0'];

describe('an agent that dies without having said an end is interrupted, and one that says why it ends has failed:', () => {
  const all = {
    t1: 'kill',
    t2: 'shim-0',
    t3: 'shim-says',
    t4: 'error',
    t5: 'term',
    t6: 'abort',
    t7: 'renderer',
    t8: 'shim-1',
    t9: 'shim-137',
  };
  // Each driver reads its own stream; what does not depend on it is tried with one, and
  // test/agents/stream has all of it as a table.
  const some = {t1: 'kill', t2: 'shim-0', t3: 'shim-says', t4: 'error'};
  for (const [agent, ways] of [
    ['claude', all],
    ['codex', some],
    ['gemini', some],
    ['opencode', some],
    ['pi', some],
  ] as const) {
    it(agent, async (t) => {
      const stage = createDyingStage(t, agent, ways);
      const {code, out, err} = await stage.objective(
        '--agent',
        agent,
        '--planner',
        'pretend',
        '--approve',
      );
      assert.equal(code, 0, `${out}\n${err}`);
      assert.deepEqual(
        await stage.attempts(),
        Object.fromEntries(
          Object.entries(ways).map(([task, way]) => [task, way === 'error' ? failed : interrupted]),
        ),
      );
      for (const task of Object.keys(ways))
        assert.deepEqual(
          stage.started(task),
          ['fresh', `c-${task}`],
          `${task} goes on with its conversation`,
        );
      assert.deepEqual(
        stage.eventsOf('agent-failed').map(({task, words}) => [task, words]),
        [
          [
            'r1.t4',
            `${agent} exited with code 1 before it finished. Its last output: Error: it broke`,
          ],
        ],
      );
      const text = new Map(
        stage.eventsOf('attempt-interrupted').map((event) => [event.task, event.words]),
      );
      assert.match(text.get('r1.t1') ?? '', new RegExp(`^${agent} was stopped by SIGKILL\\.$`));
      assert.match(text.get('r1.t3') ?? '', /SIGKILL/);
    });
  }
});

describe('what runs an agent is killed inside of the sandbox:', needs('bubblewrap'), () => {
  it('it is interrupted, though the sandbox ends with an exit code', async (t) => {
    const ways = {t1: 'renderer', t2: 'kill'};
    const stage = createDyingStage(t, 'claude', ways, {project: 'sandbox: required\n'});
    const {code, out, err} = await stage.objective(
      '--agent',
      'claude',
      '--planner',
      'pretend',
      '--approve',
    );
    assert.equal(code, 0, `${out}\n${err}`);
    assert.deepEqual(await stage.attempts(), {t1: interrupted, t2: interrupted});
    assert.deepEqual(stage.eventsOf('agent-failed'), []);
  });
});

describe('an agent of the project, and a planner:', () => {
  const once = (way: string): string =>
    `if [ ! -e "$HOME/died-$ORCHESTRA_OWNER" ]; then touch "$HOME/died-$ORCHESTRA_OWNER"; echo half > half.log; rm half.log; ${way}; fi\n`;

  it('a wrapper that passes on a signal as an exit code was interrupted; another exit code is a failure', async (t) => {
    const acts = Object.fromEntries(
      Object.entries({t1: 137, t2: 143, t3: 130, t4: 1, t5: 255}).map(
        ([task, code]): readonly [string, string] => [
          task,
          `${once(`exit ${code}`)}exec sh "$PRETEND/succeed.sh"\n`,
        ],
      ),
    );
    const fixture = createFixture(t, {tasks: Object.keys(acts).map((id) => ({id})), acts});
    const {code, out, err} = await fixture.objective('--approve');
    assert.equal(code, 0, `${out}\n${err}`);
    const attempts = (selectRun(await fixture.state(), 'r1')?.tasks ?? []).map((task) =>
      task.attempts.map(
        ({number, step, interruptions}) => `${number} ${step.at}, interrupted ${interruptions}`,
      ),
    );
    assert.deepEqual(attempts, [interrupted, interrupted, interrupted, failed, failed]);
  });

  it('a planner is started again in the same round, three times and no more', async (t) => {
    const fixture = createFixture(t, {
      acts: {plan: `${once('exit 143')}exec sh "$PRETEND/plan-plainly.sh"\n`},
    });
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.deepEqual(
      [
        fixture.eventsOf('planning-interrupted').length,
        fixture.eventsOf('planning-started').length,
        fixture.eventsOf('planner-failed').length,
      ],
      [1, 1, 0],
    );
    fixture.act('plan', 'exit 137\n');
    const again = await fixture.objective();
    assert.equal(again.code, 3, again.out);
    assert.deepEqual(
      fixture.eventsOf('planning-failed').map(({why}) => why),
      [{kind: 'interrupted', times: 3}],
    );
  });
});
