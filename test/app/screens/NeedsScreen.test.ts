import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds, selectSession, type State} from '../../../source/domain/index.ts';
import {withLedgerEntry, without} from '../../../source/shared/index.ts';
import {isInside} from '../../../source/app/render/frame.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {conclude, report, userCommand} from '../../domain/support/harness.ts';
import {startSession, thinking} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {assertShown} from '../../support/shown.ts';
import {drawCells} from './draw.tsx';
import {answer, busy, type Fixture, happen, open, planned, press, type} from './fixtures.ts';
import {needing, needKinds} from './need-fixtures.ts';

const large = {columns: 120, rows: 35};

function drawn({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

/** The two needs of the story, opened at the task that stopped. */
function openStory(size = large): {readonly fixture: Fixture; readonly harness: Harness} {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, size);
  press(fixture, 'enter', 'n');
  answer(fixture, harness);
  return {fixture, harness};
}

/** The daemon does what the app has sent, as it would. */
function settle(fixture: Fixture, harness: Harness, command: Parameters<typeof userCommand>[1]) {
  userCommand(harness, command);
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
}

/** A click on the first place of the text, as the loop reports it. */
function click(fixture: Fixture, text: string): void {
  const {rows, places} = drawCells(fixture.model, fixture.state, fixture.now);
  const row = rows.findIndex((line) => line.includes(text));
  assert.notEqual(row, -1, `expected ${text} on\n${rows.join('\n')}`);
  const point = {row, column: rows[row]!.indexOf(text)};
  const target = places.findLast(
    ({region, rect}) => region.kind === 'target' && isInside(rect, point),
  )?.region;
  assert.ok(target?.kind === 'target', `nothing to click at ${text}`);
  fixture.now += 1000;
  happen(fixture, {
    type: 'mouse-used',
    mouse: {
      action: 'press',
      button: 'left',
      ...point,
      ctrl: false,
      alt: false,
      shift: false,
      code: 0,
    },
    target: target.target,
  });
}

test('after the own decision the next need comes by itself', () => {
  const {fixture, harness} = openStory();
  const stopped = fixture.model.need!.id;
  press(fixture, 'R');
  type(fixture, 'look again');
  press(fixture, 'enter');
  assert.deepEqual(fixture.commands.at(-1), {
    type: 'grant-attempt',
    task: 'r1.t2',
    hint: 'look again',
  });
  assert.equal(fixture.model.need?.id, stopped, 'it waits until the daemon has done it');
  settle(fixture, harness, {type: 'grant-attempt', task: 'r1.t2', hint: 'look again'});
  assert.equal(fixture.model.screen, 'needs');
  assert.equal(fixture.model.need.kind, 'question');
  happen(fixture, {
    type: 'wish-granted',
    wish: {type: 'grant-attempt', task: 'r1.t2'},
    answer: {},
  });
  assert.match(drawn(fixture), /gets one more/);
});

test('after the own decision on the last need, the app goes back to where the person was', () => {
  const fixture = open(needing('intrusion'), 65_000, large);
  press(fixture, 'enter', 't', 'n', 'X');
  assert.equal(fixture.model.screen, 'needs');
  fixture.state = {...fixture.state, intrusions: []};
  happen(fixture, {type: 'time-passed'});
  assert.equal(fixture.model.screen, 'timeline');
  assert.equal(fixture.model.need, undefined);
});

test('what somebody else settled stays, marked, until the person leaves it', () => {
  const {fixture, harness} = openStory();
  const {need} = fixture.model;
  settle(fixture, harness, {type: 'grant-attempt', task: 'r1.t2'});
  assert.equal(fixture.model.need?.id, need?.id);
  assert.match(drawn(fixture), /settled/);
  assert.match(drawn(fixture), /✓ Settled by itself\./);
  press(fixture, 'enter');
  assert.equal(fixture.model.need?.kind, 'question');
});

test('a note is no decision: the need stays when somebody else settles it', () => {
  const fixture = open(needing('intrusion'), 65_000, large);
  press(fixture, 'n');
  const {need} = fixture.model;
  fixture.model = {
    ...fixture.model,
    field: {text: 'x', cursor: 1, label: 'Note', for: {what: 'note', on: 's1'}},
  };
  press(fixture, 'enter');
  assert.equal(fixture.commands.length, 1);
  fixture.state = {...fixture.state, intrusions: []};
  happen(fixture, {type: 'time-passed'});
  assert.equal(fixture.model.need?.id, need?.id);
});

test('a digit sends its option, and so does a click on it', () => {
  for (const choose of [
    (fixture: Fixture) => {
      press(fixture, '2');
    },
    (fixture: Fixture) => {
      click(fixture, 'Drop it now');
    },
  ]) {
    const fixture = open(needing('asked'), 65_000, large);
    press(fixture, 'n');
    choose(fixture);
    assert.deepEqual(fixture.commands, [
      {
        type: 'answer-question',
        session: 's1',
        number: 1,
        text: 'Drop it now; whoever reads it fails loudly',
      },
    ]);
  }
});

test('a click in the inbox shows that need', () => {
  const {fixture} = openStory();
  click(fixture, 'Count refreshes');
  assert.equal(fixture.model.need?.kind, 'question');
});

test('a way on can be clicked; while something is written its key is a letter', () => {
  const {fixture} = openStory();
  click(fixture, 'retry with a hint');
  assert.equal(fixture.model.field?.for.what, 'hint');
  press(fixture, 'D');
  assert.equal(fixture.model.field.text, 'D');
  assert.equal(fixture.model.confirmation, undefined);
});

test('an answer is written below the question, and no pane changes its size for it', () => {
  const {fixture} = openStory();
  press(fixture, 'n');
  const paneOf = (): unknown =>
    drawCells(fixture.model, fixture.state, fixture.now).places.find(
      ({region}) => region.kind === 'pane',
    )?.rect;
  const before = paneOf();
  press(fixture, 'enter');
  type(fixture, 'keep it');
  assert.deepEqual(paneOf(), before);
  const {rows, places} = drawCells(fixture.model, fixture.state, fixture.now);
  const row = rows.findIndex((line) => line.includes('▸ keep it'));
  const caret = places.find(({region}) => region.kind === 'caret')?.rect;
  assert.equal(caret?.row, row);
  assert.equal(caret.column, rows[row]!.indexOf('keep it') + 'keep it'.length);
  assert.match(rows.at(-1)!, /^ Enter send {2}Esc cancel/);
});

test('a secret is shown as dots, typed into the pane alone, and sent as no command', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time + 240_000, large);
  press(fixture, 'enter', 'n', 'enter');
  type(fixture, 'hunter2');
  assert.match(drawn(fixture), /▸ •{7}/);
  assert.doesNotMatch(drawn(fixture), /hunter2/);
  press(fixture, 'enter');
  assert.deepEqual(fixture.effects.at(-1), {type: 'type-text', session: 's3', text: 'hunter2'});
  assert.deepEqual(fixture.commands, []);
  assert.doesNotMatch(JSON.stringify(fixture.model), /hunter2/);
});

