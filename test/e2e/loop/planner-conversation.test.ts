import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {
  createFixture,
  type LoopFixture,
  pretendAgents,
  type StageOptions,
} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

type PlannerStage = LoopFixture & {
  /** Of each start of the planner the conversation that it went on with, or `fresh`. */
  readonly started: () => readonly string[];
  readonly notified: (start: number) => string;
  readonly mark: (name: string, text?: string) => void;
  /** Until there is a plan of this round to be read. */
  readonly planned: (round: number) => Promise<void>;
};

/**
 * A claude that plans: it prints the plan of the test in its own stream, and keeps its conversation
 * where it keeps its state.
 */
function createPlannerStage(t: TestContext, options: StageOptions = {}): PlannerStage {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-planner-'));
  writeFileSync(
    path.join(bin, 'claude'),
    `#!/bin/sh\nexec sh ${path.join(pretendAgents, 'plans-on.sh')} "$@"\n`,
  );
  chmodSync(path.join(bin, 'claude'), 0o755);
  const fixture = createFixture(t, {
    ...options,
    env: {PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`},
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  // The answer of a stream is one line of JSON.
  const plan = JSON.stringify(
    `\`\`\`json\n${readFileSync(path.join(fixture.home, 'plan.json'), 'utf8')}\n\`\`\``,
  );
  writeFileSync(path.join(fixture.home, 'plan-answer'), plan);
  const directory = (): string => path.join(fixture.home, '.claude');
  const notes = (name: string): string =>
    [path.join(directory(), name), ...getState(fixture, name)]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
  return {
    ...fixture,
    started: () => notes('started').trim().split('\n'),
    notified: (start) => notes(`told-${start}`),
    mark: (name, text = '') => {
      writeFileSync(path.join(fixture.home, name), text);
    },
    planned: async (round) => {
      await fixture.until(`plan ${round} is there`, (state) => {
        const run = selectRun(state, 'r1');
        return run?.stage.at === 'reviewing' && run.rounds.length === round;
      });
    },
  };
}

/** In the sandbox the planner has a state directory of its own. */
function getState(fixture: LoopFixture, name: string): readonly string[] {
  return [path.join(fixture.current().stateDirectory, 'agent-state', 'r1-plan', '0-claude', name)];
}

const first = '00000000-0000-4000-8000-000000000001';

describe('a plan that is rejected', () => {
  for (const sandbox of ['off', 'required']) {
    it(
      `is planned again in the same conversation, with what is new and no more (sandbox: ${sandbox})`,
      sandbox === 'off' ? {} : needs('bubblewrap'),
      async (t) => {
        const stage = createPlannerStage(t, {project: `sandbox: ${sandbox}\n`});
        assert.equal((await stage.objective('--planner', 'claude')).code, 3);
        assert.equal(stage.run('plan', 'comment', 'r1', '13', 'Split this.').code, 0);
        assert.equal(stage.run('plan', 'reject', 'r1', '--reason', 'Too coarse.').code, 0);
        await stage.planned(2);
        assert.deepEqual(stage.started(), ['fresh', first]);
        const [before, again] = [stage.notified(1), stage.notified(2)];
        assert.match(before, /Objective:\n\nMake it better/);
        assert.match(again, /You go on with the planning that you have begun/);
        assert.match(again, /The reason:\n\nToo coarse\./);
        assert.match(again, /line 13: Split this\.\n/);
        assert.match(again, /Hand in the whole plan/);
        assert.doesNotMatch(
          again,
          /Objective:|<data \S+ plan before>|has moved from|rules have changed/,
        );
        assert.equal(stage.eventsOf('conversation-known').length, 2);
      },
    );
  }

  it('gets what changed meanwhile: the branch, the rules, the plan itself', async (t) => {
    const stage = createPlannerStage(t);
    await stage.objective('--planner', 'claude');
    const edited = JSON.parse(readFileSync(path.join(stage.home, 'plan.json'), 'utf8')) as {
      problem: string;
    };
    stage.mark('edited.json', JSON.stringify({...edited, problem: 'It could be much better.'}));
    const edit = stage.run('plan', 'edit', 'r1', '--file', path.join(stage.home, 'edited.json'));
    assert.equal(edit.code, 0, edit.err);
    stage.write('new.txt', 'new\n');
    stage.write(
      '.rulesfile.md',
      '# 1. Validation\n1. Nothing is red. `test: sh check.sh`\n2. Be kind.\n',
    );
    stage.git('add', '--all');
    stage.git('commit', '--quiet', '--message', 'Meanwhile');
    const approved = stage.run('plan', 'approve', 'r1');
    assert.notEqual(approved.code, 0, 'what was shown is not what is there');
    await stage.until(
      'what moved is known',
      () =>
        stage.eventsOf('base-moved').length === 1 && stage.eventsOf('rules-changed').length === 1,
    );
    const reject = stage.run('plan', 'reject', 'r1', '--reason', 'Look again.');
    assert.equal(reject.code, 0, reject.err);
    await stage.planned(2);
    const notified = stage.notified(2);
    assert.deepEqual(stage.started(), ['fresh', first]);
    assert.match(
      notified,
      /The branch of the person has moved from [0-9a-f]{40} to [0-9a-f]{40} since you read it[\s\S]*Changed meanwhile:\n\n<data \S+ changed meanwhile>\n\.rulesfile\.md\nnew\.txt\n/,
    );
    assert.match(notified, /The rules have changed since/);
    assert.match(notified, /<data \S+ plan before>[\s\S]*It could be much better\./);
  });

  it('restarts once without a conversation if that is missing, and costs nothing', async (t) => {
    const stage = createPlannerStage(t);
    await stage.objective('--planner', 'claude');
    stage.mark('forgets');
    assert.equal(stage.run('plan', 'reject', 'r1', '--reason', 'Too coarse.').code, 0);
    await stage.planned(2);
    assert.deepEqual(stage.started(), ['fresh', first, 'fresh']);
    assert.match(
      stage.notified(3),
      /Objective:\n\nMake it better[\s\S]*The reason:\n\nToo coarse\.[\s\S]*<data \S+ plan before>/,
      'what begins anew is told everything',
    );
    assert.deepEqual(
      [
        stage.eventsOf('conversation-lost').length,
        stage.eventsOf('planner-failed').length,
        stage.eventsOf('planning-interrupted').length,
      ],
      [1, 0, 0],
    );
  });
});

describe('a planner', () => {
  it('whose answer was no plan is asked again in the same conversation', async (t) => {
    const stage = createPlannerStage(t);
    stage.mark('answers-badly');
    await stage.objective('--planner', 'claude');
    assert.deepEqual(stage.started(), ['fresh', first]);
    assert.match(stage.notified(2), /Your answer before was not a plan that can be read/);
  });

  it('that has no plan says why in the need and its explanation, without secrets', async (t) => {
    const stage = createPlannerStage(t);
    stage.mark(
      'plan-answer',
      JSON.stringify(
        'I cannot plan this: the folder is empty.\n\nMy key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.',
      ),
    );
    const {code, out} = await stage.objective('--planner', 'claude');
    assert.equal(code, 3);
    const [need] = stage.needs();
    assert.match(need?.words ?? '', /Its last output: I cannot plan this: the folder is empty\./);
    assert.match(
      out,
      /The last output of the planner:\n[\s\S]*I cannot plan this: the folder is empty\./,
    );
    assert.doesNotMatch(
      `${need?.words ?? ''}${out}${JSON.stringify(stage.eventsOf('plan-invalid'))}`,
      /abcdefghijklmnopqrstuvwxyz0123456789/,
    );
  });

  it('that was killed goes on with its conversation', async (t) => {
    const stage = createPlannerStage(t);
    stage.mark('dies');
    await stage.objective('--planner', 'claude');
    assert.deepEqual(stage.started(), ['fresh', first]);
    assert.match(stage.notified(2), /You were interrupted, through no fault of yours/);
  });

  it('that failed restarts with a new conversation when it is asked again', async (t) => {
    const stage = createPlannerStage(t);
    stage.mark('fails');
    assert.equal((await stage.objective('--planner', 'claude')).code, 3);
    assert.deepEqual(
      stage.eventsOf('planner-failed').map(({words}) => words),
      ['claude exited with code 1 before it finished. Its last output: It broke.'],
    );
    assert.equal(stage.run('plan', 'again', 'r1', '--reason', 'Try again.').code, 0);
    await stage.planned(2);
    assert.deepEqual(stage.started(), ['fresh', 'fresh']);
    assert.match(stage.notified(2), /Objective:\n\nMake it better/);
  });
});
