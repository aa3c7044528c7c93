import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  isUsageWorthRecording,
  type Limits,
  type LoopKind,
  maxLoops,
  type Observation,
  type RunBudget,
  selectNeeds,
  selectSession,
  selectTask,
  type StopReason,
} from '../../source/domain/index.ts';
import {type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {getTypes, makeWorktree, startSession, thinking, working} from './support/stages.ts';

function withLimits(limits: Partial<Limits> = {}, budget: RunBudget = {}): Harness {
  const harness = working([plannedTask('t1')], budget, {limits: {workers: 4, runs: 2, ...limits}});
  makeWorktree(harness, 'r1.t1');
  startSession(harness, 's2');
  return harness;
}

function getStop(harness: Harness): StopReason | undefined {
  const stage = selectTask(harness.state, 'r1.t1')?.stage;
  return stage?.at === 'stopped' ? stage.why : undefined;
}

function found(
  kind: LoopKind,
  times: number,
  more: Partial<Extract<Observation, {type: 'loop-found'}>> = {},
): Observation {
  return {
    type: 'loop-found',
    session: 's2',
    kind,
    key: 'k',
    evidence: 'npm test',
    times,
    since: 5,
    ...more,
  };
}

const loopNeeds = (harness: Harness): string[] =>
  selectNeeds(harness.state).flatMap((need) =>
    need.kind === 'loop' ? [`${need.loop} ${need.times} ${need.evidence}`] : [],
  );

describe('what an agent uses while it works', () => {
  test('stops the task as soon as it passes the limit of the attempt, and is never counted twice', () => {
    const harness = withLimits({}, {attemptTokens: 1000});
    const count = (input: number, isPartial = true): string[] =>
      getTypes(
        report(harness, {
          type: 'usage-counted',
          session: 's2',
          usage: {input, output: 0},
          ...(isPartial && {isPartial: true as const}),
        }),
      );
    assert.deepEqual(count(400), ['usage-counted']);
    assert.deepEqual(count(400), []);
    assert.deepEqual(count(300), []);
    assert.equal(selectSession(harness.state, 's2')?.usage.input, 400);
    assert.deepEqual(count(1100), ['usage-counted', 'task-stopped']);
    assert.deepEqual(getStop(harness), {kind: 'budget', budget: 'tokens', used: 1100, limit: 1000});
    assert.ok(wantedKeys(harness).includes('s2/stop'));
    report(harness, {type: 'session-exited', session: 's2', code: 1, signal: null});
    assert.match(
      report(harness, {
        type: 'usage-counted',
        session: 's2',
        usage: {input: 5000, output: 0},
        isPartial: true,
      }).refused ?? '',
      /counted when it ends/,
    );
    // What is counted at the end wins, also where it is less.
    assert.deepEqual(count(1050, false), ['usage-counted']);
    assert.equal(selectSession(harness.state, 's2')?.usage.input, 1050);
  });

  test('halts the whole run when the budget of the run is passed', () => {
    const harness = withLimits({}, {tokens: 1000});
    assert.deepEqual(
      getTypes(
        report(harness, {
          type: 'usage-counted',
          session: 's2',
          usage: {input: 1200, output: 0},
          isPartial: true,
        }),
      ),
      ['usage-counted', 'budget-exhausted'],
    );
  });

  test('of the planner counts for the run, too: it is halted, and goes on with more', () => {
    const harness = thinking({tokens: 1000});
    startSession(harness, 's1');
    assert.deepEqual(
      getTypes(
        report(harness, {
          type: 'usage-counted',
          session: 's1',
          usage: {input: 1200, output: 0},
          isPartial: true,
        }),
      ),
      ['usage-counted', 'budget-exhausted'],
    );
    assert.deepEqual(wantedKeys(harness), ['s1/stop']);
    report(harness, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
    assert.deepEqual(
      getTypes(userCommand(harness, {type: 'extend-budget', run: 'r1', tokens: 5000})),
      ['budget-extended', 'planning-interrupted', 'session-asked'],
    );
  });

  test('is written down in bounded steps: at a twentieth of a limit, when a limit is passed, else now and then', () => {
    const harness = withLimits({}, {attemptTokens: 20_000});
    const session = selectSession(harness.state, 's2') ?? assert.fail();
    const isNews = (input: number, sinceMs: number): boolean =>
      isUsageWorthRecording(harness.state, session, {input, output: 0}, sinceMs);
    assert.deepEqual(
      [
        isNews(0, 60_000),
        isNews(999, 100),
        isNews(1000, 100),
        isNews(1, 15_000),
        isNews(20_000, 0),
      ],
      [false, false, true, true, true],
    );
    report(harness, {
      type: 'usage-counted',
      session: 's2',
      usage: {input: 19_900, output: 0},
      isPartial: true,
    });
    const near = selectSession(harness.state, 's2') ?? assert.fail();
    assert.deepEqual(
      [
        isUsageWorthRecording(harness.state, near, {input: 19_999, output: 0}, 100),
        isUsageWorthRecording(harness.state, near, {input: 20_000, output: 0}, 100),
      ],
      [false, true],
    );
    const free = withLimits();
    assert.equal(
      isUsageWorthRecording(
        free.state,
        selectSession(free.state, 's2') ?? assert.fail(),
        {input: 1_000_000, output: 0},
        100,
      ),
      false,
    );
  });
});

describe('a service that fails', () => {
  test('is shown with its count and start, until the service answers or the session ends', () => {
    const harness = withLimits();
    const retry = (times: number): string[] =>
      getTypes(
        report(harness, {
          type: 'retry-noticed',
          session: 's2',
          since: 3,
          times,
          words: 'overloaded',
          status: 529,
        }),
      );
    assert.deepEqual([retry(1), retry(1), retry(2)], [['retry-noticed'], [], ['retry-noticed']]);
    assert.deepEqual(selectSession(harness.state, 's2')?.retrying, {
      since: 3,
      times: 2,
      words: 'overloaded',
      status: 529,
    });
    assert.deepEqual(getTypes(report(harness, {type: 'retry-ended', session: 's2'})), [
      'retry-ended',
    ]);
    assert.deepEqual(getTypes(report(harness, {type: 'retry-ended', session: 's2'})), []);
    retry(3);
    report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
    assert.equal(selectSession(harness.state, 's2')?.retrying, undefined);
    assert.match(
      report(harness, {type: 'retry-noticed', session: 's2', since: 3, times: 4, words: ''})
        .refused ?? '',
      /does not run/,
    );
  });
});

describe('an agent that goes in circles', () => {
  const table: readonly (readonly [string, Partial<Limits>, Observation, boolean])[] = [
    ['the usual limit of calls', {}, found('same-calls', 8), true],
    ['one call less', {}, found('same-calls', 7), false],
    ['a poll, which may come more often', {}, found('same-calls', 8, {weight: 5}), false],
    ['a poll that comes far too often', {}, found('same-calls', 40, {weight: 5}), true],
    ['the usual limit of failures', {}, found('same-failures', 4), true],
    ['edits that undo each other', {}, found('undone-edits', 3), true],
    ['one undone edit less', {}, found('undone-edits', 2), false],
    ['half an hour without a change', {}, found('unchanged', 30), true],
    ['less than half an hour', {}, found('unchanged', 29), false],
    ['a limit of the project', {sameCalls: 3}, found('same-calls', 3), true],
    ['a limit that is off', {sameCalls: 0}, found('same-calls', 1000), false],
  ];
  for (const [name, limits, saw, isReported] of table) {
    test(`${name}: ${isReported ? 'a need' : 'nothing'}`, () => {
      const harness = withLimits(limits);
      assert.deepEqual(getTypes(report(harness, saw)), isReported ? ['loop-noticed'] : []);
      assert.equal(loopNeeds(harness).length, isReported ? 1 : 0);
      assert.ok(wantedKeys(harness).includes('s2/run'), 'it goes on');
    });
  }

  test('once acknowledged the session goes on; the same loop is not reported again, another one is', () => {
    const harness = withLimits();
    report(harness, found('same-calls', 8));
    assert.deepEqual(loopNeeds(harness), ['same-calls 8 npm test']);
    assert.match(
      userCommand(harness, {type: 'acknowledge-loop', session: 's2', number: 2}).refused ?? '',
      /no open loop 2/,
    );
    assert.deepEqual(
      getTypes(userCommand(harness, {type: 'acknowledge-loop', session: 's2', number: 1})),
      ['loop-seen'],
    );
    assert.deepEqual(getTypes(report(harness, found('same-calls', 90))), []);
    assert.deepEqual(loopNeeds(harness), []);
    assert.deepEqual(getTypes(report(harness, found('same-calls', 8, {key: 'other'}))), [
      'loop-noticed',
    ]);
    assert.match(
      userCommand(harness, {type: 'acknowledge-loop', session: 's2', number: 1}).refused ?? '',
      /no open loop 1/,
    );
  });

  test('with onLoop: stop the task stops and says why; with an acknowledged sign it does not', () => {
    const harness = withLimits({onLoop: 'stop'});
    assert.deepEqual(getTypes(report(harness, found('same-failures', 4))), [
      'loop-noticed',
      'task-stopped',
    ]);
    assert.deepEqual(getStop(harness), {
      kind: 'loop',
      loop: 'same-failures',
      evidence: 'npm test',
      times: 4,
      since: 5,
    });
    const seen = withLimits();
    report(seen, found('same-failures', 4));
    userCommand(seen, {type: 'acknowledge-loop', session: 's2', number: 1});
    report(seen, {
      type: 'project-read',
      project: {services: [], limits: {workers: 4, runs: 2, onLoop: 'stop'}},
    });
    assert.ok(wantedKeys(seen).includes('s2/run'));
  });

  test('cannot fill the journal, and nobody else is one', () => {
    const harness = withLimits();
    for (let number = 0; number < 100; number += 1)
      report(harness, found('same-calls', 8, {key: String(number)}));
    assert.equal(selectSession(harness.state, 's2')?.loops?.length, maxLoops);
    assert.match(
      report(harness, found('same-calls', 8, {session: 's9'})).refused ?? '',
      /does not run/,
    );
  });
});
