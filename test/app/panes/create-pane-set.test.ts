import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {SessionId} from '../../../source/domain/index.ts';
import {type Cells, rowText} from '../../../source/terminal/index.ts';
import {createPaneSet, type PaneSet} from '../../../source/app/panes/create-pane-set.ts';
import {
  afterCopyAnchor,
  afterCopyMode,
  afterCopyMove,
  afterSearch,
  afterSearchStep,
  type PaneView,
  scrollViewport,
} from '../../../source/app/panes/viewport-state.ts';
import {type Clock, createClock} from '../support/clock.ts';
import {createSources, settle, type Sources} from '../support/sources.ts';

type World = {
  readonly panes: PaneSet;
  readonly clock: Clock;
  readonly sources: Sources;
  readonly drawn: SessionId[];
  readonly views: PaneView[];
  readonly ended: string[];
};

function createSimulator(snapshots: Readonly<Record<string, string>> = {}): World {
  const clock = createClock();
  const sources = createSources(snapshots);
  const [drawn, views, ended]: [SessionId[], PaneView[], string[]] = [[], [], []];
  const panes = createPaneSet({
    openPane: sources.openPane,
    now: clock.now,
    after: clock.after,
    drawn: (session) => drawn.push(session),
    viewed: (_, view) => views.push(view),
    ended: (session, text) => ended.push(`${session}: ${text}`),
  });
  return {panes, clock, sources, drawn, views, ended};
}

const rect = {row: 0, column: 0, rows: 4, columns: 20};

function toText(cells: Cells | undefined): string[] {
  return Array.from({length: cells?.rows ?? 0}, (_, row) => rowText(cells!, row));
}

const lines = (from: number, to: number): string =>
  Array.from({length: to - from + 1}, (_, index) => `line ${from + index}`).join('\r\n');

test('a pane shows its snapshot and what follows, and what came before the snapshot was there is not lost', async () => {
  const {panes, sources} = createSimulator({s1: 'hello\r\n'});
  panes.arrange([{session: 's1', rect}], undefined);
  sources.print('s1', 'early ');
  await settle();
  sources.print('s1', 'late');
  await settle();
  assert.deepEqual(toText(panes.get('s1')?.refresh().cells), ['hello', 'early late', '', '']);
  panes.close();
});

test('a pane knows that its program has printed nothing, until it does', async () => {
  const {panes, sources} = createSimulator({s1: '\u001B[H\u001B[2J', s2: '', s3: '$ '});
  panes.arrange(
    (['s1', 's2', 's3'] as const).map((session) => ({session, rect})),
    undefined,
  );
  await settle();
  const isSilent = (): unknown[] =>
    (['s1', 's2', 's3'] as const).map((session) => panes.get(session)?.isSilent());
  assert.deepEqual(isSilent(), [true, true, false]);
  sources.print('s1', '\u001B[31m\r\n');
  sources.print('s2', 'one test');
  await settle();
  assert.deepEqual(isSilent(), [true, false, false]);
  sources.print('s2', '\u001B[2J');
  await settle();
  assert.deepEqual(isSilent(), [true, false, false]);
  panes.close();
});

test('only what is seen is connected', async () => {
  const {panes, sources, clock} = createSimulator();
  panes.arrange(
    [
      {session: 's1', rect},
      {session: 's2', rect},
    ],
    undefined,
  );
  await settle();
  assert.deepEqual(sources.open(), ['s1', 's2']);
  panes.arrange(
    [
      {session: 's2', rect},
      {session: 's3', rect},
    ],
    undefined,
  );
  await settle();
  assert.deepEqual([sources.open(), sources.openings()], [['s2', 's3'], 3]);
  panes.arrange([{session: 's4', rect}], undefined);
  panes.arrange([], undefined);
  await settle();
  assert.deepEqual(sources.open(), []);
  panes.close();
  assert.equal(clock.waiting(), 0);
});

test('of 200 resizes in a second a program hears once, when the layout has settled', async () => {
  const {panes, sources, clock} = createSimulator();
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  clock.pass(100);
  const before = sources.sizes('s1').length;
  for (let step = 1; step <= 200; step++) {
    panes.arrange([{session: 's1', rect: {...rect, columns: 20 + (step % 50) + 1}}], undefined);
    clock.pass(5);
  }

  assert.equal(sources.sizes('s1').length, before);
  clock.pass(100);
  assert.deepEqual(sources.sizes('s1').slice(before), [{columns: 21, rows: 4}]);
  panes.close();
});

