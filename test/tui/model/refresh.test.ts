import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nextRefresh} from '../../../source/tui/model/refresh.ts';
import {answer, happen, open, press, tokenStory, type Stage} from '../screens/scenes.ts';

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
  assert.deepEqual(pass(stage, 0), ['usage/s14']);
  assert.deepEqual(pass(stage, 9000), []);
  assert.equal(nextRefresh(stage.model, stage.state, stage.now), 1000);
  assert.deepEqual(pass(stage, 1000), ['usage/s14']);
  happen(stage, {type: 'focus-changed', isFocused: false});
  assert.deepEqual(pass(stage, 60_000), []);
  assert.equal(nextRefresh(stage.model, stage.state, stage.now), undefined);
  happen(stage, {type: 'focus-changed', isFocused: true});
  assert.deepEqual(pass(stage, 0), ['usage/s14']);
});

test('a session that has ended is not asked about', () => {
  const stage = stageOf();
  press(stage, 'k');
  assert.deepEqual(pass(stage, 10_000), []);
});

test('usage that reads the same changes nothing at all', () => {
  const stage = stageOf();
  happen(stage, {type: 'answered', name: 'usage/s14', value: {usage: {cpu: 0.12, memory: 84_000_000}}});
  const before = stage.model;
  happen(stage, {type: 'answered', name: 'usage/s14', value: {usage: {cpu: 0.1201, memory: 84_100_000}}});
  assert.equal(stage.model, before);
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
  assert.deepEqual(stage.effects, [{type: 'ask', name: 'brief', question: {about: 'brief', since: left}}]);
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
