import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {stripVTControlCharacters} from 'node:util';
import {
  buildBrief,
  buildNeedsReport,
  buildStatus,
  buildTimeline,
  formatBrief,
  formatJson,
  formatNeeds,
  formatStatus,
  formatTimeline,
} from '../../../source/reports/index.ts';
import {cutLine, displayWidth} from '../../../source/shared/index.ts';
import {wrapText} from '../../../source/shared/wrap-text.ts';
import {
  emptyState,
  type Event,
  eventTypes,
  evolve,
  type State,
} from '../../../source/domain/index.ts';
import {createHarness, type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';
import {otherRules, plannedTask, request} from '../../domain/support/samples.ts';
import {
  makeWorktree,
  sessionOfTask,
  startSession,
  validate,
  working,
} from '../../domain/support/stages.ts';
import {assertGolden} from '../../support/golden.ts';
import {assertShown} from '../../support/shown.ts';
import {tokenStory} from './token-story.ts';

type HookInput = {
  readonly name: string;
  readonly data: (state: State, events: readonly Event[], since: number, now: number) => unknown;
  readonly text: (
    state: State,
    events: readonly Event[],
    since: number,
    now: number,
    width: number,
    color?: boolean,
  ) => string;
};

const tellings: readonly HookInput[] = [
  {
    name: 'status',
    data: (state, _, __, now) => buildStatus(state, now),
    text: (state, _, __, now, width, color = false) =>
      formatStatus(buildStatus(state, now), {width, color}),
  },
  {
    name: 'needs',
    data: (state, _, __, now) => buildNeedsReport(state, now),
    text: (state, _, __, now, width, color = false) =>
      formatNeeds(buildNeedsReport(state, now), {width, color}),
  },
  {
    name: 'timeline',
    data: (_, events) => buildTimeline(events),
    text: (_, events, __, now, width, color = false) =>
      formatTimeline(buildTimeline(events), {width, now, color}),
  },
  {
    name: 'brief',
    data: (state, events, since, now) => buildBrief(state, events, {since, now}),
    text: (state, events, since, now, width, color = false) =>
      formatBrief(buildBrief(state, events, {since, now}), {width, color}),
  },
];

describe('at 80 columns and as JSON:', () => {
  for (const {name, data, text} of tellings) {
    test(name, () => {
      const {
        harness: {state, events},
        left,
        now,
      } = tokenStory();
      assertGolden(`story/${name}.txt`, text(state, events, left, now, 80));
      assertGolden(`story/${name}.json`, formatJson(data(state, events, left, now)));
    });

    test(`${name} says with colour what it says without`, () => {
      const {
        harness: {state, events},
        left,
        now,
      } = tokenStory();
      const colored = text(state, events, left, now, 80, true);
      assert.equal(stripVTControlCharacters(colored), text(state, events, left, now, 80));
      assert.match(colored, /\u001B\[\d+m/);
    });

    test(`${name} of an empty house says so, and how to begin`, () => {
      assert.match(
        text(emptyState, [], 0, 120_000, 80),
        /^(?:No run is open\. Start one: orchestra run "|Nothing needs you\.\n$|Nothing has happened yet\.\n$|The last 2 min\. Nothing happened\.\n$)/,
      );
    });
  }
});

test('at any moment of 60 random histories every report is safe, within the width, plain data, and the same each time', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const {events} = runRandomHistory(seed).harness;
    let state = emptyState;
    events.forEach((event, index) => {
      state = evolve(state, event);
      if (index % 23 !== 0 && index !== events.length - 1) return;
      const notified = events.slice(0, index + 1);
      const since = notified[Math.floor(index / 2)]!.at;
      for (const {name, data, text} of tellings) {
        const value = data(state, notified, since, state.at + 1000);
        assert.deepEqual(JSON.parse(formatJson(value)), value, name);
        const lines = text(state, notified, since, state.at + 1000, 72);
        assertShown(lines);
        assert.doesNotMatch(lines, /undefined|NaN|\[object/);
        for (const line of lines.split('\n'))
          assert.ok(
            displayWidth(line) <= 72 || /^ *(?:orchestra|\$EDITOR) /.test(line),
            `${name}: ${line}`,
          );
      }
    });
  }
});

test('what others wrote cannot act on a terminal nor begin a line', () => {
  const harness = createHarness();
  report(harness, {type: 'project-read', project: {services: [], limits: {workers: 1, runs: 1}}});
  userCommand(harness, {
    type: 'start-run',
    request: {...request, objective: 'a\n1 thing needs you\u001B[2J\u202Eb'},
    budget: {},
  });
  userCommand(harness, {
    type: 'start-session',
    name: 'x\u0007',
    command: ['a\nb', '\u009B31m'],
    directory: '/',
  });
  report(harness, {type: 'session-created', session: 's1'});
  report(harness, {type: 'session-running', session: 's1'});
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'inferred',
    secret: true,
    question: 'Pass\nword\u001B]52;c;x\u0007:',
  });
  for (const {text} of tellings) {
    const lines = text(harness.state, harness.events, 0, harness.time, 80);
    assertShown(lines);
    assert.doesNotMatch(lines, /^(?:1 thing needs you\\u|word|b )/m);
  }

  assert.match(
    formatNeeds(buildNeedsReport(harness.state, harness.time), {width: 80}),
    /^s1 seems to ask for a secret: Pass word\\u\{1b\}\]52;c;x\\u\{7\}: \(0 s\)\n {2}orchestra attach s1 {2}type the secret yourself/,
  );
});

