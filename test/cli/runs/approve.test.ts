import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {
  ConnectionLostError,
  type LiveState,
  RequestRejectedError,
} from '../../../source/client/index.ts';
import {createFirstApproval} from '../../../source/cli/runs/approve.ts';
import {planHash} from '../../../source/plan/index.ts';
import {type Run, selectRuns, type State} from '../../../source/domain/index.ts';
import {createFixture, type LoopFixture} from '../../e2e/loop/support/loop-fixture.ts';

const otherRules =
  '# 1. Constraints\n- Be kind.\n\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n';

/** At work until the test lets it go on. */
const waits = 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo x > t1.txt';

function letGo({home}: LoopFixture): void {
  writeFileSync(path.join(home, 'go'), '');
}

function approvals(fixture: LoopFixture): number {
  return fixture.eventsOf('plan-approved').length;
}

/** What makes a run that is approved and at work ask for an approval again. */
const changes: Readonly<Record<string, (fixture: LoopFixture) => Promise<unknown>>> = {
  'the rules changed': (fixture) => {
    fixture.write('.rulesfile.md', otherRules);
    return Promise.resolve();
  },
  'the plan was edited': async (fixture) => {
    const {stage: at} = selectRuns(await fixture.state())[0]!;
    assert.ok(at.at === 'working');
    const {plan} = at.proposal;
    const edited = {
      ...plan,
      tasks: plan.tasks.map((task) =>
        task.id === 't2' ? {...task, files: ['t2.txt', 'more.txt']} : task,
      ),
    };
    return fixture.ask({
      about: 'wish',
      wish: {type: 'edit-plan', run: 'r1', plan: edited, hash: planHash(edited)},
    });
  },
};

describe('run --approve', () => {
  for (const [name, change] of Object.entries(changes)) {
    for (const json of [false, true]) {
      it(`approves the first plan that it showed, and asks when ${name} during the work${json ? ', in JSON too' : ''}`, async (t) => {
        const fixture = createFixture(t, {
          tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
          acts: {t1: waits},
        });
        const running = fixture.objective('--approve', ...(json ? ['--json'] : []));
        await fixture.until('it works', () => fixture.eventsOf('session-running').length === 2);
        assert.equal(approvals(fixture), 1);
        await change(fixture);
        letGo(fixture);
        const {code, out, err} = await running;
        assert.equal(code, 3, `${out}${err}`);
        assert.equal(approvals(fixture), 1, 'it is the person who is asked');
        assert.match(
          err,
          /^orchestra: --approve approved only the first plan; r1 asks again.*orchestra plan approve r1\n$/,
        );
        if (!json) assert.match(out, /orchestra plan approve r1\n/);
        assert.equal(fixture.eventsOf('task-merged').length, 0);
      });
    }
  }

  it('asks when what it showed has changed before the approval reached the daemon', async (t) => {
    // The planner itself changes the rules while it plans: the run was begun with others.
    const fixture = createFixture(t, {
      acts: {
        plan: `printf '${otherRules.replaceAll('\n', '\\n')}' > "$HOME/repository/.rulesfile.md"; exec sh "$PRETEND/plan-plainly.sh"`,
      },
    });
    const {code, out, err} = await fixture.objective('--approve');
    assert.equal(code, 3, `${out}${err}`);
    assert.equal(approvals(fixture), 0);
    assert.match(out, /Be kind/, 'what is asked about is what is there now');
    assert.match(out, /orchestra plan approve r1\n/);
  });

  it('does not approve again when the daemon exits in between', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
      acts: {t1: waits},
    });
    const running = fixture.objective('--approve');
    await fixture.until('it works', () => fixture.eventsOf('session-running').length === 2);
    await fixture.killDaemon('SIGKILL');
    fixture.write('.rulesfile.md', otherRules);
    letGo(fixture);
    const {code, out, err} = await running;
    assert.equal(code, 3, `${out}${err}`);
    assert.equal(approvals(fixture), 1);
  });

  it('brings a run to its end when nothing changes', async (t) => {
    const fixture = createFixture(t, {tasks: [{id: 't1'}, {id: 't2', after: ['t1']}]});
    const {code, err} = await fixture.objective('--approve');
    assert.equal(code, 0, err);
    assert.equal(err, '');
    assert.equal(approvals(fixture), 1);
  });
});

type Bound = {readonly plan: string; readonly rules: string; readonly base: string};

function reviewed({plan, rules, base}: Bound): Run {
  return {
    id: 'r1',
    stage: {
      at: 'reviewing',
      proposal: {hash: plan, plan: {validation: []}},
      ground: {rules: {hash: rules, checks: []}, base},
    },
  } as unknown as Run;
}

/** A daemon that answers as it is told to; what it was asked is kept. */
function daemonThat(
  answers: () => Promise<unknown>,
  known: Run,
): {readonly live: LiveState; readonly asked: unknown[]} {
  const asked: unknown[] = [];
  const state = {runs: {size: 1, pages: [[known]]}} as unknown as State;
  const live = {
    state: () => state,
    until: (is: (state: State) => boolean) =>
      is(state) ? Promise.resolve(state) : new Promise(() => undefined),
    ask: async ({wish}: {readonly wish: unknown}) => {
      asked.push(wish);
      return answers();
    },
  } as unknown as LiveState;
  return {live, asked};
}

describe('the first approval', () => {
  const first = {plan: 'p', rules: 'r', base: 'b'};
  const others = [
    {...first, plan: 'p2'},
    {...first, rules: 'r2'},
    {...first, base: 'b2'},
  ];

  it('is given once, for all three that were shown, and never again, not even for the same', async () => {
    const approval = createFirstApproval();
    const {live, asked} = daemonThat(() => Promise.resolve({}), reviewed(first));
    let shown = 0;
    assert.equal(
      await approval.give(live, reviewed(first), () => {
        shown += 1;
      }),
      true,
    );
    for (const later of [first, ...others])
      assert.equal(
        await approval.give(live, reviewed(later), () => {
          shown += 1;
        }),
        false,
      );
    assert.deepEqual(asked, [{type: 'approve-plan', run: 'r1', ...first}]);
    assert.equal(shown, 1);
  });

  it('is given again, after the daemon was lost in the middle of it, for what was shown and for nothing else', async () => {
    for (const later of [first, ...others]) {
      const approval = createFirstApproval();
      const missing = daemonThat(() => Promise.reject(new ConnectionLostError()), reviewed(first));
      await assert.rejects(
        approval.give(missing.live, reviewed(first), () => undefined),
        ConnectionLostError,
      );
      const next = daemonThat(() => Promise.resolve({}), reviewed(later));
      assert.equal(
        await approval.give(next.live, reviewed(later), () => undefined),
        later === first,
      );
      assert.equal(next.asked.length, later === first ? 1 : 0);
    }
  });

  it('that is refused because something else is there by now asks; any other refusal is told', async () => {
    for (const now of others)
      assert.equal(
        await createFirstApproval().give(
          daemonThat(() => Promise.reject(new RequestRejectedError('changed')), reviewed(now)).live,
          reviewed(first),
          () => undefined,
        ),
        false,
      );
    await assert.rejects(
      createFirstApproval().give(
        daemonThat(
          () => Promise.reject(new RequestRejectedError('only a person may')),
          reviewed(first),
        ).live,
        reviewed(first),
        () => undefined,
      ),
      /only a person may/,
    );
  });
});
