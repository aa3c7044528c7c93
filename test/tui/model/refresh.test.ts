import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nextRefresh} from '../../../source/tui/model/refresh.ts';
import {answer, busy, happen, open, press, tokenStory, type Stage} from '../screens/scenes.ts';

function stageOf(): Stage {
  const {house, now, left} = tokenStory();
  const stage = open(house.state, now);
  answer(stage, house, left);
  press(stage, 'enter');
  stage.effects.length = 0;
  return stage;
}

function pass(stage: Stage, ms: number): string[] {
  stage.now += ms;
  stage.effects.length = 0;
  happen(stage, {type: 'time-passed'});
  return stage.effects.map((effect) => (effect.type === 'ask' ? effect.name : effect.type));
}

test('what the panes in view use of the machine is asked for every ten seconds, and not while nobody looks', () => {
  const stage = stageOf();
  assert.deepEqual(pass(stage, 0), ['usage']);
  assert.deepEqual(pass(stage, 9000), []);
  assert.equal(nextRefresh(stage.model, stage.state, stage.now), 1000);
  assert.deepEqual(pass(stage, 1000), ['usage']);
  happen(stage, {type: 'focus-changed', isFocused: false});
  assert.deepEqual(pass(stage, 60_000), []);
  assert.equal(nextRefresh(stage.model, stage.state, stage.now), undefined);
  happen(stage, {type: 'focus-changed', isFocused: true});
  assert.deepEqual(pass(stage, 0), ['usage']);
});

test('a session that has ended is not asked about', () => {
  const stage = stageOf();
  press(stage, 'k');
  assert.deepEqual(pass(stage, 10_000), []);
});

test('usage that reads the same changes nothing at all', () => {
  const stage = stageOf();
  happen(stage, {
    type: 'answered',
    name: 'usage',
    value: {at: 0, usage: {s14: {cpu: 0.12, memory: 84_000_000, processes: 3}}},
  });
  const before = stage.model;
  happen(stage, {
    type: 'answered',
    name: 'usage',
    value: {at: 0, usage: {s14: {cpu: 0.1201, memory: 84_100_000, processes: 4}}},
  });
  assert.equal(stage.model, before);
});

test('one question is asked about all the panes in view, and what was told of one that is not in the answer stays', () => {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  answer(stage, house);
  press(stage, 'enter');
  stage.effects.length = 0;
  pass(stage, 10_000);
  assert.deepEqual(stage.effects, [
    {type: 'ask', name: 'usage', question: {about: 'usage', sessions: ['s2', 's3', 's4']}},
  ]);
  answer(stage, house);
  happen(stage, {
    type: 'answered',
    name: 'usage',
    value: {at: 0, usage: {s2: {cpu: 1, memory: 2e6, processes: 1}, s3: null, s4: {cpu: 'much'}}},
  });
  assert.deepEqual(
    Object.entries(stage.model.answers.usage ?? {}).map(([session, {cpu}]) => [session, cpu]),
    [
      ['s2', 1],
      ['s3', 0.12],
      ['s4', 0.12],
    ],
  );
});

test('a daemon of an older build, which does not know the question, leaves the titles without figures and is no trouble', () => {
  const stage = stageOf();
  assert.deepEqual(pass(stage, 10_000), ['usage']);
  const before = stage.model;
  happen(stage, {
    type: 'refused',
    name: 'usage',
    words:
      'this daemon (0.3.0) does not understand the question; `orchestra daemon restart` keeps every session',
  });
  assert.deepEqual(stage.model, before);
  assert.equal(stage.model.notice, undefined);
  assert.equal(stage.model.answers.usage, undefined);
});

test('a screen that was told something asks again when something has happened, at most every two seconds', () => {
  const stage = stageOf();
  const {house} = tokenStory();
  press(stage, 't');
  answer(stage, house);
  assert.deepEqual(pass(stage, 10_000), []);
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  assert.deepEqual(pass(stage, 0), ['timeline']);
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  assert.deepEqual(pass(stage, 1000), []);
  assert.deepEqual(pass(stage, 1000), ['timeline']);
});

test('the brief is asked for again since the same moment: looking twice is one visit', () => {
  const {house, now, left} = tokenStory();
  const stage = open(house.state, now);
  answer(stage, house, left);
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  stage.effects.length = 0;
  happen(stage, {type: 'time-passed'});
  assert.deepEqual(stage.effects, [
    {type: 'ask', name: 'brief', question: {about: 'brief', since: left}},
  ]);
});

test('the timeline opens at its end, and stays there as it grows unless one looks at something earlier', () => {
  const stage = stageOf();
  const {house} = tokenStory();
  press(stage, 't');
  answer(stage, {events: house.events.slice(0, -20)});
  const length = (): number => stage.model.answers.timeline?.entries.length ?? 0;
  const cursor = (): number => Math.min(length() - 1, stage.model.places.timeline.cursor);
  assert.equal(cursor(), length() - 1);
  press(stage, 'up', 'down');
  const grow = (): void => {
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    pass(stage, 3000);
    answer(stage, house);
  };
  grow();
  assert.equal(cursor(), length() - 1);
  press(stage, 'up', 'up');
  const before = cursor();
  grow();
  assert.equal(cursor(), before);
});
