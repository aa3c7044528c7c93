import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {LiveState} from '../../../source/client/index.ts';
import {decide, type Event, evolve, selectRun, type State} from '../../../source/domain/index.ts';
import {noticeMs} from '../../../source/app/model/action.ts';
import {createApp} from '../../../source/app/runtime/create-app.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {defineApp} from '../../../source/app/runtime/run-app.tsx';
import {conclude, createHarness, type Harness, report} from '../../domain/support/harness.ts';
import {base, passed} from '../../domain/support/samples.ts';
import {
  check,
  makeWorktree,
  mergeTask,
  sessionOfTask,
  startSession,
  work,
} from '../../domain/support/stages.ts';
import {createClock} from '../support/clock.ts';
import {createDevice} from '../support/device.ts';
import {createSources, settle} from '../support/sources.ts';
import {repository, richPlan, valueFor} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

/** The app in its loop, on an emulated terminal, with a house in memory for a daemon. */
function start(
  harness: Harness,
  {
    size = {columns: 80, rows: 24},
    uiState = {value: undefined as unknown},
  }: {readonly size?: Size; readonly uiState?: {value: unknown}} = {},
) {
  const device = createDevice(size);
  const clock = createClock();
  clock.pass(harness.time);
  const sources = createSources();
  let handleEvent: (event: Event, state: State) => void = () => undefined;
  let notified = harness.events.length;
  let lose: () => void = () => undefined;

  /** Tells the app what has happened in the house, and lets it draw. */
  const sync = async (): Promise<void> => {
    let state = harness.events.slice(0, notified).reduce(evolve, createHarness().state);
    for (const event of harness.events.slice(notified)) {
      state = evolve(state, event);
      notified += 1;
      handleEvent(event, state);
    }

    await settle();
    clock.pass(1000);
    await settle();
    clock.pass(100);
  };

  const connect = (received: typeof handleEvent): Promise<LiveState> => {
    handleEvent = received;
    notified = harness.events.length;
    const ended = new Promise<void>((resolve) => {
      lose = resolve;
    });
    return Promise.resolve({
      state: () => harness.state,
      welcome: {type: 'welcome', protocol: 1, build: 'x', pid: 1, seq: 0},
      until: () => Promise.reject(new Error('not asked for')),
      ended,
      close: () => undefined,
      ask: (question) => {
        if (question.about !== 'wish')
          return Promise.resolve(
            valueFor({state: harness.state, now: clock.now()}, harness, 0, {question}),
          );
        harness.time = Math.max(harness.time, clock.now());
        const decision = decide(harness.state, {
          ...question.wish,
          at: harness.time,
          by: {kind: 'person', client: 'ada'},
        });
        for (const event of decision.events) {
          harness.events.push(event);
          harness.state = evolve(harness.state, event);
        }

        return decision.refused === undefined
          ? Promise.resolve({events: decision.events})
          : Promise.reject(new Error(decision.refused));
      },
    });
  };

  const app = createApp(
    defineApp({
      size,
      repository: {...repository, agents: ['playbook']},
      uiState: uiState.value,
      env: {TERM: 'xterm-256color'},
    }),
    {
      connect,
      openPane: sources.openPane,
      terminal: device.terminal,
      handOver: () => Promise.resolve(),
      edit: (text) => Promise.resolve(text),
      env: {TERM: 'xterm-256color'},
      now: clock.now,
      after: clock.after,
      onSignal: device.onSignal,
      uiState: {
        read: () => uiState.value,
        write: (value) => {
          uiState.value = value;
        },
      },
    },
  );
  const finished = app.run();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      device.press(key);
      await sync();
    }
  };

  /** Until what was said is gone: a toast may hide what is asked for. */
  const toastIsGone = async (): Promise<void> => {
    clock.pass(noticeMs);
    await settle();
    clock.pass(100);
    await settle();
  };

  const shows = (message: string | RegExp): void => {
    const text = device.screen().text().join('\n');
    assert.ok(
      typeof message === 'string' ? text.includes(message) : message.test(text),
      `expected ${String(message)} on\n${text}`,
    );
  };

  return {
    device,
    sources,
    sync,
    press,
    toastIsGone,
    shows,
    finished,
    lose: () => {
      lose();
    },
    memory: uiState,
  };
}