test('a pane that is passed by does not resize its session', async () => {
  const {panes, sources, clock} = createSimulator();
  sources.own('s1', {columns: 120, rows: 40});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  clock.pass(50);
  panes.arrange([], undefined);
  clock.pass(1000);
  assert.deepEqual(sources.resizes('s1'), []);
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  clock.pass(100);
  assert.deepEqual(sources.resizes('s1'), [{columns: 20, rows: 4}]);
  panes.close();
});

test('until the session has the size of the pane, its own screen is shown, around the cursor', async () => {
  const {panes, sources, clock} = createSimulator({s1: lines(1, 8)});
  sources.own('s1', {columns: 30, rows: 10});
  panes.arrange([{session: 's1', rect}], 's1');
  await settle();
  const pane = panes.get('s1')!;
  assert.deepEqual(toText(pane.refresh().cells), ['line 5', 'line 6', 'line 7', 'line 8']);
  assert.deepEqual(pane.cursor(), {row: 3, column: 6, shape: 0});
  sources.print('s1', `\r\n${'x'.repeat(25)}\r\n$`);
  await settle();
  assert.equal(toText(pane.refresh().cells)[2], 'x'.repeat(25));
  clock.pass(100);
  assert.equal(toText(pane.refresh().cells)[2], 'x'.repeat(25));
  sources.resized('s1', {columns: 20, rows: 4});
  assert.deepEqual(toText(pane.refresh().cells).slice(1), ['x'.repeat(20), 'x'.repeat(5), '$']);
  panes.close();
});

test('of two clients, the one that typed last has its size: a key claims it, once', async () => {
  const {panes, sources, clock} = createSimulator();
  sources.own('s1', {columns: 20, rows: 4});
  const places = [{session: 's1', rect} as const];
  panes.arrange(places, 's1');
  await settle();
  clock.pass(100);
  sources.resized('s1', {columns: 20, rows: 4});
  const before = sources.resizes('s1').length;
  const press = (): void => panes.get('s1')?.write(new TextEncoder().encode('x'));
  press();
  assert.equal(sources.resizes('s1').length, before);
  sources.resized('s1', {columns: 200, rows: 50});
  press();
  press();
  assert.deepEqual(sources.resizes('s1').slice(before), [{columns: 20, rows: 4}]);
  sources.resized('s1', {columns: 20, rows: 4});
  press();
  assert.equal(sources.resizes('s1').length, before + 1);
  panes.close();
});

test('a pane that gets the focus claims its size, and one that keeps it does not', async () => {
  const {panes, sources, clock} = createSimulator();
  const places = (focused: 's1' | 's2') =>
    (['s1', 's2'] as const).map((session) => ({session, rect, isFocused: session === focused}));
  panes.arrange(places('s1'), undefined);
  await settle();
  clock.pass(100);
  const before = sources.resizes('s2').length;
  panes.arrange(places('s2'), undefined);
  panes.arrange(places('s2'), undefined);
  assert.deepEqual(sources.resizes('s2').slice(before), [{columns: 20, rows: 4}]);
  panes.close();
});

test('whoever begins to type is given the session in their own size, once', async () => {
  const {panes, sources, clock} = createSimulator();
  const places = [{session: 's1', rect} as const];
  panes.arrange(places, undefined);
  await settle();
  clock.pass(100);
  const before = sources.sizes('s1').length;
  panes.arrange(places, 's1');
  panes.arrange(places, 's1');
  assert.deepEqual(sources.sizes('s1').slice(before), [{columns: 20, rows: 4}]);
  panes.arrange(places, undefined);
  panes.arrange(places, 's1');
  assert.equal(sources.sizes('s1').length, before + 2);
  // It does not wait for the layout to settle: the next key is for this size.
  panes.arrange([{session: 's1', rect: {...rect, columns: 30}}], 's1');
  panes.get('s1')?.write(new TextEncoder().encode('x'));
  assert.deepEqual(sources.sizes('s1').at(-1), {columns: 30, rows: 4});
  panes.close();
});

test('what is typed before the pane is open is typed when it is', async () => {
  const {panes, sources} = createSimulator();
  panes.arrange([{session: 's1', rect}], 's1');
  panes.get('s1')?.write(new TextEncoder().encode('ls\r'));
  assert.deepEqual(sources.typed('s1'), []);
  await settle();
  assert.deepEqual(sources.typed('s1'), ['ls\r']);
  panes.close();
});