test('a secret that nobody asks for any more is not sent', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time + 240_000, large);
  press(fixture, 'enter', 'n', 'enter');
  type(fixture, 'hunter2');
  fixture.state = withoutWaiting(fixture.state);
  press(fixture, 'enter');
  assert.equal(
    fixture.effects.some((effect) => effect.type === 'type-text'),
    false,
  );
});

function withoutWaiting(state: State): State {
  const session = without(selectSession(state, 's3')!, 'waiting');
  const next = {...state, sessions: withLedgerEntry(state.sessions, 3, session)};
  assert.equal(selectNeeds(next).length, 0);
  return next;
}

test('the ways on are not said twice: the last row has the other keys', () => {
  const {fixture} = openStory();
  const rows = drawn(fixture).split('\n');
  assert.match(rows.join('\n'), /R {2}retry with a hint/);
  assert.doesNotMatch(rows.at(-1)!, /grant|take over|discard/);
  assert.match(rows.at(-1)!, /v what it changed {2}n next {2}N previous/);
});

test('a task that stopped below 100 columns: failure, ways on, tries, change', () => {
  const {fixture} = openStory({columns: 90, rows: 40});
  const text = drawn(fixture);
  const order = ['test failed twice', 'retry with a hint', 'Tries', 'src/token.ts', 'If it stays'];
  const found = order.map((part) => text.indexOf(part));
  assert.ok(
    found.every((at) => at >= 0),
    text,
  );
  assert.deepEqual(
    found,
    found.toSorted((one, other) => one - other),
  );
  assert.doesNotMatch(text, /Meanwhile/);
});

