import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Event, findChangedVariables, selectRun} from '../../source/domain/index.ts';
import {createHarness, type Harness, userCommand} from './support/harness.ts';
import {environment, otherEnvironment} from './support/samples.ts';

const request = {objective: 'x', worker: 'w', planner: 'p', queued: false};

function started(retained = true): Harness {
  const harness = createHarness();
  userCommand(harness, {
    type: 'start-run',
    request,
    budget: {},
    ...(retained ? {environment} : {}),
  });
  return harness;
}

const refreshedIn = (events: readonly Event[]): readonly (readonly string[])[] =>
  events.flatMap((event) => (event.type === 'environment-refreshed' ? [event.changed] : []));

test('a run has the environment that it was asked for in from its first event on', () => {
  const harness = started();
  assert.deepEqual(
    harness.events.find(({type}) => type === 'run-created'),
    {type: 'run-created', at: harness.time, run: 'r1', request, budget: {}, environment},
  );
  assert.deepEqual(selectRun(harness.state, 'r1')!.environment, {...environment, at: harness.time});
  assert.equal(selectRun(harness.state, 'r1')!.environment?.hash, 'whole-1');
});

test('a run of an older journal has none, and can be given one', () => {
  const harness = started(false);
  assert.equal(selectRun(harness.state, 'r1')!.environment?.hash, undefined);
  assert.deepEqual(
    refreshedIn(userCommand(harness, {type: 'refresh-environment', run: 'r1', environment}).events),
    [['HOME', 'PATH']],
  );
  assert.equal(selectRun(harness.state, 'r1')!.environment?.hash, 'whole-1');
});

test('renewing names what changed, and counts also when nothing did', () => {
  const harness = started();
  assert.deepEqual(
    refreshedIn(
      userCommand(harness, {type: 'refresh-environment', run: 'r1', environment: otherEnvironment})
        .events,
    ),
    [['PATH', 'VIRTUAL_ENV']],
  );
  assert.deepEqual(selectRun(harness.state, 'r1')!.environment, {
    ...otherEnvironment,
    at: harness.time,
  });
  assert.deepEqual(
    refreshedIn(
      userCommand(harness, {type: 'refresh-environment', run: 'r1', environment: otherEnvironment})
        .events,
    ),
    [[]],
  );
});

test('it is refused for what is not there, is over, or comes without an environment', () => {
  const harness = started();
  assert.match(
    userCommand(harness, {type: 'refresh-environment', run: 'r9', environment}).refused ?? '',
    /there is no run r9/,
  );
  assert.match(
    userCommand(harness, {type: 'refresh-environment', run: 'r1'}).refused ?? '',
    /the request has no environment/,
  );
  userCommand(harness, {type: 'discard', what: 'r1'});
  assert.match(
    userCommand(harness, {type: 'refresh-environment', run: 'r1', environment}).refused ?? '',
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
    assert.deepEqual(findChangedVariables(of(before), of(after)), changed, `${before} -> ${after}`);
  }
});