test('a pane that cannot be opened says why, and can be tried again', async () => {
  const {panes, sources, views} = createSimulator({s1: 'here'});
  sources.refuse('s1 has ended\u001B]0;x\u0007');
  panes.arrange([{session: 's1', rect: {...rect, columns: 40}}], undefined);
  await settle();
  assert.deepEqual(
    [views.at(-1)?.connection, toText(panes.get('s1')?.refresh().cells)[0]],
    ['failed', 's1 has ended\\u{1b}]0;x\\u{7}'],
  );
  sources.refuse(undefined);
  panes.retry();
  await settle();
  assert.deepEqual(
    [views.at(-1)?.connection, toText(panes.get('s1')?.refresh().cells)[0]],
    ['live', 'here'],
  );
  panes.close();
});

test('the end of a session is told once, and its screen stays', async () => {
  const {panes, sources, ended, views} = createSimulator({s1: 'result'});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  sources.end('s1', 'exit 0');
  sources.end('s1', 'its keeper is gone');
  assert.deepEqual(
    [
      ended,
      views.at(-1)?.text,
      toText(panes.get('s1')?.refresh().cells)[0],
      panes.get('s1')?.cursor(),
    ],
    [['s1: exit 0'], 'exit 0', 'result', undefined],
  );
  panes.close();
});

test('scrolled up, the picture stands still while the program goes on, until the person follows again', async () => {
  const {panes, sources, views} = createSimulator({s1: lines(1, 20)});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  const pane = panes.get('s1')!;
  pane.look((viewport, _, extent) => scrollViewport(viewport, {to: 'up', times: 2}, extent));
  assert.deepEqual(toText(pane.refresh().cells), ['line 15', 'line 16', 'line 17', 'line 18']);
  sources.print('s1', `\r\n${lines(21, 40)}`);
  await settle();
  assert.deepEqual(toText(pane.refresh().cells), ['line 15', 'line 16', 'line 17', 'line 18']);
  assert.deepEqual([views.at(-1)?.scroll, views.at(-1)?.history], [2, 16]);
  pane.look((viewport, _, extent) => scrollViewport(viewport, {to: 'bottom'}, extent));
  assert.deepEqual(toText(pane.refresh().cells), ['line 37', 'line 38', 'line 39', 'line 40']);
  pane.look((viewport, _, extent) => scrollViewport(viewport, {to: 'top'}, extent));
  assert.deepEqual(toText(pane.refresh().cells)[0], 'line 1');
  pane.write(new TextEncoder().encode('x'));
  assert.deepEqual(toText(pane.refresh().cells)[3], 'line 40');
  panes.close();
});

test('a pane is opened where the person left it', async () => {
  const {panes} = createSimulator({s1: lines(1, 20)});
  panes.arrange([{session: 's1', rect, scroll: 5}], undefined);
  await settle();
  assert.deepEqual(toText(panes.get('s1')?.refresh().cells), [
    'line 12',
    'line 13',
    'line 14',
    'line 15',
  ]);
  panes.close();
});

test('a search begins at the newest match, goes round, scrolls to what it found and marks it', async () => {
  const {panes, views} = createSimulator({s1: `needle\r\n${lines(1, 9)}\r\nneedle end`});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  const pane = panes.get('s1')!;
  pane.look((viewport, screen, extent) =>
    afterSearch(viewport, 'needle', screen.search('needle'), extent),
  );
  assert.deepEqual(views.at(-1)?.search, {text: 'needle', matches: 2, current: 2});
  const inverse = (cells: Cells, row: number): number =>
    Array.from(
      {length: 20},
      (_, column) => (cells.words[(row * 20 + column) * 3 + 1] ?? 0) & 0x400_0000,
    ).filter((bit) => bit !== 0).length;
  assert.equal(inverse(pane.refresh().cells, 3), 6);
  pane.look((viewport, _, extent) => afterSearchStep(viewport, 'older', extent));
  assert.deepEqual(
    [
      toText(pane.refresh().cells)[0],
      inverse(pane.refresh().cells, 0),
      views.at(-1)?.search?.current,
    ],
    ['needle', 6, 1],
  );
  pane.look((viewport, _, extent) => afterSearchStep(viewport, 'older', extent));
  assert.equal(views.at(-1)?.search?.current, 2);
  panes.close();
});

