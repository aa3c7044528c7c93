import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sessionOf, type State} from '../../../source/domain/index.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {terminalInWords, terminalsOf} from '../../../source/tui/model/terminals-of.ts';
import {wish} from '../../domain/support/house.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {mergeTask, startSession, validate, working} from '../../domain/support/stages.ts';
import {draw} from '../screens/draw.ts';
import {happen, open, press, tokenStory, type Stage} from '../screens/scenes.ts';

function shownIn(stage: Stage): string | undefined {
  return plotOf(stage.model.size, stage.model, stage.state).panes.find(({isFocused}) => isFocused)
    ?.session;
}

function purposeOf(state: State, session: string | undefined): string | undefined {
  return session === undefined ? undefined : sessionOf(state, session as `s${number}`)?.purpose.for;
}

test('a task that is merged shows what its agent did; its checks are a key away, and round again', () => {
  const house = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  validate(house, 'r1.t1');
  mergeTask(house, 'r1.t1');
  const stage = open(house.state, house.time);
  press(stage, 'enter');
  assert.equal(stage.model.selected, 'r1');
  press(stage, 'down');
  assert.equal(purposeOf(stage.state, shownIn(stage)), 'attempt');
  const all = terminalsOf(stage.state, 'r1.t1');
  const seen = all.map(() => {
    press(stage, 'v');
    return shownIn(stage);
  });
  assert.deepEqual(new Set(seen), new Set(all.map(({id}) => id)));
  assert.equal(seen.at(-1), all.find(({purpose}) => purpose.for === 'attempt')?.id);
  press(stage, 'v');
  const check = all.find(({id}) => id === shownIn(stage));
  assert.ok(check !== undefined);
  assert.match(
    draw(stage.model, stage.state, stage.now).split('\n')[1] ?? '',
    new RegExp(terminalInWords(check)),
  );
  press(stage, 'up', 'down');
  assert.equal(purposeOf(stage.state, shownIn(stage)), 'attempt');
});

test('a terminal that is only asked for is not opened; it comes into view when it is there', () => {
  const {house} = tokenStory();
  const stage = open(house.state, house.time);
  press(stage, 'enter');
  stage.model = {...stage.model, selected: 'r1.t2'};
  wish(house, {type: 'take-over', task: 'r1.t2'});
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  const asked = house.state.live.findLast(
    (id) => sessionOf(house.state, id)?.purpose.for === 'takeover',
  );
  assert.ok(asked !== undefined);
  assert.notEqual(shownIn(stage), asked);
  startSession(house, asked);
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  assert.equal(shownIn(stage), asked);
  assert.match(draw(stage.model, stage.state, stage.now), /H hand the task back/);
});
