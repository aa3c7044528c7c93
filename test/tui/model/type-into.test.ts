import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Event} from '../../../source/domain/index.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {appOf} from '../../../source/tui/screens/app-of.ts';
import {report, wish, type House} from '../../domain/support/house.ts';
import {startSession} from '../../domain/support/stages.ts';
import {draw} from '../screens/draw.ts';
import {
  busy,
  happen,
  open,
  press,
  repository,
  type as typeText,
  type Stage,
} from '../screens/scenes.ts';

/** Everything up to the moment in which the command was asked for. */
function asked(
  command: string,
  selected = 'r1.t1',
): {readonly stage: Stage; readonly house: House} {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  press(stage, 'enter');
  stage.model = {...stage.model, selected};
  press(stage, '!');
  typeText(stage, command);
  press(stage, 'enter');
  return {stage, house};
}

/** The daemon takes it; the events of the new session come before or after the answer. */
function grant(
  stage: Stage,
  house: House,
  {isAnswerFirst}: {readonly isAnswerFirst: boolean},
): `s${number}` {
  const [given] = stage.wishes.splice(0) as Parameters<typeof wish>[1][];
  const before = house.events.length;
  wish(house, given!);
  const events = house.events.slice(before);
  const session = house.state.live.at(-1)!;
  const hearAll = (): void => {
    hear(stage, house, events);
  };
  const answer = (): void => {
    happen(stage, {type: 'wish-granted', wish: given!, answer: {events}});
  };
  for (const step of isAnswerFirst ? [answer, hearAll] : [hearAll, answer]) step();
  return session;
}

function hear(stage: Stage, house: House, events: readonly Event[]): void {
  stage.state = house.state;
  for (const event of events) happen(stage, {type: 'event-heard', event});
}

function come(stage: Stage, house: House, act: () => unknown): void {
  const before = house.events.length;
  act();
  hear(stage, house, house.events.slice(before));
}

function layoutOf({model, state}: Stage): {readonly typing?: string; readonly holdsKeys?: boolean} {
  return appOf({size: model.size, repository, memory: undefined, env: {}}).layout(
    model.size,
    model,
    state,
  );
}

for (const isAnswerFirst of [true, false]) {
  test(`a shell is typed into from its first moment; until it is there keys wait for it (${isAnswerFirst ? 'the answer' : 'its events'} first)`, () => {
    const {stage, house} = asked('');
    assert.equal(layoutOf(stage).holdsKeys, true, 'also before the daemon has answered');
    const session = grant(stage, house, {isAnswerFirst});
    assert.deepEqual([layoutOf(stage).holdsKeys, layoutOf(stage).typing], [true, undefined]);
    assert.match(draw(stage.model, stage.state, stage.now), /Ctrl-\] back to commands/);
    come(stage, house, () => {
      startSession(house, session);
    });
    assert.deepEqual(
      [stage.model.mode, stage.model.into, layoutOf(stage).typing, layoutOf(stage).holdsKeys],
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
    const {stage, house} = asked(command, 'r1.t2');
    const session = grant(stage, house, {isAnswerFirst: true});
    come(stage, house, () => {
      startSession(house, session);
    });
    assert.equal(stage.model.mode, 'typing', command);
    come(stage, house, () =>
      report(house, {type: 'session-exited', session, code: 0, signal: null}),
    );
    assert.deepEqual(
      [stage.model.mode, stage.model.into, stage.model.selected],
      ['command', undefined, back ?? session],
      command,
    );
    assert.match(stage.model.notice?.words ?? '', /keys are commands again/);
    assert.ok(
      plotOf(stage.model.size, stage.model, stage.state).panes.some(({key}) => key === 'r1.t1'),
      'and those that live are in view',
    );
  }
});

test('whoever does not wait for it has their keys back, and nothing is typed into it when it comes', () => {
  const ways: readonly (readonly [string, (stage: Stage) => void])[] = [
    [
      'the key that leaves',
      (stage) => {
        press(stage, 'ctrl-]');
      },
    ],
    [
      'the same, told by the loop',
      (stage) => {
        happen(stage, {type: 'typing-left'});
      },
    ],
    [
      'the daemon is lost',
      (stage) => {
        happen(stage, {type: 'disconnected', words: 'it is gone'});
      },
    ],
  ];
  for (const [name, leave] of ways) {
    const {stage, house} = asked('');
    leave(stage);
    assert.equal(layoutOf(stage).holdsKeys, undefined, name);
    happen(stage, {type: 'connected'});
    const session = grant(stage, house, {isAnswerFirst: true});
    come(stage, house, () => {
      startSession(house, session);
    });
    assert.deepEqual([stage.model.mode, layoutOf(stage).typing], ['command', undefined], name);
  }
});

test('a command that the daemon refuses, that ends at once, or that another row is chosen over, holds no key', () => {
  const refused = asked('').stage;
  happen(refused, {
    type: 'wish-refused',
    wish: refused.wishes[0] as Parameters<typeof wish>[1],
    words: 'there is no such directory',
  });
  assert.deepEqual(
    [layoutOf(refused).holdsKeys, refused.model.notice?.words],
    [undefined, 'there is no such directory'],
  );

  const {stage, house} = asked('true');
  const session = grant(stage, house, {isAnswerFirst: true});
  come(stage, house, () => {
    report(house, {type: 'session-created', session});
    report(house, {type: 'session-lost', session, why: 'its keeper is gone'});
  });
  assert.deepEqual([layoutOf(stage).holdsKeys, stage.model.mode], [undefined, 'command']);

  const other = asked('');
  grant(other.stage, other.house, {isAnswerFirst: true});
  other.stage.model = {...other.stage.model, selected: 'r1.t1'};
  happen(other.stage, {type: 'time-passed'});
  assert.equal(layoutOf(other.stage).holdsKeys, undefined);
});
