import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nextRefresh} from '../../../source/app/model/refresh.ts';
import {answer, busy, type Fixture, happen, open, press} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function getStage(): Fixture {
  const {harness, now, left} = tokenStory();
  const fixture = open(harness.state, now);
  answer(fixture, harness, left);
  press(fixture, 'w');
  fixture.effects.length = 0;
  return fixture;
}

function pass(fixture: Fixture, ms: number): string[] {
  fixture.now += ms;
  fixture.effects.length = 0;
  happen(fixture, {type: 'time-passed'});
  return fixture.effects.map((effect) => (effect.type === 'ask' ? effect.name : effect.type));
}

test('what the panes in view use of the machine is asked for every ten seconds, and not while nobody looks', () => {
  const fixture = getStage();
  assert.deepEqual(pass(fixture, 0), ['usage']);
  assert.deepEqual(pass(fixture, 9000), []);
  assert.equal(nextRefresh(fixture.model, fixture.state, fixture.now), 1000);
  assert.deepEqual(pass(fixture, 1000), ['usage']);
  happen(fixture, {type: 'focus-changed', isFocused: false});
  assert.deepEqual(pass(fixture, 60_000), []);
  assert.equal(nextRefresh(fixture.model, fixture.state, fixture.now), undefined);
  happen(fixture, {type: 'focus-changed', isFocused: true});
  assert.deepEqual(pass(fixture, 0), ['usage']);
});

test('a session that has ended is not asked about', () => {
  const fixture = getStage();
  press(fixture, 'k');
  assert.deepEqual(pass(fixture, 10_000), []);
});

test('usage that reads the same changes nothing at all', () => {
  const fixture = getStage();
  happen(fixture, {
    type: 'answered',
    name: 'usage',
    value: {at: 0, usage: {s14: {cpu: 0.12, memory: 84_000_000, processes: 3}}},
  });
  const before = fixture.model;
  happen(fixture, {
    type: 'answered',
    name: 'usage',
    value: {at: 0, usage: {s14: {cpu: 0.1201, memory: 84_100_000, processes: 4}}},
  });
  assert.equal(fixture.model, before);
});

test('one question is asked about all the panes in view, and what was told of one that is not in the answer stays', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  answer(fixture, harness);
  press(fixture, 'w');
  fixture.effects.length = 0;
  pass(fixture, 10_000);
  assert.deepEqual(fixture.effects, [
    {type: 'ask', name: 'usage', question: {about: 'usage', sessions: ['s2', 's3', 's4']}},
  ]);
  answer(fixture, harness);
  happen(fixture, {
    type: 'answered',
    name: 'usage',
    value: {at: 0, usage: {s2: {cpu: 1, memory: 2e6, processes: 1}, s3: null, s4: {cpu: 'much'}}},
  });
  assert.deepEqual(
    Object.entries(fixture.model.answers.usage ?? {}).map(([session, {cpu}]) => [session, cpu]),
    [
      ['s2', 1],
      ['s3', 0.12],
      ['s4', 0.12],
    ],
  );
});

test('a daemon of an older build, which does not know the question, leaves the titles without figures and is no trouble', () => {
  const fixture = getStage();
  assert.deepEqual(pass(fixture, 10_000), ['usage']);
  const before = fixture.model;
  happen(fixture, {
    type: 'refused',
    name: 'usage',
    text: 'this daemon (0.3.0) does not understand the question; `orchestra daemon restart` keeps every session',
  });
  assert.deepEqual(fixture.model, before);
  assert.equal(fixture.model.notice, undefined);
  assert.equal(fixture.model.answers.usage, undefined);
});

test('a screen that was told something asks again when something has happened, at most every two seconds', () => {
  const fixture = getStage();
  const {harness} = tokenStory();
  press(fixture, 't');
  answer(fixture, harness);
  assert.deepEqual(pass(fixture, 10_000), []);
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.deepEqual(pass(fixture, 0), ['timeline']);
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.deepEqual(pass(fixture, 1000), []);
  assert.deepEqual(pass(fixture, 1000), ['timeline']);
});

test('the brief is asked for again since the same moment: looking twice is one visit', () => {
  const {harness, now, left} = tokenStory();
  const fixture = open(harness.state, now);
  answer(fixture, harness, left);
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  fixture.effects.length = 0;
  happen(fixture, {type: 'time-passed'});
  assert.deepEqual(fixture.effects, [
    {type: 'ask', name: 'brief', question: {about: 'brief', since: left}},
  ]);
});

test('the timeline opens at its end, and stays there as it grows unless one looks at something earlier', () => {
  const fixture = getStage();
  const {harness} = tokenStory();
  press(fixture, 't');
  answer(fixture, {events: harness.events.slice(0, -20)});
  const length = (): number => fixture.model.answers.timeline?.entries.length ?? 0;
  const cursor = (): number => Math.min(length() - 1, fixture.model.places.timeline.cursor);
  assert.equal(cursor(), length() - 1);
  press(fixture, 'up', 'down');
  const grow = (): void => {
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    pass(fixture, 3000);
    answer(fixture, harness);
  };
  grow();
  assert.equal(cursor(), length() - 1);
  press(fixture, 'up', 'up');
  const before = cursor();
  grow();
  assert.equal(cursor(), before);
});
