import assert from 'node:assert/strict';
import {scaled} from '../support/scale.ts';
import {test} from 'node:test';
import {
  emptyState,
  eventTypes,
  evolve,
  selectOpenRuns,
  selectRuns,
  type State,
  wanted,
} from '../../source/domain/index.ts';
import type {Harness} from './support/harness.ts';
import {runRandomHistory} from './support/random-history.ts';

const histories = Number(process.env['HISTORIES'] ?? scaled(2000));
const first = Number(process.env['FIRST_HISTORY'] ?? 1);

test(`${histories} random histories: limits and order hold after every event, replay is equal, and they settle`, () => {
  let events = 0;
  let ended = 0;
  const seen = new Set<string>();
  for (let seed = first; seed < first + histories; seed++) {
    try {
      const {harness, simulator} = runRandomHistory(seed);
      assertReplays(harness);
      assertOver(harness.state);
      assert.deepEqual(
        [...simulator.acts.values()].filter((acts) => acts !== 1),
        [],
        'every effect was acted on once',
      );
      events += harness.events.length;
      for (const {type} of harness.events) seen.add(type);
      ended += selectRuns(harness.state).length;
    } catch (error) {
      throw new Error(`history ${seed} (FIRST_HISTORY=${seed} HISTORIES=1 tells it again)`, {
        cause: error,
      });
    }
  }

  assert.ok(events > histories * 40, `the histories are short: ${events} events`);
  assert.ok(ended >= histories);
  if (histories >= 5000)
    assert.deepEqual(
      eventTypes.filter((type) => !seen.has(type)),
      [],
      'everything that can happen has happened',
    );
});

const interactive = scaled(200);

test(`${interactive} random histories with planners in their own interface hold, replay and settle`, () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= interactive; seed++) {
    try {
      const {harness, simulator} = runRandomHistory(seed, undefined, {planners: 'interactive'});
      assertReplays(harness);
      assertOver(harness.state);
      assert.deepEqual(
        [...simulator.acts.values()].filter((acts) => acts !== 1),
        [],
        'every effect was acted on once',
      );
      for (const event of harness.events) {
        seen.add(event.type);
        if (event.type === 'plan-received' && event.replaces !== undefined) seen.add('replaced');
      }
    } catch (error) {
      throw new Error(`interactive history ${seed}`, {cause: error});
    }
  }

  for (const type of ['planner-waiting', 'planner-continued', 'replaced'])
    assert.ok(seen.has(type), `no history has ${type}`);
});

function assertReplays(harness: Harness): void {
  assert.deepEqual(
    harness.events.reduce(evolve, emptyState),
    harness.state,
    'the journal folds to the same state',
  );
  const written = harness.events.map((event) => JSON.parse(JSON.stringify(event)) as typeof event);
  assert.deepEqual(
    written.reduce(evolve, emptyState),
    harness.state,
    'and so does what was written down of it',
  );
}

function assertOver(state: State): void {
  assert.deepEqual(
    selectOpenRuns(state).map(({id, stage}) => `${id} is ${stage.at}`),
    [],
    'every run came to its end',
  );
  assert.deepEqual(
    selectRuns(state).flatMap(({tasks}) =>
      tasks.flatMap(({id, messages = []}) =>
        messages
          .filter(({fate}) => fate === 'pending' || fate === 'queued')
          .map(({number, fate}) => `message ${number} to ${id} is ${fate}`),
      ),
    ),
    [],
    'the fate of every message is known',
  );
  const left = wanted(state).filter(
    (effect) =>
      effect.do !== 'run-session' && effect.do !== 'watch-service' && effect.do !== 'wait',
  );
  assert.deepEqual(left, [], 'nothing is left to do');
}