test('objective, approve, watch, answer, one retry, review, accept: by keys alone', async () => {
  const harness = createHarness();
  const {sources, sync, press, toastIsGone, shows, finished} = start(harness);
  await sync();
  shows('What should be different?');
  await press('Stop refreshing tokens twice', '\r');
  assert.equal(selectRun(harness.state, 'r1')?.stage.at, 'surveying');
  shows(/▌Stop refreshing[^]*looking at the repository/);

  conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: base});
  conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  startSession(harness, 's1');
  await sync();
  sources.print('s1', 'the planner reads\r\n');
  await sync();
  shows('the planner reads');
  report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null});
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: {...richPlan, tasks: richPlan.tasks.slice(0, 1)},
    hash: 'plan-1',
    tree: 'tree-base',
  });
  await sync();
  // The planner was in view, so the plan is opened.
  shows('The plan is ready.');
  await toastIsGone();
  shows('planner wrote nothing');
  await press('A');
  assert.equal(selectRun(harness.state, 'r1')?.stage.at, 'working');

  makeWorktree(harness, 'r1.t1');
  const session = sessionOfTask(harness, 'r1.t1');
  startSession(harness, session);
  report(harness, {
    type: 'session-waiting',
    session,
    proof: 'proven',
    secret: false,
    question: 'Go on? [y/n]',
  });
  await sync();
  shows('Share the refresh in flight asks: Go on?');
  await press('n', '1');
  assert.deepEqual(
    harness.events
      .filter(({type}) => type === 'input-asked')
      .map((event) => ('text' in event ? event.text : '')),
    ['y\r'],
  );
  report(harness, {type: 'input-typed', session, input: 1}, `${session}/type-1`);
  report(harness, {type: 'session-moved-on', session});
  await sync();
  // It was the last one: back at work.
  shows('Sent: y');
  shows('nothing needs you');

  getRunToExit(harness, session);
  check(harness, 'r1.t1', {
    check: {name: 'test', command: 'npm test'},
    outcome: 'failed',
    firstFailure: 'expected 1, got 2',
    touched: [],
  });
  await sync();
  shows('try 2/2');
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', passed('test', 'npm test'));
  check(harness, 'r1.t1', passed('build'));
  report(
    harness,
    {type: 'change-committed', task: 'r1.t1', attempt: 2, commit: 'c2'},
    'r1.t1.a2/commit/tree-1',
  );
  mergeTask(harness, 'r1.t1');
  await sync();
  shows(/ready to accept {3}Stop refreshing tokens twice/);
  await press('n', 'v');
  shows('src/token.ts');
  await press('A');
  shows('Accept into main?');
  await press('A');
  assert.equal(selectRun(harness.state, 'r1')?.stage.at, 'accepting');
  await press('q', 'q');
  assert.equal(await finished, 0);
});

test('the cursor of the terminal stands where one writes: in the objective and in the palette; nowhere else', async () => {
  const {sync, press, finished, device} = start(createHarness());
  const cursor = (): unknown => {
    const {
      modes,
      cursor: {row, column},
    } = device.screen();
    return modes.cursorVisible ? {row, column} : undefined;
  };

  const behind = (message: string): unknown => {
    const text = device.screen().text();
    const row = text.findIndex((line) => line.includes(message));
    return {row, column: (text[row] ?? '').indexOf(message) + message.length};
  };
  await sync();
  await press('a', 'b', 'c');
  assert.deepEqual(cursor(), behind('┃ abc'));
  await press('\u001B[D', '\u001B[D');
  assert.deepEqual(cursor(), behind('┃ a'));
  await press('\u001B[F', '日', '🚀');
  assert.equal(
    (cursor() as {readonly column: number}).column,
    (behind('┃ abc') as {readonly column: number}).column + 4,
  );
  await press('\u001B');
  assert.equal(cursor(), undefined);
  await press(':', 't', 'i');
  assert.deepEqual(cursor(), behind('> ti'));
  await press('\u001B');
  assert.equal(cursor(), undefined);
  await press('q');
  await finished;
});

test('left and opened again: the brief, then the same pane and zoom', async () => {
  const {harness} = tokenStory();
  const first = start(harness);
  await first.sync();
  first.shows('need you');
  await first.press(' ', 'k', 'z');
  first.shows(/━ 2 Say when a token is refreshed ━/);
  // The terminal is closed: `q` would go home first.
  first.device.signal('SIGHUP');
  assert.equal(await first.finished, 128 + 1);

  const second = start(harness, {uiState: first.memory});
  await second.sync();
  second.shows('Needs you');
  await second.press(' ');
  second.shows(/━ 2 Say when a token is refreshed ━/);
  assert.equal(second.device.screen().text()[1]?.includes('│'), false);
  await second.press('q', 'q');
  await second.finished;
});

