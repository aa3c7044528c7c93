import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sessionOf} from '../../../source/domain/index.ts';
import {bindingsOf} from '../../../source/tui/model/contexts-of.ts';
import {appOf} from '../../../source/tui/screens/app-of.ts';
import {report, wish, type House} from '../../domain/support/house.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {sessionOfTask, startSession, work, working} from '../../domain/support/stages.ts';
import {draw} from '../screens/draw.ts';
import {busy, happen, open, planning, press, repository, type Stage} from '../screens/scenes.ts';

function layoutOf({model, state}: Stage): {readonly typing?: string} {
  return appOf({size: model.size, repository, memory: undefined, env: {}}).layout(
    model.size,
    model,
    state,
  );
}

function hear(stage: Stage, house: House): void {
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
}

function lastLine(stage: Stage): string {
  const silent = {...stage.model, notice: undefined};
  return draw(silent, stage.state, stage.now).trimEnd().split('\n').at(-1) ?? '';
}

test('a headless agent is not typed into: it is said why, and what works stands where the key to type would', () => {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  press(stage, 'enter', '1');
  assert.match(
    lastLine(stage),
    /^ ?c note {2}T take the task over {2}! a shell {2}X stop it {2}z zoom/,
  );
  for (const key of ['enter', 'i']) {
    press(stage, key);
    assert.deepEqual(
      [stage.model.mode, stage.model.into, layoutOf(stage).typing],
      ['command', undefined, undefined],
    );
    assert.equal(
      stage.model.notice?.words,
      'playbook works headless in s2: it does not read its terminal, and nothing you type would reach it. Press c to leave words for its next attempt, T to take it over, ! to open a shell in its worktree, X to stop it.',
    );
  }

  happen(stage, {type: 'pasted', text: 'rm -rf /\r'});
  assert.match(stage.model.notice?.words ?? '', /no line to paste into/);
  assert.doesNotMatch(stage.model.notice?.words ?? '', /types into the pane/);
  press(stage, ':');
  for (const {words} of bindingsOf({...stage.model, field: undefined}, stage.state))
    assert.notEqual(words, 'type into the pane');
});

test('one that asks is typed into as before, until it has its answer: then keys are commands, and what decides waits', () => {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  press(stage, 'enter', '2');
  assert.match(lastLine(stage), /Enter type/);
  press(stage, 'enter');
  assert.deepEqual(
    [stage.model.mode, stage.model.into, layoutOf(stage).typing],
    ['typing', 's3', 's3'],
  );
  report(house, {
    type: 'session-waiting',
    session: 's3',
    proof: 'proven',
    secret: true,
    question: 'Again:',
  });
  hear(stage, house);
  assert.equal(stage.model.mode, 'typing', 'another question of the same program');
  report(house, {type: 'session-moved-on', session: 's3'});
  hear(stage, house);
  assert.deepEqual([stage.model.mode, stage.model.into], ['command', undefined]);
  assert.match(stage.model.notice?.words ?? '', /s3 does not ask any more/);
  assert.equal(stage.model.changedAt, stage.now);
});

test('a planner, a check and its shell offer what holds for each', () => {
  const planner = planning();
  const atPlan = open(planner.state, planner.time, {columns: 120, rows: 40});
  press(atPlan, 'enter', 'g');
  assert.match(lastLine(atPlan), /^ ?X stop it {2}z zoom/);
  press(atPlan, 'enter');
  assert.match(
    atPlan.model.notice?.words ?? '',
    /^playbook works headless in s1: .* Press X to stop it\.$/,
  );

  const house = working([plannedTask('t1')]);
  report(
    house,
    {
      type: 'worktree-made',
      owner: 'r1.t1',
      path: '/w/r1.t1',
      branch: 'orchestra/r1.t1',
      commit: 'base',
      tree: 'tree-base',
    },
    'r1.t1/make',
  );
  work(house, 'r1.t1');
  const check = sessionOfTask(house, 'r1.t1');
  startSession(house, check);
  const stage = open(house.state, house.time, {columns: 120, rows: 40});
  stage.model = {...stage.model, screen: 'workers', selected: 'r1.t1'};
  press(stage, 'enter');
  assert.match(
    stage.model.notice?.words ?? '',
    /does not read its terminal; you can type into it when it asks for something\. Press c .*, T .*, ! .*, X /,
  );
  report(house, {
    type: 'session-waiting',
    session: check,
    proof: 'proven',
    secret: true,
    question: '[sudo] password for person:',
  });
  hear(stage, house);
  press(stage, 'enter');
  assert.deepEqual([stage.model.mode, stage.model.into], ['typing', check]);
});

test('what people type into is typed into without being asked: a shell, what was taken over, an agent whose prompt is typed', () => {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  press(stage, 'enter', '3', 'enter');
  assert.deepEqual([stage.model.mode, stage.model.into], ['typing', 's4']);
  press(stage, 'ctrl-]');
  wish(house, {type: 'take-over', task: 'r1.t1'});
  report(house, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  const taken = house.state.live.find(
    (id) => sessionOf(house.state, id)?.purpose.for === 'takeover',
  )!;
  startSession(house, taken);
  hear(stage, house);
  stage.model = {...stage.model, selected: 'r1.t1'};
  press(stage, 'enter');
  assert.deepEqual([stage.model.mode, stage.model.into], ['typing', taken]);
});
