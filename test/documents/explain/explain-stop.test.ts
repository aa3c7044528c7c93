import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {explainStop, needsReport, waysOf} from '../../../source/documents/index.ts';
import {
  emptyState,
  evolve,
  isTaskId,
  needsOf,
  runIdIn,
  type RunId,
  type State,
  type TaskId,
} from '../../../source/domain/index.ts';
import {conclude, report, wish, type House} from '../../domain/support/house.ts';
import {live} from '../../domain/support/live.ts';
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
import {assertGolden} from '../golden.ts';
import {assertShown} from '../shown.ts';
import {tokenStory} from '../story/token-story.ts';

test('a task that stopped is explained from its first failure to the commands that go on', () => {
  const {
    house: {state, events},
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
  readonly house: () => House;
  readonly about: RunId | TaskId;
  readonly says: readonly RegExp[];
}[] = [
  {
    name: 'a plan that never came',
    house: planless,
    about: 'r1',
    says: [
      /^# r1 has no plan: what came was not a plan, twice/,
      /## What failed first\n- tasks: expected at least one/,
      /orchestra plan again r1 --reason "…"/,
      /orchestra discard r1/,
    ],
  },
  {
    name: 'a planner that wrote',
    house: plannerWrote,
    about: 'r1',
    says: [
      /^# r1 has no plan: the planner changed files/,
      /A planner may only read\.[^]*- `src\/oops\.ts`/,
    ],
  },
  {
    name: 'tampering with git',
    house: tampered,
    about: 'r1',
    says: [
      /^# r1 is set aside: somebody changed what runs in git/,
      /Look at them before you go on:\n- `\.git\/config`/,
      /orchestra resume r1 /,
    ],
  },
  {
    name: 'an effect that crashes',
    house: crashing,
    about: 'r1',
    says: [
      /^# r1 is set aside: orchestra crashed 3 times/,
      /would crash again/,
      /orchestra timeline r1/,
    ],
  },
  {
    name: 'a full disk',
    house: diskFull,
    about: 'r1.t1',
    says: [
      /^# r1\.t1 is in trouble: .*no space left on device/,
      /Make room on the disk, then resume\. No attempt was spent\./,
      /orchestra resume r1\.t1 /,
    ],
  },
  {
    name: 'git that refuses',
    house: gitRefuses,
    about: 'r1.t1',
    says: [/index\.lock exists/, /Repair what is named above, then resume\./],
  },
  {
    name: 'a setup that fails',
    house: setupFails,
    about: 'r1.t1',
    says: [
      /its setup ended with exit 1/,
      /\.orchestra\/project\.yaml does not work in a fresh worktree/,
    ],
  },
  {
    name: 'a check that cannot run',
    house: brokenCheck,
    about: 'r1.t1',
    says: [/the check "test" cannot run/, /says nothing about the change/],
  },
  {
    name: 'an agent without an account',
    house: unavailable,
    about: 'r1.t1',
    says: [
      /its agent is not available: not logged in/,
      /Log in, or wait for its quota, then resume/,
    ],
  },
  {
    name: 'a worktree that somebody removed',
    house: worktreeGone,
    about: 'r1.t1',
    says: [/its worktree is gone/, /Resume makes a new one/],
  },
  {
    name: 'a budget of the run',
    house: exhausted,
    about: 'r1',
    says: [
      /^# r1 has used up its budget: 1200 of 1000 tokens/,
      /orchestra resume r1 --tokens 2400/,
      /nothing of it is lost/,
    ],
  },
  {
    name: 'an agent that gave up',
    house: gaveUp,
    about: 'r1.t1',
    says: [
      /^# r1\.t1 stopped: the agent gave up: I cannot\./,
      /## What failed first\nattempt 1: gave up: I cannot\./,
      /orchestra takeover r1\.t1/,
      /orchestra diff r1 t1/,
    ],
  },
  {
    name: 'a conflict',
    house: conflict,
    about: 'r1.t1',
    says: [
      /^# r1\.t1 stopped: conflicts with merged work in src\/shared\.ts/,
      /which side should win/,
      /## Conflicts\n```\n<<<<<<< r1\na\n/,
    ],
  },
  {
    name: 'a change that your branch does not take',
    house: refused,
    about: 'r1',
    says: [
      /^# r1 could not be brought into your branch: changes in the same files/,
      /Your branch is as it was\./,
      /orchestra accept r1/,
    ],
  },
  {
    name: 'a service that a person stopped',
    house: serviceMissing,
    about: 'r1.t1',
    says: [/^# r1\.t1 cannot start without the service web/, /orchestra service start web/],
  },
  {
    name: 'a task that a person stopped',
    house: held,
    about: 'r1.t1',
    says: [/^# r1\.t1 was stopped by a person: lunch/, /orchestra resume r1\.t1 /],
  },
  {
    name: 'a task in your hands',
    house: takenOver,
    about: 'r1.t1',
    says: [/^# r1\.t1 is in your hands/, /orchestra handback r1\.t1/],
  },
  {
    name: 'a task whose run is halted',
    house: tampered,
    about: 'r1.t1',
    says: [/^# r1 is set aside/, /Task: Task t1/],
  },
  {
    name: 'a run with a stopped task',
    house: gaveUp,
    about: 'r1',
    says: [/^# r1\.t1 stopped/, /orchestra grant r1\.t1 --hint "…"/],
  },
  {
    name: 'a run that has not stopped',
    house: () => working(),
    about: 'r1',
    says: [/^# r1 has not stopped\n$/],
  },
  {
    name: 'a run that is not there',
    house: () => working(),
    about: 'r9',
    says: [/There is no run r9\./],
  },
];

describe('stop and explain:', () => {
  for (const {name, house, about, says} of cases) {
    test(name, () => {
      const {state, events} = house();
      const text = explainStop({state, about, events});
      for (const pattern of says) assert.match(text, pattern);
      assertShown(text);
    });
  }
});

test('an explanation cannot be broken out of by what failed', () => {
  const {
    house: {state, events},
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
    redact: (words) => words.replaceAll('docs.test.js', '[file]'),
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
  /^orchestra accept r\d+ --commit [\w.-]{1,12}$/,
  /^orchestra service (?:start|stop|restart|logs) [a-z0-9-]+$/,
  /^\$EDITOR \.orchestra\/project\.yaml$/,
  /^orchestra needs --seen (?:\d+|s\d+\/\d+)$/,
  /^orchestra note r\d+(?:\.t\d+)? "…"$/,
  /^orchestra stop r\d+(?:\.t\d+)?$/,
  /^orchestra baseline r\d+ --(?:mend|ignore|no-new|count|again) \w+$/,
  /^orchestra branch r\d+ --(?:adopt|restore)$/,
  /^git diff \S+ \S+$/,
];

test('at every moment of 60 random lives each need has words and commands that exist, and can be explained', () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 60; seed++) {
    const {events} = live(seed).house;
    let state: State = emptyState;
    events.forEach((event, index) => {
      state = evolve(state, event);
      if (index % 7 !== 0) return;
      for (const need of needsOf(state)) {
        kinds.add(need.kind);
        const ways = waysOf(state, need);
        assert.ok(ways.length > 0);
        for (const {command} of ways)
          assert.ok(
            known.some((pattern) => pattern.test(command)),
            command,
          );
      }

      for (const {about, words} of needsReport(state, state.at).needs) {
        assert.doesNotMatch(words, /undefined|NaN|\[object/);
        if (!isTaskId(about) && !/^r\d+$/.test(about)) continue;
        const text = explainStop({
          state,
          about: about as RunId,
          events: events.slice(0, index + 1),
        });
        assert.doesNotMatch(text, /undefined|NaN|\[object/);
        assert.match(text, runIdIn(about as RunId) === about ? /^# / : /^# r\d+\.t\d+ /);
      }
    });
  }

  assert.ok(kinds.size >= 11, [...kinds].join(', '));
});

function planless(): House {
  const house = thinking();
  const invalid = {
    type: 'plan-invalid',
    run: 'r1',
    round: 1,
    problems: ['tasks: expected at least one'],
  } as const;
  runToExit(house, 's1');
  conclude(house, 'read-plan', invalid);
  runToExit(house, 's2');
  conclude(house, 'read-plan', invalid);
  return house;
}

function plannerWrote(): House {
  const house = thinking();
  runToExit(house, 's1');
  conclude(house, 'read-plan', {
    type: 'planner-wrote',
    run: 'r1',
    round: 1,
    paths: ['src/oops.ts'],
  });
  return house;
}

function tampered(): House {
  const house = working();
  report(house, {type: 'tampering-found', run: 'r1', paths: ['.git/config']});
  return house;
}

function crashing(): House {
  const house = surveyed();
  for (let times = 0; times < 3; times++) {
    report(house, {type: 'effect-begun', effect: 'r1.plan/make'});
    report(house, {type: 'daemon-started', build: 'test'});
  }

  return house;
}

function diskFull(): House {
  const house = working();
  report(house, {type: 'effect-failed', words: 'no space left on device'}, 'r1.t1/make');
  return house;
}

function gitRefuses(): House {
  const house = working();
  makeWorktree(house, 'r1.t1');
  work(house, 'r1.t1');
  check(house, 'r1.t1', passed('test', 'npm test'));
  check(house, 'r1.t1', passed('build'));
  report(
    house,
    {type: 'effect-failed', words: 'index.lock exists'},
    `r1.t1.a1/commit/${change.tree}`,
  );
  return house;
}

function setupFails(): House {
  const house = working([plannedTask('t1')], {}, {setup: 'npm ci'});
  makeWorktree(house, 'r1.t1');
  runToExit(house, 's2', 1);
  return house;
}

function brokenCheck(): House {
  const house = working();
  makeWorktree(house, 'r1.t1');
  work(house, 'r1.t1');
  check(house, 'r1.t1', {
    check: {name: 'test', command: 'npm test'},
    outcome: 'broken',
    touched: [],
  });
  return house;
}

function unavailable(): House {
  const house = working();
  makeWorktree(house, 'r1.t1');
  const session = sessionOfTask(house, 'r1.t1');
  runToExit(house, session, 1);
  report(
    house,
    {type: 'agent-unavailable', words: 'not logged in'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  return house;
}

function worktreeGone(): House {
  const house = working();
  makeWorktree(house, 'r1.t1');
  report(house, {type: 'worktree-vanished', owner: 'r1.t1'});
  return house;
}

function exhausted(): House {
  const house = working([plannedTask('t1')], {tokens: 1000});
  makeWorktree(house, 'r1.t1');
  startSession(house, sessionOfTask(house, 'r1.t1'));
  report(house, {
    type: 'usage-counted',
    session: sessionOfTask(house, 'r1.t1'),
    usage: {input: 1000, output: 200},
  });
  return house;
}

function gaveUp(): House {
  const house = working();
  makeWorktree(house, 'r1.t1');
  const session = sessionOfTask(house, 'r1.t1');
  runToExit(house, session);
  report(
    house,
    {type: 'agent-gave-up', task: 'r1.t1', attempt: 1, words: 'I cannot.'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  return house;
}

function conflict(): House {
  const house = working();
  const met = {
    type: 'merge-conflicted',
    task: 'r1.t1',
    paths: ['src/shared.ts'],
    hunks: '<<<<<<< r1\na\n=======\nb\n>>>>>>> r1.t1',
  } as const;
  validate(house, 'r1.t1');
  report(
    house,
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
  conclude(house, 'build-merge', met);
  validate(house, 'r1.t1');
  conclude(house, 'build-merge', met);
  return house;
}

function refused(): House {
  const house = working();
  validate(house, 'r1.t1');
  mergeTask(house, 'r1.t1');
  wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  conclude(house, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'changes in the same files',
  });
  return house;
}

function serviceMissing(): House {
  const house = working([plannedTask('t1', {services: ['web']})]);
  wish(house, {type: 'stop-service', service: 'web'});
  return house;
}

function held(): House {
  const house = working();
  wish(house, {type: 'stop', what: 'r1.t1', reason: 'lunch'});
  return house;
}

function takenOver(): House {
  const house = gaveUp();
  wish(house, {type: 'take-over', task: 'r1.t1'});
  return house;
}