test('typing goes raw to the pane that is in focus, and Ctrl-] comes back', async () => {
  const {harness} = tokenStory();
  const {sources, press, sync, shows, finished} = start(harness);
  await sync();
  await press(' ', 'i');
  shows('TYPING');
  await press('q', '\u0003', '\u001B[A', '\u001D');
  assert.equal(sources.typed('s14').join(''), 'q\u0003\u001B[A');
  shows('z zoom');
  await press('q');
  assert.equal(await finished, 0);
});

test("with keys of one's own the whole way is gone by those, and the usual ones do nothing", async () => {
  const keys = {
    'next-need': 'f7',
    approve: 'ctrl-a',
    'write-objective': 'O',
    'workers.type': 'f3',
    'workers.zoom': ['f11', 'Z'],
    quit: 'Q',
    'prompt.submit': 'ctrl-x',
    'need-plan.see-plan': 'f2',
    help: 'f1',
  };
  const harness = createHarness();
  const {sources, sync, press, shows, finished, memory} = start(harness, {
    uiState: {value: {settings: {keys, leave: 'ctrl-t'}}},
  });
  await sync();
  await press('Stop refreshing tokens twice', '\r');
  shows('┃ Stop refreshing tokens twice');
  shows('Ctrl-x plan it');
  await press('\u0018');
  assert.equal(selectRun(harness.state, 'r1')?.stage.at, 'surveying');
  conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: base});
  conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  startSession(harness, 's1');
  await sync();
  await press('Z', '\u001BOR');
  shows('playbook runs headless in s1');
  assert.equal(sources.typed('s1').join(''), '');
  await press('Z');
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'proven',
    secret: false,
    question: 'Go on?',
  });
  await sync();
  await press('z');
  shows('│');
  await press('Z', '\u001BOR');
  shows('TYPING');
  await press('q', '\u001D', '\u0014');
  assert.equal(sources.typed('s1').join(''), 'q\u001D');
  await press('\u001B[23~');
  report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null});
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: {...richPlan, tasks: richPlan.tasks.slice(0, 1)},
    hash: 'plan-1',
    tree: 'tree-base',
  });
  await sync();
  shows('Ctrl-a approve');
  await press('w');
  shows('F7 read the plan');
  await press('n');
  shows('F7 read the plan');
  await press('\u001B[18~', '\u001BOQ');
  shows('Ctrl-a approve');
  await press('A');
  assert.equal(selectRun(harness.state, 'r1')?.stage.at, 'reviewing');
  await press('\u0001');
  assert.equal(selectRun(harness.state, 'r1')?.stage.at, 'working');
  await press('\u001BOP');
  shows('F11 Z*');
  shows('F3*');
  await press('\u001BOP');
  shows('Those with * are yours.');
  await press('q', '\u0003');
  shows('Those with * are yours.');
  await press('Q', 'Q');
  assert.equal(await finished, 0);
  assert.deepEqual(
    (memory.value as {readonly settings: {readonly keys: unknown}}).settings.keys,
    keys,
  );
});

test('the daemon is lost and found: the app says so and goes on where it was', async () => {
  const {harness} = tokenStory();
  const {lose, press, sync, shows, finished, device} = start(harness);
  await sync();
  await press(' ', 's');
  lose();
  await settle();
  assert.match(device.screen().text()[1] ?? '', /reconnecting|need you/);
  await sync();
  shows('Services');
  shows('need you');
  await press('q', 'q');
  assert.equal(await finished, 0);
});

function getRunToExit(harness: Harness, session: `s${number}`): void {
  report(harness, {type: 'session-exited', session, code: 0, signal: null});
  report(
    harness,
    {type: 'agent-finished', task: 'r1.t1', attempt: 1, words: 'Done.'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  report(
    harness,
    {
      type: 'change-captured',
      task: 'r1.t1',
      attempt: 1,
      change: {
        tree: 'tree-1',
        files: [{path: 'src/token.ts', how: 'modified', added: 3, removed: 1}],
      },
    },
    'r1.t1.a1/capture',
  );
  report(
    harness,
    {type: 'change-judged', task: 'r1.t1', attempt: 1, judgement: {outside: [], rules: []}},
    'r1.t1.a1/judge/tree-1',
  );
}
