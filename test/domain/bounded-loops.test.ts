import assert from 'node:assert/strict';
import {scaled} from '../support/scale.ts';
import {test} from 'node:test';
import {selectOpenRuns, selectSession, wanted} from '../../source/domain/index.ts';
import {createRandom} from '../support/random.ts';
import {advanceSession, demandingAgent, respondRandomly} from './support/effect-responders.ts';
import {after, endlessScenarios} from './support/endless-scenarios.ts';
import {type BoundedRunResult, continueAlways, runUntilIdle} from './support/run-until-idle.ts';

/** Limits on started sessions and recorded events before a person is asked. */
const max = {starts: 60, events: 700};

/** Nothing continues by itself, and a person is asked or every run has ended. */
function assertBounded({harness, starts, needs, answers}: BoundedRunResult, limits = max): void {
  assert.ok(
    starts <= limits.starts * (answers + 1),
    `${starts} starts, with ${answers} answers of a person`,
  );
  assert.ok(
    harness.events.length <= limits.events * (answers + 1),
    `${harness.events.length} events, with ${answers} answers of a person`,
  );
  const left = wanted(harness.state).filter(
    (effect) =>
      effect.do !== 'run-session' &&
      effect.do !== 'watch-service' &&
      effect.do !== 'prepare-worktrees' &&
      effect.do !== 'stop-session',
  );
  assert.deepEqual(left, [], 'nothing is under way');
  assert.ok(
    needs.length > 0 || selectOpenRuns(harness.state).length === 0,
    'a person is asked, or it is over',
  );
}

for (const {name, options, needs, starts} of endlessScenarios) {
  test(`${name} ends in a need`, () => {
    const result = runUntilIdle(options);
    assertBounded(result, {...max, ...(starts === undefined ? {} : {starts})});
    const kinds = result.needs.map((need) => need.kind);
    for (const expected of needs)
      assert.ok(kinds.includes(expected), `expected ${expected} among ${kinds.join(', ')}`);
    assert.ok(
      kinds.filter((found) => found === needs[0]).length >=
        needs.filter((one) => one === needs[0]).length,
      kinds.join(', '),
    );
  });

  test(`${name}: a person who says "go on" five times gets five times as much, and no more`, () => {
    assertBounded(runUntilIdle({...options, maxAnswers: 5}));
  });
}

test('an agent that asks for everything, without end, gets a bounded amount of it', () => {
  const result = runUntilIdle({
    agent: demandingAgent,
    respond: after((state, effect) =>
      effect.do === 'run-session'
        ? advanceSession(selectSession(state, effect.session)!, undefined)
        : 'usual',
    ),
  });
  assertBounded(result, {starts: 200, events: 1500});
  assert.ok(
    result.harness.state.intrusions.length <= 12,
    `${result.harness.state.intrusions.length} notices of one thing`,
  );
  assert.ok(result.harness.state.notes.length <= 50);
});

const seeds = Number(process.env['SCENARIOS'] ?? scaled(300));

test(`${seeds} random scenarios with people who always continue: everything settles`, () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = createRandom(`adversary-${seed}`);
    const maxAnswers = random.below(8);
    try {
      const result = runUntilIdle({
        respond: respondRandomly(random),
        maxAnswers,
        answer: continueAlways,
        ...(random.chance(0.3) ? {setup: 'npm ci'} : {}),
        ...(random.chance(0.3) ? {agent: demandingAgent} : {}),
      });
      assertBounded(result, {starts: 250, events: 2500});
    } catch (error) {
      throw new Error(`scenario ${seed}`, {cause: error});
    }
  }
});