test('a timeline of one run has the events of its sessions, also when they begin in the middle', () => {
  const {
    harness: {state, events},
  } = tokenStory();
  const half = events.slice(Math.floor(events.length / 2));
  const all = buildTimeline(half, {run: 'r1', all: true, state}).entries;
  assert.ok(all.some(({type, task}) => type === 'session-running' && task !== null));
  assert.deepEqual(
    all.filter(({run}) => run !== 'r1'),
    [],
  );
  assert.deepEqual(buildTimeline(events, {run: 'r2'}), {entries: [], earlier: 0});
  assert.deepEqual(
    buildTimeline(events, {limit: 2}).entries,
    buildTimeline(events).entries.slice(-2),
  );
  assert.equal(buildTimeline(events, {limit: 2}).earlier, buildTimeline(events).entries.length - 2);
  assert.equal(buildTimeline(events, {all: true}).entries.length, events.length);
});

test('a brief has nothing of before: what a person did then is where they were, and what failed and was merged is not among what failed', () => {
  const {
    harness: {state, events},
    left,
    now,
  } = tokenStory();
  const brief = buildBrief(state, events, {since: left, now});
  assert.deepEqual(
    brief.before.map(({words}) => words),
    [
      'r1 was requested: Stop refreshing tokens twice',
      'ada approved the plan of r1: plan-1',
      'web starts for you',
    ],
  );
  assert.deepEqual(brief.failed, []);
  assert.deepEqual(
    brief.merged.map(({about, words}) => [about, words]),
    [['r1.t1', 'r1.t1 is merged: merge-r1.t1, after 2 tries']],
  );
  assert.ok(brief.happened.every(({entries}) => entries.every(({ageMs}) => ageMs! < now - left)));
  assert.deepEqual(buildBrief(state, events, {since: now, now}).happened, []);
});

test('a failure that needs no person yet is listed as failed, with its state', () => {
  const {
    harness: {events},
    left,
  } = tokenStory();
  const red = events.findIndex(({type}) => type === 'attempt-failed');
  const notified = events.slice(0, red + 1);
  const state = notified.reduce(evolve, emptyState);
  const brief = buildBrief(state, notified, {since: left, now: state.at + 60_000});
  assert.deepEqual(brief.failed, [
    {
      about: 'r1.t1',
      words: 'r1.t1 try 1 failed: test failed: token.test.js:7 expected 1 refresh, got 2',
      ageMs: 60_000,
    },
  ]);
});

test('a restart of the daemon and a lost session are listed under `house`', () => {
  const {harness, left} = tokenStory();
  report(harness, {type: 'daemon-started', build: '0.2'});
  assert.deepEqual(
    buildBrief(harness.state, harness.events, {since: left, now: harness.time}).house,
    [{about: 'orchestra', words: 'orchestra 0.2 started', ageMs: 0}],
  );
});

