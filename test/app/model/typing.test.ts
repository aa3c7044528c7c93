import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Event} from '../../../source/domain/index.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {defineApp} from '../../../source/app/runtime/run-app.tsx';
import {type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {startSession} from '../../domain/support/stages.ts';
import {draw} from '../screens/draw.tsx';
import {
  busy,
  type Fixture,
  happen,
  open,
  press,
  repository,
  type as typeText,
} from '../screens/fixtures.ts';

/** Everything up to the moment in which the command was asked for. */
function asked(
  command: string,
  selected = 'r1.t1',
): {readonly stage: Fixture; readonly harness: Harness} {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter');
  fixture.model = {...fixture.model, selected};
  press(fixture, '!');
  typeText(fixture, command);
  press(fixture, 'enter');
  return {stage: fixture, harness};
}

/** The daemon takes it; the events of the new session come before or after the answer. */
function grant(
  fixture: Fixture,
  harness: Harness,
  {isAnswerFirst}: {readonly isAnswerFirst: boolean},
): `s${number}` {
  const [given] = fixture.commands.splice(0) as Parameters<typeof userCommand>[1][];
  const before = harness.events.length;
  userCommand(harness, given!);
  const events = harness.events.slice(before);
  const session = harness.state.live.at(-1)!;
  const handleAllEvents = (): void => {
    handleEvent(fixture, harness, events);
  };
  const answer = (): void => {
    happen(fixture, {type: 'wish-granted', wish: given!, answer: {events}});
  };
  for (const step of isAnswerFirst ? [answer, handleAllEvents] : [handleAllEvents, answer]) step();
  return session;
}

function handleEvent(fixture: Fixture, harness: Harness, events: readonly Event[]): void {
  fixture.state = harness.state;
  for (const event of events) happen(fixture, {type: 'event-heard', event});
}

function come(fixture: Fixture, harness: Harness, act: () => unknown): void {
  const before = harness.events.length;
  act();
  handleEvent(fixture, harness, harness.events.slice(before));
}

function getLayout({model, state}: Fixture): {
  readonly typing?: string;
  readonly holdsKeys?: boolean;
} {
  return defineApp({size: model.size, repository, uiState: undefined, env: {}}).input(model, state);
}

for (const isAnswerFirst of [true, false]) {
  test(`a shell is typed into from its first moment; until it is there keys wait for it (${isAnswerFirst ? 'the answer' : 'its events'} first)`, () => {
    const {stage, harness} = asked('');
    assert.equal(getLayout(stage).holdsKeys, true, 'also before the daemon has answered');
    const session = grant(stage, harness, {isAnswerFirst});
    assert.deepEqual([getLayout(stage).holdsKeys, getLayout(stage).typing], [true, undefined]);
    assert.match(draw(stage.model, stage.state, stage.now), /Ctrl-\] back to commands/);
    come(stage, harness, () => {
      startSession(harness, session);
    });
    assert.deepEqual(
      [
        stage.model.mode,
        stage.model.typingSession,
        getLayout(stage).typing,
        getLayout(stage).holdsKeys,
      ],
      ['typing', session, session, undefined],
    );
    press(stage, 'ctrl-]');
    assert.deepEqual(
      [stage.model.mode, stage.model.selected],
      ['command', session],
      'whoever leaves it can still scroll in it',
    );
  });
}

test('the end of a shell leads back to what was chosen before; that of a command leaves its words in view', () => {
  for (const [command, back] of [
    ['', 'r1.t2'],
    ['npm test', undefined],
  ] as const) {
    const {stage, harness} = asked(command, 'r1.t2');
    const session = grant(stage, harness, {isAnswerFirst: true});
    come(stage, harness, () => {
      startSession(harness, session);
    });
    assert.equal(stage.model.mode, 'typing', command);
    come(stage, harness, () =>
      report(harness, {type: 'session-exited', session, code: 0, signal: null}),
    );
    assert.deepEqual(
      [stage.model.mode, stage.model.typingSession, stage.model.selected],
      ['command', undefined, back ?? session],
      command,
    );
    assert.match(stage.model.notice?.text ?? '', /keys are commands again/);
    assert.ok(
      selectPaneGrid(stage.model, stage.state).panes.some(({key}) => key === 'r1.t1'),
      'and those that live are in view',
    );
  }
});

test('whoever does not wait for it has their keys back, and nothing is typed into it when it comes', () => {
  const ways: readonly (readonly [string, (fixture: Fixture) => void])[] = [
    [
      'the key that leaves',
      (fixture) => {
        press(fixture, 'ctrl-]');
      },
    ],
    [
      'the same, told by the loop',
      (fixture) => {
        happen(fixture, {type: 'typing-left'});
      },
    ],
    [
      'the daemon is lost',
      (fixture) => {
        happen(fixture, {type: 'disconnected', text: 'it is gone'});
      },
    ],
  ];
  for (const [name, leave] of ways) {
    const {stage, harness} = asked('');
    leave(stage);
    assert.equal(getLayout(stage).holdsKeys, undefined, name);
    happen(stage, {type: 'connected'});
    const session = grant(stage, harness, {isAnswerFirst: true});
    come(stage, harness, () => {
      startSession(harness, session);
    });
    assert.deepEqual([stage.model.mode, getLayout(stage).typing], ['command', undefined], name);
  }
});

test('a command that the daemon refuses, that ends at once, or that another row is chosen over, holds no key', () => {
  const rejected = asked('').stage;
  happen(rejected, {
    type: 'wish-refused',
    wish: rejected.commands[0] as Parameters<typeof userCommand>[1],
    text: 'there is no such directory',
  });
  assert.deepEqual(
    [getLayout(rejected).holdsKeys, rejected.model.notice?.text],
    [undefined, 'there is no such directory'],
  );

  const {stage, harness} = asked('true');
  const session = grant(stage, harness, {isAnswerFirst: true});
  come(stage, harness, () => {
    report(harness, {type: 'session-created', session});
    report(harness, {type: 'session-lost', session, why: 'its keeper is gone'});
  });
  assert.deepEqual([getLayout(stage).holdsKeys, stage.model.mode], [undefined, 'command']);

  const other = asked('');
  grant(other.stage, other.harness, {isAnswerFirst: true});
  other.stage.model = {...other.stage.model, selected: 'r1.t1'};
  happen(other.stage, {type: 'time-passed'});
  assert.equal(getLayout(other.stage).holdsKeys, undefined);
});
