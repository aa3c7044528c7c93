import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectSession} from '../../../source/domain/index.ts';
import {selectBindings} from '../../../source/app/keymap/resolve.ts';
import {defineApp} from '../../../source/app/runtime/run-app.tsx';
import {type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {sessionOfTask, startSession, work, working} from '../../domain/support/stages.ts';
import {draw} from '../screens/draw.tsx';
import {
  busy,
  type Fixture,
  happen,
  open,
  planning,
  press,
  repository,
} from '../screens/fixtures.ts';

function getLayout({model, state}: Fixture): {readonly typing?: string} {
  return defineApp({size: model.size, repository, uiState: undefined, env: {}}).input(model, state);
}

function handleEvent(fixture: Fixture, harness: Harness): void {
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
}

function lastLine(fixture: Fixture): string {
  const silent = {...fixture.model, notice: undefined};
  return draw(silent, fixture.state, fixture.now).trimEnd().split('\n').at(-1) ?? '';
}

test('a headless agent is not typed into: it is said why, and what works stands where the key to type would', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter', '1');
  assert.match(
    lastLine(fixture),
    /^ ?c note {2}T take the task over {2}! a shell {2}X stop it {2}z zoom/,
  );
  for (const key of ['enter', 'i']) {
    press(fixture, key);
    assert.deepEqual(
      [fixture.model.mode, fixture.model.typingSession, getLayout(fixture).typing],
      ['command', undefined, undefined],
    );
    assert.equal(
      fixture.model.notice?.text,
      'playbook runs headless in s2. It does not read its terminal, so typing has no effect. Press c to leave a note for its next try, T to take it over, ! to open a shell in its worktree, X to stop it.',
    );
  }

  happen(fixture, {type: 'pasted', text: 'rm -rf /\r'});
  assert.match(fixture.model.notice?.text ?? '', /no line to paste into/);
  assert.doesNotMatch(fixture.model.notice?.text ?? '', /types into the pane/);
  press(fixture, ':');
  for (const {text} of selectBindings({...fixture.model, field: undefined}, fixture.state))
    assert.notEqual(text, 'type into the pane');
});

test('one that asks is typed into as before, until it has its answer: then keys are commands, and what decides waits', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter', '2');
  assert.match(lastLine(fixture), /Enter type/);
  press(fixture, 'enter');
  assert.deepEqual(
    [fixture.model.mode, fixture.model.typingSession, getLayout(fixture).typing],
    ['typing', 's3', 's3'],
  );
  report(harness, {
    type: 'session-waiting',
    session: 's3',
    proof: 'proven',
    secret: true,
    question: 'Again:',
  });
  handleEvent(fixture, harness);
  assert.equal(fixture.model.mode, 'typing', 'another question of the same program');
  report(harness, {type: 'session-moved-on', session: 's3'});
  handleEvent(fixture, harness);
  assert.deepEqual([fixture.model.mode, fixture.model.typingSession], ['command', undefined]);
  assert.match(fixture.model.notice?.text ?? '', /s3 does not ask any more/);
  assert.equal(fixture.model.changedAt, fixture.now);
});

test('a planner, a check and its shell offer what holds for each', () => {
  const planner = planning();
  const atPlan = open(planner.state, planner.time, {columns: 120, rows: 40});
  press(atPlan, 'enter', 'g');
  assert.match(lastLine(atPlan), /^ ?X stop it {2}z zoom/);
  press(atPlan, 'enter');
  assert.match(
    atPlan.model.notice?.text ?? '',
    /^playbook runs headless in s1\. .* Press X to stop it\.$/,
  );

  const harness = working([plannedTask('t1')]);
  report(
    harness,
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
  work(harness, 'r1.t1');
  const check = sessionOfTask(harness, 'r1.t1');
  startSession(harness, check);
  const fixture = open(harness.state, harness.time, {columns: 120, rows: 40});
  fixture.model = {...fixture.model, screen: 'workers', selected: 'r1.t1'};
  press(fixture, 'enter');
  assert.match(
    fixture.model.notice?.text ?? '',
    /does not read its terminal\. You can type when it asks for something\. Press c .*, T .*, ! .*, X /,
  );
  report(harness, {
    type: 'session-waiting',
    session: check,
    proof: 'proven',
    secret: true,
    question: '[sudo] password for person:',
  });
  handleEvent(fixture, harness);
  press(fixture, 'enter');
  assert.deepEqual([fixture.model.mode, fixture.model.typingSession], ['typing', check]);
});

test('what people type into is typed into without being asked: a shell, what was taken over, an agent whose prompt is typed', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter', 'tab', 'tab', 'enter');
  assert.deepEqual([fixture.model.mode, fixture.model.typingSession], ['typing', 's4']);
  press(fixture, 'ctrl-]');
  userCommand(harness, {type: 'take-over', task: 'r1.t1'});
  report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  const taken = harness.state.live.find(
    (id) => selectSession(harness.state, id)?.purpose.for === 'takeover',
  )!;
  startSession(harness, taken);
  handleEvent(fixture, harness);
  fixture.model = {...fixture.model, selected: 'r1.t1'};
  press(fixture, 'enter');
  assert.deepEqual([fixture.model.mode, fixture.model.typingSession], ['typing', taken]);
});