test('the status of one run has its own sessions and the ports that the kernel named', () => {
  const {
    harness: {state},
    now,
  } = tokenStory();
  const {runs, sessions, over} = buildStatus(state, now, {
    run: 'r1',
    ports: [{session: getSessions(state), port: 5173}],
  });
  assert.deepEqual(
    [runs.map(({run}) => run), over, sessions.map(({ports}) => ports)],
    [['r1'], 0, [[5173]]],
  );
  assert.deepEqual(buildStatus(state, now, {run: 'r9'}).runs, []);
});

describe('the tasks of a run in which nothing moves do not work, whatever they did when it was halted:', () => {
  const tasks = [
    plannedTask('t1'),
    plannedTask('t2', {files: ['b.ts']}),
    plannedTask('t3', {after: ['t1']}),
  ];
  const begun = (): Harness => {
    const harness = working(tasks, {tokens: 1000});
    validate(harness, 'r1.t1');
    makeWorktree(harness, 'r1.t2');
    startSession(harness, sessionOfTask(harness, 'r1.t2'));
    return harness;
  };

  const toText = ({state, time}: Harness): (string | undefined)[] =>
    buildStatus(state, time).runs[0]!.tasks.map(({words}) => words);
  const goesOn = 'paused';
  test('at work', () => {
    assert.deepEqual(toText(begun()), ['merging', 'works', 'after t1']);
  });

  for (const [name, halt, text] of [
    [
      'a person stops the run',
      (harness) => userCommand(harness, {type: 'stop', what: 'r1'}),
      goesOn,
    ],
    [
      'its budget is used up',
      (harness) =>
        report(harness, {
          type: 'usage-counted',
          session: sessionOfTask(harness, 'r1.t2'),
          usage: {input: 1500, output: 0},
        }),
      goesOn,
    ],
    [
      'its approval is void',
      (harness) => report(harness, {type: 'rules-changed', run: 'r1', rules: otherRules}),
      'paused until the plan is approved',
    ],
  ] as const satisfies readonly (readonly [string, (harness: Harness) => unknown, string])[]) {
    test(name, () => {
      const harness = begun();
      halt(harness);
      assert.deepEqual(toText(harness), [text, text, 'after t1']);
      assert.deepEqual(
        buildBrief(harness.state, harness.events, {since: 0, now: harness.time}).running,
        [],
      );
    });
  }
});

test('every event type is either shown or listed as quiet', () => {
  const seen = new Set<string>();
  const notified = new Set<string>();
  for (let seed = 1; seed <= 150; seed++) {
    const {events} = runRandomHistory(seed).harness;
    for (const {type} of events) seen.add(type);
    for (const {type} of buildTimeline(events).entries) notified.add(type);
  }

  for (const type of [
    'task-merged',
    'task-stopped',
    'attempt-failed',
    'plan-approved',
    'trouble-met',
    'session-waiting',
    'run-accepted',
    'service-failed',
  ])
    assert.ok(notified.has(type), type);
  assert.ok(seen.size > eventTypes.length * 0.85);
  assert.ok(notified.size < seen.size);
});

test('width is counted in cells, and lines are cut and wrapped by it', () => {
  assert.deepEqual(['abc', '漢字', 'e\u0301', '😀', ''].map(displayWidth), [3, 4, 1, 2, 0]);
  assert.equal(cutLine('漢字漢字', 5), '漢字…');
  assert.deepEqual(wrapText('one two three', 8), ['one two', 'three']);
  assert.deepEqual(wrapText('漢字漢字漢字', 8), ['漢字漢字', '漢字']);
  assert.deepEqual(wrapText('  indented words here', 12), ['  indented', '  words here']);
  assert.deepEqual(wrapText('a\n\n\u0007b', 10), ['a', '', '\\u{7}b']);
  assert.deepEqual(wrapText('abcdefghijklmnopqrst', 8), ['abcdefgh', 'ijklmnop', 'qrst']);
});

function getSessions(state: State): string {
  return buildStatus(state, 0, {run: 'r1'}).sessions[0]!.session;
}

test('a brief of a moment that was named does not say that the person was away', () => {
  const {
    harness: {state, events},
    left,
    now,
  } = tokenStory();
  const brief = buildBrief(state, events, {since: left, now});
  assert.match(formatBrief(brief, {width: 80, color: false}), /^You were away for /);
  assert.match(
    formatBrief(brief, {width: 80, color: false, isAsked: true}),
    /^The last \d+ [a-z]+\. /,
  );
});