test('copy mode selects characters and lines, over wrapped ones as if they were not, and gives their text', async () => {
  const {panes, views} = createSimulator({s1: 'first\r\n12345678901234567890wrapped\r\nlast 日本'});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  const pane = panes.get('s1')!;
  const move = (to: 'up' | 'left' | 'line-start' | 'line-end' | 'top', times = 1): void => {
    pane.look((viewport, _, extent) => afterCopyMove(viewport, {to, times}, extent));
  };
  pane.look((viewport, screen, extent) => afterCopyMode(viewport, true, screen.cursor, extent));
  pane.look((viewport) => afterCopyAnchor(viewport, 'lines'));
  move('up', 2);
  assert.equal(pane.selection(), '12345678901234567890wrapped\nlast 日本');
  assert.deepEqual(views.at(-1)?.copying, {lines: 3, isSelecting: true});
  pane.look((viewport) => afterCopyAnchor(viewport, 'nothing'));
  assert.equal(pane.selection(), '');
  move('top');
  move('line-start');
  pane.look((viewport) => afterCopyAnchor(viewport, 'characters'));
  pane.look((viewport, _, extent) => afterCopyMove(viewport, {to: 'right', times: 2}, extent));
  assert.equal(pane.selection(), 'fir');
  pane.look((viewport, screen, extent) => afterCopyMode(viewport, false, screen.cursor, extent));
  assert.equal(views.at(-1)?.copying, undefined);
  panes.close();
});

test('a title that changes all the time is told once a second', async () => {
  const {panes, sources, views, clock} = createSimulator();
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  views.length = 0;
  for (let step = 0; step < 50; step++) {
    sources.print('s1', `\u001B]0;spin ${step}\u0007`);
    await settle();
    clock.pass(40);
  }

  clock.pass(1000);
  assert.ok(views.length >= 2 && views.length <= 4, `${views.length} views`);
  assert.equal(views.at(-1)?.title, 'spin 49');
  panes.close();
});

test('an unfinished synchronized frame is not shown, unless it stays unfinished', async () => {
  const {panes, sources, clock, drawn} = createSimulator({s1: 'whole'});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  const pane = panes.get('s1')!;
  pane.refresh();
  sources.print('s1', '\u001B[?2026h\u001B[2J\u001B[Hhal');
  await settle();
  assert.equal(toText(pane.refresh().cells)[0], 'whole');
  sources.print('s1', 'f\u001B[?2026l');
  await settle();
  assert.equal(toText(pane.refresh().cells)[0], 'half');
  sources.print('s1', '\u001B[?2026h\u001B[Hforgotten');
  await settle();
  pane.refresh();
  drawn.length = 0;
  clock.pass(200);
  assert.deepEqual([drawn.length, toText(pane.refresh().cells)[0]], [1, 'forgotten']);
  panes.close();
});

test('what a program asks its terminal is answered by the pane, if that is its place', async () => {
  const {panes, sources} = createSimulator();
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  sources.print('s1', 'ab\u001B[6n');
  await settle();
  assert.deepEqual(sources.replies, ['\u001B[1;3R']);
  panes.close();
});

test('a pane that floods does not hold up the one that is typed into, and takes the screen as it is when it is too far behind', async () => {
  const {panes, sources} = createSimulator({s1: 'snapshot'});
  panes.arrange(
    [
      {session: 's1', rect},
      {session: 's2', rect},
    ],
    's2',
  );
  await settle();
  let text = 0;
  for (; sources.openings() < 3; text++) sources.print('s1', 'x'.repeat(64 * 1024));
  sources.print('s2', 'echo');
  assert.deepEqual(toText(panes.get('s2')?.refresh().cells)[0], 'echo');
  await settle();
  assert.deepEqual([text, toText(panes.get('s1')?.refresh().cells)[0]], [65, 'snapshot']);
  panes.close();
});

