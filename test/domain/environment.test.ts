import assert from 'node:assert/strict';
import {test} from 'node:test';
import {changedVariables, environmentHashOf, runOf, type Event} from '../../source/domain/index.ts';
import {createHouse, wish, type House} from './support/house.ts';
import {environment, otherEnvironment} from './support/samples.ts';

const request = {objective: 'x', worker: 'w', planner: 'p', queued: false};

function started(kept = true): House {
  const house = createHouse();
  wish(house, {type: 'start-run', request, budget: {}, ...(kept ? {environment} : {})});
  return house;
}

const refreshedIn = (events: readonly Event[]): readonly (readonly string[])[] =>
  events.flatMap((event) => (event.type === 'environment-refreshed' ? [event.changed] : []));

test('a run has the environment that it was asked for in from its first event on', () => {
  const house = started();
  assert.deepEqual(
    house.events.find(({type}) => type === 'run-created'),
    {type: 'run-created', at: house.time, run: 'r1', request, budget: {}, environment},
  );
  assert.deepEqual(runOf(house.state, 'r1')!.environment, {...environment, at: house.time});
  assert.equal(environmentHashOf(runOf(house.state, 'r1')!), 'whole-1');
});

test('a run of an older journal has none, and can be given one', () => {
  const house = started(false);
  assert.equal(environmentHashOf(runOf(house.state, 'r1')!), undefined);
  assert.deepEqual(
    refreshedIn(wish(house, {type: 'refresh-environment', run: 'r1', environment}).events),
    [['HOME', 'PATH']],
  );
  assert.equal(environmentHashOf(runOf(house.state, 'r1')!), 'whole-1');
});

test('renewing names what changed, and counts also when nothing did', () => {
  const house = started();
  assert.deepEqual(
    refreshedIn(
      wish(house, {type: 'refresh-environment', run: 'r1', environment: otherEnvironment}).events,
    ),
    [['PATH', 'VIRTUAL_ENV']],
  );
  assert.deepEqual(runOf(house.state, 'r1')!.environment, {...otherEnvironment, at: house.time});
  assert.deepEqual(
    refreshedIn(
      wish(house, {type: 'refresh-environment', run: 'r1', environment: otherEnvironment}).events,
    ),
    [[]],
  );
});

test('it is refused for what is not there, is over, or comes without an environment', () => {
  const house = started();
  assert.match(
    wish(house, {type: 'refresh-environment', run: 'r9', environment}).refused ?? '',
    /there is no run r9/,
  );
  assert.match(
    wish(house, {type: 'refresh-environment', run: 'r1'}).refused ?? '',
    /no environment came/,
  );
  wish(house, {type: 'discard', what: 'r1'});
  assert.match(
    wish(house, {type: 'refresh-environment', run: 'r1', environment}).refused ?? '',
    /r1 is over: discarded/,
  );
});

test('changed are those with another hash, those that came and those that went', () => {
  const of = (text: string): {readonly name: string; readonly hash: string}[] =>
    text
      .split(' ')
      .filter((part) => part !== '')
      .map((part) => ({name: part.slice(0, 1), hash: part.slice(1)}));
  for (const [before, after, changed] of [
    ['A1 B1', 'A1 B1', []],
    ['B1 A1', 'A1 B1', []],
    ['A1', 'A2', ['A']],
    ['A1', '', ['A']],
    ['', 'A1', ['A']],
    ['C1 A1', 'A2 B1 C1', ['A', 'B']],
  ] as const) {
    assert.deepEqual(changedVariables(of(before), of(after)), changed, `${before} -> ${after}`);
  }
});