test('the text scrolls, and the bar says how much is below', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time + 60_000, {columns: 120, rows: 24});
  press(fixture, 'n');
  happen(fixture, {
    type: 'viewports-changed',
    viewports: {need: {rows: 16, content: 33, top: 0, items: 0}},
  });
  assert.match(drawn(fixture), /17 lines below/);
  press(fixture, 'end');
  assert.match(drawn(fixture), /rejected {2}A mutex around every request: It would/);
});

const hostile = '\u001B[2J\u202Eevil\u0007\n\u200Bname \u{E0041}';

test('what agents and programs wrote cannot act on the terminal', () => {
  for (const kind of needKinds) {
    const state = JSON.parse(
      JSON.stringify(needing(kind), (key, value: unknown) =>
        typeof value === 'string' && hostileFields.has(key) ? `${value}${hostile}` : value,
      ),
    ) as State;
    for (const size of [large, {columns: 80, rows: 24}, {columns: 40, rows: 12}]) {
      const fixture = open(state, 65_000, size);
      press(fixture, 'n');
      answer(fixture, {events: []});
      for (const row of drawn(fixture).split('\n')) assertShown(row);
    }
  }
});

const hostileFields: ReadonlySet<string> = new Set([
  'title',
  'words',
  'question',
  'objective',
  'text',
  'why',
  'brief',
  'command',
  'owner',
  'intent',
  'branch',
]);

test('a hostile report of a task that stopped is shown as text', () => {
  const {fixture} = openStory({columns: 120, rows: 50});
  happen(fixture, {
    type: 'answered',
    name: 'explanation/r1.t2',
    value: {
      text: '',
      stop: {
        task: 'r1.t2',
        number: 2,
        title: hostile,
        failure: {
          kind: 'check',
          title: `test failed${hostile}`,
          test: hostile,
          place: hostile,
          expected: `450${hostile}`,
          got: `null${hostile}`,
          firstGot: hostile,
          paths: [hostile],
          lines: [hostile],
        },
        tries: [],
        allowed: 2,
        waiting: [{number: 4, title: hostile}],
        missing: [hostile],
      },
    },
  });
  const text = drawn(fixture);
  for (const row of text.split('\n')) assertShown(row);
  assert.match(text, /expected {2}450/);
  assert.match(text, /got {7}null/);
  assert.match(text, /cannot start without it/);
});

test('a screen reader hears sentences, without frames and marks', () => {
  const {fixture} = openStory({columns: 100, rows: 40});
  fixture.model = {...fixture.model, isScreenReader: true};
  const text = drawn(fixture);
  const own = text.split('\n').slice(2).join('\n');
  assert.doesNotMatch(own, /[╭╮╰╯│─▌✗━]/u);
  assert.match(own, /^ *Say when a token is refreshed +2 · stopped 5m ago/);
  assert.match(own, /1 +work +checks failed\./);
  assert.match(text, /test failed twice/);
  assert.match(text, /retry with a hint/);
});

test('every kind of need is drawn at 40×12 and says what it is', () => {
  for (const kind of needKinds) {
    const fixture = open(needing(kind), 65_000, {columns: 40, rows: 12});
    press(fixture, 'n');
    assert.notEqual(drawn(fixture).split('\n').slice(1, 4).join('').trim(), '', kind);
  }
});

test('without a need the screen says so', () => {
  const {fixture} = openStory();
  fixture.model = {...fixture.model, need: undefined};
  assert.match(drawn(fixture), /Nothing needs you\./);
});

test('a planner that waits for the person says what it asks, and takes an answer', () => {
  const harness = thinking({}, {}, {planners: 'interactive'});
  startSession(harness, 's1');
  report(harness, {type: 'turn-began', session: 's1', by: 'orchestra'});
  const asks = 'Which database do you use?';
  report(harness, {type: 'turn-ended', session: 's1', source: 'agent', words: asks});
  conclude(harness, 'read-plan', {
    type: 'planner-waiting',
    run: 'r1',
    round: 1,
    from: {session: 's1', turn: 1},
  });
  const fixture = open(harness.state, harness.time, large);
  press(fixture, 'enter', 'n');
  assert.match(
    drawn(fixture),
    /The planner waits for your answer\.[^]*Which database do you use\?/,
  );
  press(fixture, 'enter');
  type(fixture, 'Postgres');
  press(fixture, 'enter');
  assert.deepEqual(fixture.commands, [{type: 'send-input', session: 's1', text: 'Postgres\r'}]);
});
