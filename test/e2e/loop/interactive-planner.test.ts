import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectRun, selectSession, type State} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {end, launcher} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

type PlannerFixture = LoopFixture & {
  /** The prompts that it took, in order. */
  readonly typed: () => readonly string[];
  /** Starts a run up to the point where it needs the person. */
  readonly begin: (...options: readonly string[]) => Promise<void>;
  readonly write: (text: string, session?: string) => void;
  /** The titles of the first task of the plan that is proposed. */
  readonly proposed: (title: string) => Promise<State>;
};

/** A planner that talks, in its own interface; `options` are its own. */
function createPlannerFixture(t: TestContext, ...options: readonly string[]): PlannerFixture {
  const program = path.join(pretendAgents, 'talks.mjs');
  const fixture = createFixture(t);
  const record = path.join(fixture.root, '..', 'typed.jsonl');
  const variables = [
    `TYPED=${record}`,
    `PLAN=${path.join(fixture.home, 'plan.json')}`,
    `ORCHESTRA_CLI=${launcher}`,
  ];
  const argv = ['env', ...variables, program, ...options].join(', ');
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    `${fixture.read('.orchestra/project.yaml')}  talks: {plan: [${argv}], work: [${argv}], prompt: typed, patterns: {ready: '^>'}}\n`,
  );
  fixture.git('commit', '--quiet', '--all', '--message', 'A planner');
  return {
    ...fixture,
    typed: () =>
      existsSync(record)
        ? readFileSync(record, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => (JSON.parse(line) as {readonly prompt: string}).prompt)
        : [],
    begin: async (...more) => {
      const {code, out, err} = await fixture.objective(
        '--agent',
        'pretend',
        '--planner',
        'talks',
        '--planners',
        'interactive',
        ...more,
      );
      assert.equal(code, 3, `${out}${err}`);
    },
    write: (text, session = 's1') => {
      const {code, err} = fixture.run('send', session, text);
      assert.equal(code, 0, err);
    },
    proposed: (title) =>
      fixture.until(`the plan ${title} is proposed`, (state) => {
        const stage = selectRun(state, 'r1')?.stage;
        return stage?.at === 'reviewing' && stage.proposal.plan.tasks[0]?.title === title;
      }),
  };
}

const planners = (fixture: LoopFixture): readonly string[] =>
  fixture
    .eventsOf('session-asked')
    .flatMap(({purpose, session}) => (purpose.for === 'plan' ? [session] : []));

describe('a planner in its own interface', () => {
  it('is talked to before and after it hands in its plan, in one conversation, and workers follow', async (t) => {
    const fixture = createPlannerFixture(t, '--asks');
    await fixture.begin();
    const [need] = fixture.needs();
    assert.equal(need?.kind, 'planner-waits');
    assert.match(need.words, /waits for your answer: Which database do you use\?/);
    fixture.write('Postgres. PLAN NOW');
    await fixture.proposed('of prompt 2');
    assert.equal(fixture.run('plan', 'comment', 'r1', '13', 'Split this.').code, 0);
    assert.equal(fixture.run('plan', 'reject', 'r1', '--reason', 'Too coarse.').code, 0);
    await fixture.proposed('of prompt 3');
    assert.match(fixture.typed()[2] ?? '', /Too coarse\.[\s\S]*line 13: Split this\./);
    fixture.write('Why so?');
    await eventually('it has answered', () => fixture.eventsOf('planner-waiting').length === 2);
    fixture.write('REPLACE IT');
    await fixture.proposed('replaced');
    assert.equal(fixture.eventsOf('plan-received').length, 3);
    assert.equal(fixture.eventsOf('planning-started').length, 2);
    const approved = fixture.run('plan', 'approve', 'r1');
    assert.equal(approved.code, 0, approved.err);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    await fixture.until(
      'the planner ends',
      (state) => selectSession(state, 's1')?.life.at === 'exited',
    );
    assert.equal(fixture.typed().length, 5, 'each prompt was typed once');
    assert.deepEqual(planners(fixture), ['s1'], 'it is one session');
    assert.equal(fixture.eventsOf('task-begun').length, 1);
  });

  it('is asked once more for a plan that is not valid; then it waits', async (t) => {
    const fixture = createPlannerFixture(t, '--asks');
    await fixture.begin();
    fixture.write('SPOIL IT');
    await fixture.proposed('of prompt 3');
    assert.match(fixture.typed()[2] ?? '', /was not a plan that can be read/);
    assert.equal(fixture.eventsOf('plan-asked-again').length, 1);
    assert.deepEqual(planners(fixture), ['s1']);
  });

  it('goes on after the daemon was killed; after its keeper was, it waits again without a prompt', async (t) => {
    const fixture = createPlannerFixture(t, '--asks');
    await fixture.begin();
    await fixture.killDaemon('SIGKILL');
    fixture.write('PLAN NOW');
    await fixture.proposed('of prompt 2');
    await fixture.killDaemon('SIGKILL');
    assert.equal(fixture.run('plan', 'reject', 'r1', '--reason', 'Too coarse.').code, 0);
    await fixture.proposed('of prompt 3');
    assert.deepEqual(planners(fixture), ['s1']);
    assert.equal(fixture.typed().length, 3, 'nothing was typed twice');
    end(fixture.metaOf('s1').pid, fixture.home);
    await fixture.until(
      'it is open again',
      (state) => selectSession(state, 's2')?.life.at === 'running',
    );
    const {purpose} = selectSession(await fixture.state(), 's2') ?? assert.fail();
    assert.equal(purpose.for === 'plan' && purpose.waits, true);
    assert.equal(fixture.run('plan', 'reject', 'r1', '--reason', 'Once more.').code, 0);
    await fixture.proposed('of prompt 1');
    assert.match(fixture.typed()[3] ?? '', /Once more\./);
    assert.equal(fixture.typed().length, 4);
  });

  it('has no plan if it writes a file: in the turn of its plan, or beside its plan', async (t) => {
    const fixture = createPlannerFixture(t);
    await fixture.begin();
    fixture.write('WRITE IT');
    await fixture.until(
      'its plan is gone',
      (state) => selectRun(state, 'r1')?.stage.at === 'planless',
    );
    assert.deepEqual(fixture.eventsOf('planner-wrote')[0]?.paths, ['written.txt']);
    const later = createPlannerFixture(t);
    await later.begin();
    writeFileSync(path.join(later.worktree('r1.plan'), 'later.txt'), 'later\n');
    const {code, err} = later.run('plan', 'approve', 'r1');
    assert.notEqual(code, 0);
    assert.match(err, /changed files after it handed in its plan[^]*later\.txt/);
    assert.equal(selectRun(await later.state(), 'r1')?.stage.at, 'planless');
  });

  it('must have an interface', async (t) => {
    const fixture = createPlannerFixture(t);
    const rejected = await fixture.objective('--planner', 'pretend', '--planners', 'interactive');
    assert.equal(rejected.code, 2);
    assert.match(
      rejected.err,
      /expected an agent with an interface of its own \(.*talks\), got pretend/,
    );
    const wrong = await fixture.objective('--planners', 'loud');
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /expected --planners interactive or --planners headless, got "loud"/);
  });
});