test('a page is turned at the first key, with the cursor where it was on it; at the ends the cursor goes on alone', () => {
  const extent = {history: 100, rows: 20, columns: 80};
  const start = {scroll: 0, copy: {row: 15, column: 3}};
  const [once, twice] = [
    afterCopyMove(start, {to: 'page-up'}, extent),
    afterCopyMove(start, {to: 'page-up', times: 2}, extent),
  ];
  assert.deepEqual(once, {scroll: 19, copy: {row: -4, column: 3}});
  assert.deepEqual(twice, {scroll: 38, copy: {row: -23, column: 3}});
  assert.deepEqual(afterCopyMove(once, {to: 'page-down'}, extent), start);
  assert.deepEqual(afterCopyMove(start, {to: 'page-down'}, extent), {
    scroll: 0,
    copy: {row: 19, column: 3},
  });
  assert.deepEqual(
    afterCopyMove({scroll: 100, copy: {row: -90, column: 0}}, {to: 'page-up'}, extent),
    {scroll: 100, copy: {row: -100, column: 0}},
  );
});

const alternate = '\u001B[?1049h\u001B[H\u001B[2J';
const drawFrame = (...rows: readonly string[]): string => `\u001B[H\u001B[2J${rows.join('\r\n')}`;

/** The whole of a frozen pane, from the top. */
function readAll(pane: NonNullable<ReturnType<PaneSet['get']>>): string[] {
  let all: string[] = [];
  pane.look((viewport, screen, extent) => {
    all = screen.text(-extent.history, extent.history + extent.rows);
    return viewport;
  });
  return all;
}

test('on the alternate screen one scrolls through earlier frames, and what the program covered', async () => {
  const {panes, sources, clock, views} = createSimulator({s1: `${lines(1, 6)}\r\n$ agent`});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  const pane = panes.get('s1')!;
  const show = async (text: string): Promise<void> => {
    clock.pass(200);
    sources.print('s1', text);
    await settle();
  };
  await show(`${alternate}${drawFrame('a1', 'a2', 'a3', '> ')}`);
  await show('\u001B[4;1H> typed');
  await show(drawFrame('a1', '\u001B[31mb2\u001B[m', 'b3', '> '));
  await show(drawFrame('c1', 'c2', 'c3', 'c4'));
  const rule = '─'.repeat(20);
  assert.deepEqual(readAll(pane), [
    ...Array.from({length: 6}, (_, index) => `line ${index + 1}`),
    '$ agent',
    rule,
    'a1',
    'a2',
    'a3',
    '> typed',
    rule,
    'a1',
    'b2',
    'b3',
    '>',
    rule,
    'c1',
    'c2',
    'c3',
    'c4',
  ]);
  pane.look((viewport, screen, extent) => afterSearch(viewport, 'a2', screen.search('a2'), extent));
  assert.equal(views.at(-1)?.search?.matches, 1);
  pane.look((viewport, screen, extent) => afterCopyMode(viewport, true, screen.cursor, extent));
  pane.look((viewport) => afterCopyAnchor(viewport, 'lines'));
  pane.look((viewport, _, extent) => afterCopyMove(viewport, {to: 'down'}, extent));
  assert.equal(pane.selection(), 'a2\na3');
  panes.close();
});

test('what a program scrolls out of the alternate screen can be read like a scrollback', async () => {
  const {panes, sources, clock} = createSimulator();
  panes.arrange([{session: 's1', rect: {...rect, rows: 8}}], undefined);
  await settle();
  const transcript = (last: number): string =>
    drawFrame('head', ...Array.from({length: 6}, (_, row) => `said ${last - 5 + row}`), '> ');
  for (let last = 6; last <= 30; last += 2) {
    clock.pass(200);
    sources.print('s1', `${last === 6 ? alternate : ''}${transcript(last)}`);
    await settle();
  }

  assert.deepEqual(readAll(panes.get('s1')!), [
    ...Array.from({length: 24}, (_, index) => `said ${index + 1}`),
    'head',
    ...Array.from({length: 6}, (_, index) => `said ${index + 25}`),
    '>',
  ]);
  panes.close();
});

test('a program that leaves the alternate screen leaves its frames behind', async () => {
  const {panes, sources, clock} = createSimulator({s1: lines(1, 3)});
  panes.arrange([{session: 's1', rect}], undefined);
  await settle();
  for (const text of [
    `${alternate}${drawFrame('a1', 'a2', 'a3')}`,
    drawFrame('b1', 'b2', 'b3'),
    '\u001B[?1049l',
    'back',
  ]) {
    clock.pass(200);
    sources.print('s1', text);
    await settle();
  }

  assert.deepEqual(readAll(panes.get('s1')!), ['line 1', 'line 2', 'line 3back', '']);
  panes.close();
});
