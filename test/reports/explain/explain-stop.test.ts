import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {buildNeedsReport, explainStop, listOptions} from '../../../source/reports/index.ts';
import {
  emptyState,
  evolve,
  isTaskId,
  type RunId,
  runIdIn,
  selectNeeds,
  type State,
  type TaskId,
} from '../../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';
import {change, passed, plannedTask} from '../../domain/support/samples.ts';
import {
  check,
  makeWorktree,
  mergeTask,
  runToExit,
  sessionOfTask,
  startSession,
  surveyed,
  thinking,
  validate,
  work,
  working,
} from '../../domain/support/stages.ts';
import {assertGolden} from '../../support/golden.ts';
import {assertShown} from '../../support/shown.ts';
import {tokenStory} from '../runs/token-story.ts';

test('a task that stopped is explained from its first failure to the commands that go on', () => {
  const {
    harness: {state, events},
  } = tokenStory();
  assertGolden(
    'summary/explanation.md',
    explainStop({
      state,
      about: 'r1.t2',
      events,
      diff: [' docs/auth.md | 12 ++++++++----', ' 1 file changed, 8 insertions(+), 4 deletions(-)'],
    }),
  );
});

const cases: readonly {
  readonly name: string;
  readonly harness: () => Harness;
  readonly about: RunId | TaskId;
  readonly text: readonly RegExp[];
}[] = [
  {
    name: 'a plan that never came',
    harness: planless,
    about: 'r1',
    text: [
      /^# planning of r1 failed: the planner sent no valid plan, twice/,
      /## What failed first\n- tasks: expected at least one/,
      /orchestra plan again r1 --reason "…"/,
      /orchestra discard r1/,
    ],
  },
  {
    name: 'a planner that wrote',
    harness: plannerWrote,
    about: 'r1',
    text: [
      /^# planning of r1 failed: the planner changed files/,
      /A planner may only read\.[^]*- `src\/oops\.ts`/,
    ],
  },
  {
    name: 'tampering with git',
    harness: tampered,
    about: 'r1',
    text: [
      /^# r1 is paused for safety: somebody changed what git runs/,
      /Look at them before you resume:\n- `\.git\/config`/,
      /orchestra resume r1 /,
    ],
  },
  {
    name: 'an effect that crashes',
    harness: crashing,
    about: 'r1',
    text: [
      /^# r1 is paused for safety: orchestra crashed 3 times/,
      /would crash again/,
      /orchestra timeline r1/,
    ],
  },
  {
    name: 'a full disk',
    harness: diskFull,
    about: 'r1.t1',
    text: [
      /^# r1\.t1 is blocked: .*no space left on device/,
      /Free some disk space, then resume\. This cost no try\./,
      /orchestra resume r1\.t1 /,
    ],
  },
  {
    name: 'git that refuses',
    harness: gitRefuses,
    about: 'r1.t1',
    text: [/index\.lock exists/, /Repair what is named above, then resume\./],
  },
  {
    name: 'a setup that fails',
    harness: setupFails,
    about: 'r1.t1',
    text: [
      /its setup exited with 1/,
      /\.orchestra\/project\.yaml does not work in a fresh worktree/,
    ],
  },
  {
    name: 'a check that cannot run',
    harness: brokenCheck,
    about: 'r1.t1',
    text: [/the check "test" cannot run/, /proves nothing about the change/],
  },
  {
    name: 'an agent without an account',
    harness: unavailable,
    about: 'r1.t1',
    text: [
      /its agent is not available: not logged in/,
      /Log in, or wait for its quota, then resume/,
    ],
  },
  {
    name: 'a worktree that somebody removed',
    harness: worktreeGone,
    about: 'r1.t1',
    text: [/its worktree is gone/, /Resuming makes a new one/],
  },
  {
    name: 'a budget of the run',
    harness: exhausted,
    about: 'r1',
    text: [
      /^# r1 reached its budget: 1200 of 1000 tokens/,
      /orchestra resume r1 --tokens 2400/,
      /nothing is lost/,
    ],
  },
  {
    name: 'an agent that gave up',
    harness: gaveUp,
    about: 'r1.t1',
    text: [
      /^# r1\.t1 stopped: the agent gave up: I cannot\./,
      /## What failed first\ntry 1: gave up: I cannot\./,
      /orchestra takeover r1\.t1/,
      /orchestra diff r1 t1/,
    ],
  },
  {
    name: 'a conflict',
    harness: conflict,
    about: 'r1.t1',
    text: [
      /^# r1\.t1 stopped: conflicts with merged work in src\/shared\.ts/,
      /which side should win/,
      /## Conflicts\n```\n<<<<<<< r1\na\n/,
    ],
  },
  {
    name: 'a change that your branch does not take',
    harness: rejected,
    about: 'r1',
    text: [
      /^# r1 could not be accepted: changes in the same files/,
      /Your branch is unchanged\./,
      /orchestra accept r1/,
    ],
  },
  {
    name: 'a service that a person stopped',
    harness: serviceMissing,
    about: 'r1.t1',
    text: [/^# r1\.t1 cannot start without the service web/, /orchestra service start web/],
  },
  {
    name: 'a task that a person stopped',
    harness: held,
    about: 'r1.t1',
    text: [/^# r1\.t1 was stopped by you: lunch/, /orchestra resume r1\.t1 /],
  },
  {
    name: 'a task in your hands',
    harness: takenOver,
    about: 'r1.t1',
    text: [/^# r1\.t1 is in your hands/, /orchestra handback r1\.t1/],
  },
  {
    name: 'a task whose run is halted',
    harness: tampered,
    about: 'r1.t1',
    text: [/^# r1 is paused for safety/, /Task: Task t1/],
  },
  {
    name: 'a run with a stopped task',
    harness: gaveUp,
    about: 'r1',
    text: [/^# r1\.t1 stopped/, /orchestra grant r1\.t1 --hint "…"/],
  },
  {
    name: 'a run that has not stopped',
    harness: () => working(),
    about: 'r1',
    text: [/^# r1 has not stopped\n$/],
  },
  {
    name: 'a run that is not there',
    harness: () => working(),
    about: 'r9',
    text: [/There is no run r9\./],
  },
];

describe('stop and explain:', () => {
  for (const {name, harness, about, text: patterns} of cases) {
    test(name, () => {
      const {state, events} = harness();
      const text = explainStop({state, about, events});
      for (const pattern of patterns) assert.match(text, pattern);
      assertShown(text);
    });
  }
});

test('an explanation cannot be broken out of by what failed', () => {
  const {
    harness: {state, events},
  } = tokenStory();
  const evil = events.map((event) =>
    event.type === 'attempt-failed' ||
    event.type === 'task-stopped' ||
    event.type === 'attempt-started'
      ? (JSON.parse(
          JSON.stringify(event).replaceAll('a link leads nowhere', '```\\n# owned \\u001b[31m'),
        ) as typeof event)
      : event,
  );
  const text = explainStop({
    state: evil.reduce(evolve, emptyState),
    about: 'r1.t2',
    events: evil,
    diff: ['``` # owned'],
    redact: (text) => text.replaceAll('docs.test.js', '[file]'),
  });
  assertShown(text);
  assert.doesNotMatch(text, /docs\.test\.js/);
  assert.match(text, /^`{4}\n\[file\]:3 ```\n# owned \\u\{1b\}\[31m\n`{4}$/m);
  assert.ok(state.seq > 0);
});

test('conflicts that are given with their files are shown file by file', () => {
  const {state, events} = conflict();
  const text = explainStop({
    state,
    about: 'r1.t1',
    events,
    conflicts: [{path: 'src/`a`.ts', hunks: '<<<<<<<\n```\n>>>>>>>'}],
  });
  assert.match(text, /^## Conflicts\n``src\/`a`\.ts``:\n````\n<<<<<<<\n```\n>>>>>>>\n````$/m);
});

/** The command line of the design, and what it needs beside it. */
const known = [
  /^orchestra plan (?:show|approve|edit) r\d+$/,
  /^orchestra plan (?:reject|again) r\d+ --reason "…"$/,
  /^orchestra (?:discard|resume) r\d+(?:\.t\d+)?$/,
  /^orchestra resume r\d+ --(?:tokens|minutes) \d+$/,
  /^orchestra send s\d+ (?:"…"|1)$/,
  /^orchestra (?:attach|explain|logs) s\d+$/,
  /^orchestra grant r\d+\.t\d+ --hint "…"$/,
  /^orchestra (?:takeover|handback) r\d+\.t\d+$/,
  /^orchestra diff r\d+(?: t\d+)?$/,
  /^orchestra (?:timeline|audit) r\d+$/,
  /^orchestra accept r\d+ --commit [\w./-]{1,12}$/,
  /^orchestra service (?:start|stop|restart|logs) [a-z0-9-]+$/,
  /^\$EDITOR \.orchestra\/project\.yaml$/,
  /^orchestra needs --seen (?:\d+|s\d+\/\d+)$/,
  /^orchestra note r\d+(?:\.t\d+)? "…"$/,
  /^orchestra stop r\d+(?:\.t\d+)?$/,
  /^orchestra (?:check|variants) r\d+\.t\d+$/,
  /^orchestra pick r\d+\.t\d+ --commit [\w./-]{1,12}$/,
  /^orchestra baseline r\d+ --(?:mend|ignore|no-new|count|again) \w+$/,
  /^orchestra branch r\d+ --(?:adopt|restore)$/,
  /^git diff \S+ \S+$/,
];

test('at every moment of 60 random histories each need has a text and existing commands, and can be explained', () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 60; seed++) {
    const {events} = runRandomHistory(seed).harness;
    let state: State = emptyState;
    events.forEach((event, index) => {
      state = evolve(state, event);
      if (index % 7 !== 0) return;
      for (const need of selectNeeds(state)) {
        kinds.add(need.kind);
        const ways = listOptions(state, need);
        assert.ok(ways.length > 0);
        for (const {command} of ways)
          assert.ok(
            known.some((pattern) => pattern.test(command)),
            command,
          );
      }

      for (const {about, words} of buildNeedsReport(state, state.at).needs) {
        assert.doesNotMatch(words, /undefined|NaN|\[object/);
        if (!isTaskId(about) && !/^r\d+$/.test(about)) continue;
        const text = explainStop({
          state,
          about: about as RunId,
          events: events.slice(0, index + 1),
        });
        assert.doesNotMatch(text, /undefined|NaN|\[object/);
        assert.match(text, runIdIn(about as RunId) === about ? /^# / : /^# .*\br\d+\.t\d+ /);
      }
    });
  }

  assert.ok(kinds.size >= 11, [...kinds].join(', '));
});

function planless(): Harness {
  const harness = thinking();
  const invalid = {
    type: 'plan-invalid',
    run: 'r1',
    round: 1,
    problems: ['tasks: expected at least one'],
  } as const;
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', invalid);
  runToExit(harness, 's2');
  conclude(harness, 'read-plan', invalid);
  return harness;
}

function plannerWrote(): Harness {
  const harness = thinking();
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', {
    type: 'planner-wrote',
    run: 'r1',
    round: 1,
    paths: ['src/oops.ts'],
  });
  return harness;
}

function tampered(): Harness {
  const harness = working();
  report(harness, {type: 'tampering-found', run: 'r1', paths: ['.git/config']});
  return harness;
}

function crashing(): Harness {
  const harness = surveyed();
  for (let times = 0; times < 3; times++) {
    report(harness, {type: 'effect-begun', effect: 'r1.plan/make'});
    report(harness, {type: 'daemon-started', build: 'test'});
  }

  return harness;
}

function diskFull(): Harness {
  const harness = working();
  report(harness, {type: 'effect-failed', words: 'no space left on device'}, 'r1.t1/make');
  return harness;
}

function gitRefuses(): Harness {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', passed('test', 'npm test'));
  check(harness, 'r1.t1', passed('build'));
  report(
    harness,
    {type: 'effect-failed', words: 'index.lock exists'},
    `r1.t1.a1/commit/${change.tree}`,
  );
  return harness;
}

function setupFails(): Harness {
  const harness = working([plannedTask('t1')], {}, {setup: 'npm ci'});
  makeWorktree(harness, 'r1.t1');
  runToExit(harness, 's2', 1);
  return harness;
}

function brokenCheck(): Harness {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', {
    check: {name: 'test', command: 'npm test'},
    outcome: 'broken',
    touched: [],
  });
  return harness;
}

function unavailable(): Harness {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  const session = sessionOfTask(harness, 'r1.t1');
  runToExit(harness, session, 1);
  report(
    harness,
    {type: 'agent-unavailable', words: 'not logged in'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  return harness;
}

function worktreeGone(): Harness {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  report(harness, {type: 'worktree-vanished', owner: 'r1.t1'});
  return harness;
}

function exhausted(): Harness {
  const harness = working([plannedTask('t1')], {tokens: 1000});
  makeWorktree(harness, 'r1.t1');
  startSession(harness, sessionOfTask(harness, 'r1.t1'));
  report(harness, {
    type: 'usage-counted',
    session: sessionOfTask(harness, 'r1.t1'),
    usage: {input: 1000, output: 200},
  });
  return harness;
}

function gaveUp(): Harness {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  const session = sessionOfTask(harness, 'r1.t1');
  runToExit(harness, session);
  report(
    harness,
    {type: 'agent-gave-up', task: 'r1.t1', attempt: 1, words: 'I cannot.'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  return harness;
}

function conflict(): Harness {
  const harness = working();
  const met = {
    type: 'merge-conflicted',
    task: 'r1.t1',
    paths: ['src/shared.ts'],
    hunks: '<<<<<<< r1\na\n=======\nb\n>>>>>>> r1.t1',
  } as const;
  validate(harness, 'r1.t1');
  report(
    harness,
    {
      type: 'worktree-made',
      owner: 'r1.merge',
      path: '/w/r1.merge',
      branch: null,
      commit: 'base',
      tree: 'tree',
    },
    'r1.merge/make',
  );
  conclude(harness, 'build-merge', met);
  validate(harness, 'r1.t1');
  conclude(harness, 'build-merge', met);
  return harness;
}

function rejected(): Harness {
  const harness = working();
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  conclude(harness, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'changes in the same files',
  });
  return harness;
}

function serviceMissing(): Harness {
  const harness = working([plannedTask('t1', {services: ['web']})]);
  userCommand(harness, {type: 'stop-service', service: 'web'});
  return harness;
}

function held(): Harness {
  const harness = working();
  userCommand(harness, {type: 'stop', what: 'r1.t1', reason: 'lunch'});
  return harness;
}

function takenOver(): Harness {
  const harness = gaveUp();
  userCommand(harness, {type: 'take-over', task: 'r1.t1'});
  return harness;
}
