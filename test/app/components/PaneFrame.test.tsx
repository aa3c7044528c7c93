import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {
  selectRun,
  selectSession,
  type Session,
  type Task,
  type Turn,
} from '../../../source/domain/index.ts';
import {withLedgerEntry} from '../../../source/shared/index.ts';
import {PaneFrame} from '../../../source/app/components/PaneFrame.tsx';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {type Fixture, happen} from '../screens/fixtures.ts';
import {aNotice, aSecond, atWork, firstTitle} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintRows,
  rendersAfter,
  show,
  withText,
} from './render.tsx';

function paneOf(fixture: Fixture, change: object = {}) {
  const [pane] = selectPaneGrid(fixture.model, fixture.state).panes;
  assert.ok(pane !== undefined);
  return (
    <Box height={8}>
      <PaneFrame pane={{...pane, ...change}} />
    </Box>
  );
}

function framed(fixture: Fixture, columns = 100): readonly string[] {
  return paintRows(paneOf(fixture), {fixture, columns, rows: 35});
}

test('has number, title and state above, tries and time below', () => {
  const rows = framed(atWork());
  assert.match(rows[0] ?? '', /^.[━─] 1 Share the refresh in flight [━─]+ works [━─].$/);
  assert.match(
    rows[7] ?? '',
    /^.[━─] try 1\/2 [━─]+ (?:\d+m)?\d0s? [━─].$/,
    'a time in the steps of the clock',
  );
});

test('says that an agent has its own interface, and whether its turn is over', () => {
  const foot = (turn?: Turn): string => {
    const fixture = atWork();
    const [pane] = selectPaneGrid(fixture.model, fixture.state).panes;
    const session = selectSession(fixture.state, pane!.session);
    assert.ok(session?.purpose.for === 'attempt');
    const interactive: Session = {
      ...session,
      purpose: {...session.purpose, mode: 'interactive'},
      ...(turn === undefined ? {} : {turn}),
    };
    const state = {
      ...fixture.state,
      sessions: withLedgerEntry(fixture.state.sessions, Number(session.id.slice(1)), interactive),
    };
    return framed({...fixture, state}).at(7) ?? '';
  };
  assert.match(foot(), / own interface · try 1\/2 /);
  assert.match(foot({number: 1, at: 'open', since: 0}), / own interface, turn open · try 1\/2 /);
  assert.match(
    foot({number: 1, at: 'ended', since: 0, source: 'agent'}),
    / own interface, turn over · try/,
  );
  assert.match(
    foot({number: 1, at: 'ended', since: 0, source: 'screen'}),
    / own interface, turn over \(inferred\) · try/,
  );
});

test('shows in its foot what comes of a message', () => {
  const fixture = atWork();
  const change = (task: Task): Task =>
    task.id === 'r1.t1'
      ? {...task, messages: [{number: 1, text: 'x', at: 0, fate: 'pending', session: 's2'}]}
      : task;
  const run = selectRun(fixture.state, 'r1')!;
  const runs = withLedgerEntry(fixture.state.runs, 1, {...run, tasks: run.tasks.map(change)});
  const rows = framed({...fixture, state: {...fixture.state, runs}});
  assert.match(rows[7] ?? '', /^.[━─] message on its way · try 1\/2 /);
});

test('is heavy where the keys go, without colours', () => {
  const fixture = atWork();
  const top = (isFocused: boolean): string =>
    paintRows(paneOf(fixture, {isFocused}), {fixture, columns: 110, rows: 35})[0] ?? '';
  assert.match(top(true), /^┏━/);
  assert.match(top(false), /^╭─/);
});

test('says how far it is scrolled back, and that it reconnects', () => {
  const view = {title: '', scroll: 12, bells: 0, wantsMouse: false, connection: 'live'} as const;
  const fixture = atWork();
  const [pane] = selectPaneGrid(fixture.model, fixture.state).panes;
  happen(fixture, {type: 'pane-changed', session: pane!.session, view});
  assert.match(framed(fixture)[7] ?? '', /12 lines back · \[ \]/);
  happen(fixture, {
    type: 'pane-changed',
    session: pane!.session,
    view: {...view, connection: 'failed'},
  });
  assert.match(framed(fixture)[0] ?? '', /reconnecting …/);
});

test('has fewer lines in smaller windows, and as the person chose', () => {
  assert.match(framed(atWork(), 80)[0] ?? '', /^[━─] 1 Share/);
  const fixture = atWork();
  fixture.model = {...fixture.model, settings: {...fixture.model.settings, frames: 'none'}};
  const rows = framed(fixture);
  assert.equal(rows[7], '');
});

test('a click on it is a click on its pane', () => {
  const fixture = atWork();
  const shown = show(paneOf(fixture), {fixture, columns: 90});
  assert.deepEqual(shown.targets(), [{type: 'pane', key: 'r1.t1', session: 's2'}]);
  assert.ok(shown.regions().some((region) => region.kind === 'pane'));
  shown.close();
});

test('a hostile title stays in its line, and signs are ASCII', () => {
  const fixture = withText(atWork(), firstTitle);
  assertSafe(paneOf(fixture), {fixture, columns: 60});
  assertFits(paneOf(fixture), {fixture, widths: [40, 60, 100]});
  assertAscii(paneOf(atWork()), {fixture: atWork()});
});

for (const [what, change] of Object.entries({aSecond, aNotice}))
  test(`is not drawn again after ${what}`, async () => {
    const fixture = atWork();
    assert.equal(await rendersAfter(paneOf(fixture), change, {fixture, columns: 90}), 0);
  });
