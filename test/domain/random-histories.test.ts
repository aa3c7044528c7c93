import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  emptyState,
  eventTypes,
  evolve,
  openRunsOf,
  runsOf,
  wanted,
  type State,
} from '../../source/domain/index.ts';
import type {House} from './support/house.ts';
import {live} from './support/live.ts';

const histories = Number(process.env['HISTORIES'] ?? 2000);
const first = Number(process.env['FIRST_HISTORY'] ?? 1);

test(`${histories} random histories: limits and order hold after every event, replay is equal, and they settle`, () => {
  let events = 0;
  let ended = 0;
  const seen = new Set<string>();
  for (let seed = first; seed < first + histories; seed++) {
    try {
      const {house, world} = live(seed);
      assertReplays(house);
      assertOver(house.state);
      assert.deepEqual(
        [...world.acts.values()].filter((acts) => acts !== 1),
        [],
        'every effect was acted on once',
      );
      events += house.events.length;
      for (const {type} of house.events) seen.add(type);
      ended += runsOf(house.state).length;
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

function assertReplays(house: House): void {
  assert.deepEqual(
    house.events.reduce(evolve, emptyState),
    house.state,
    'the journal folds to the same state',
  );
  const written = house.events.map((event) => JSON.parse(JSON.stringify(event)) as typeof event);
  assert.deepEqual(
    written.reduce(evolve, emptyState),
    house.state,
    'and so does what was written down of it',
  );
}

function assertOver(state: State): void {
  assert.deepEqual(
    openRunsOf(state).map(({id, stage}) => `${id} is ${stage.at}`),
    [],
    'every run came to its end',
  );
  const left = wanted(state).filter(
    (effect) =>
      effect.do !== 'run-session' && effect.do !== 'watch-service' && effect.do !== 'wait',
  );
  assert.deepEqual(left, [], 'nothing is left to do');
}
