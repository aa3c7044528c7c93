import {briefOf, createRecall, explainStop, timelineOf} from '../../../source/documents/index.ts';
import {withEntry} from '../../../source/base/index.ts';
import {
  emptyState,
  runOf,
  type Plan,
  type RepositoryNote,
  type RunId,
  type State,
} from '../../../source/domain/index.ts';
import type {Key} from '../../../source/tui/input/key.ts';
import {actionOf} from '../../../source/tui/model/action-of.ts';
import {createModel} from '../../../source/tui/model/create-model.ts';
import type {AuditAnswer, Model, Repository} from '../../../source/tui/model/model.ts';
import {update} from '../../../source/tui/model/update.ts';
import type {Size} from '../../../source/tui/render/rect.ts';
import type {UiEffect, UiEvent} from '../../../source/tui/seam.ts';
import {tokenStory} from '../../documents/story/token-story.ts';
import {conclude, report, wish, type House} from '../../domain/support/house.ts';
import {passed, plannedTask} from '../../domain/support/samples.ts';
import {
  check,
  runToExit,
  startSession,
  thinking,
  validate,
  mergeTask,
  work,
  working,
} from '../../domain/support/stages.ts';

export const repository: Repository = {
  name: 'token-service',
  rules: {problems: 0, rules: 7, exists: true},
  shell: {program: '/bin/bash', directory: '/work'},
  agents: ['claude', 'codex', 'playbook'],
};

/** An app with a state, driven by keys as a person drives it. */
export type Stage = {
  model: Model;
  state: State;
  now: number;
  readonly effects: UiEffect[];
  readonly wishes: unknown[];
};

export function open(
  state: State,
  now: number,
  size: Size = {columns: 80, rows: 24},
  memory?: unknown,
  more: Partial<Repository> = {},
): Stage {
  const stage: Stage = {
    model: createModel({size, repository: {...repository, ...more}, memory}),
    state,
    now,
    effects: [],
    wishes: [],
  };
  happen(stage, {type: 'connected'});
  return stage;
}

export function happen(stage: Stage, event: UiEvent): void {
  take(stage, update(stage.model, event, stage.state, stage.now));
}

function take(stage: Stage, {model, wishes, effects}: ReturnType<typeof update>): void {
  stage.model = model;
  stage.effects.push(...effects);
  stage.wishes.push(...wishes);
}

/** Presses keys: `press(stage, 'n', 'enter', 'ctrl-]')`; each a moment after the one before. */
export function press(stage: Stage, ...chords: readonly string[]): void {
  for (const chord of chords) {
    stage.now += 1000;
    const action = actionOf(stage.model, keyOf(chord), stage.state);
    if (action !== undefined) take(stage, update(stage.model, action, stage.state, stage.now));
  }
}

export function type(stage: Stage, text: string): void {
  for (const character of text) press(stage, character === ' ' ? 'space' : character);
}

export function keyOf(chord: string): Key {
  const name = chord.replace(/^(?:ctrl-|alt-|shift-)+(?=.)/, '');
  const [ctrl, alt, shift] = [
    /^(?:alt-|shift-)*ctrl-./.test(chord),
    /^(?:ctrl-|shift-)*alt-./.test(chord),
    /^(?:ctrl-|alt-)*shift-./.test(chord),
  ];
  const isText = Array.from(name).length === 1;
  return {
    name,
    ctrl,
    alt,
    shift,
    text:
      ctrl || alt
        ? ''
        : isText
          ? name
          : name === 'space'
            ? ' '
            : name === 'enter'
              ? '\r'
              : name === 'tab'
                ? '\t'
                : '',
  };
}

/** The daemon answers whatever was asked, as it would from this house. */
export function answer(stage: Stage, house: Pick<House, 'events'>, left = 0): void {
  for (const effect of stage.effects.splice(0)) {
    if (effect.type !== 'ask') continue;
    const value = valueFor(stage, house, left, effect);
    if (value !== undefined) happen(stage, {type: 'answered', name: effect.name, value});
  }
}

export function valueFor(
  {state, now}: Pick<Stage, 'state' | 'now'>,
  {events}: Pick<House, 'events'>,
  left: number,
  {question}: Pick<Extract<UiEffect, {type: 'ask'}>, 'question'>,
): unknown {
  switch (question.about) {
    case 'brief':
      return briefOf(state, events, {since: left, now});
    case 'timeline':
      return timelineOf(events, {
        state,
        limit: 500,
        ...(question.all === true ? {all: true} : {}),
        ...(question.run === undefined ? {} : {run: question.run}),
      });
    case 'explanation':
      return {
        text: explainStop({
          state,
          about: question.of as RunId,
          events,
          diff: ['modified +3 -1  src/token.ts'],
        }),
      };
    case 'diff':
      return {
        from: 'a',
        to:
          (question.of.includes('.') ? undefined : runOf(state, question.of as RunId)?.head) ?? 'b',
        text: diffText,
        files: [
          {path: 'src/token.ts', how: 'modified', added: 6, removed: 3},
          {path: 'docs/token.md', how: 'added', added: 3, removed: 0},
          {path: 'test/token.test.ts', how: 'modified', added: 1, removed: 1},
        ],
      };
    case 'audit':
      return audit;
    case 'facts':
      return [
        {
          name: 'ports',
          at: now,
          source: 'kernel',
          value: [
            {session: 's3', pid: 4711, port: 3000},
            {session: 's5', pid: 4790, port: 9229},
          ],
        },
      ];
    case 'usage':
      return {
        at: now,
        usage: Object.fromEntries(
          question.sessions.map((session) => [
            session,
            {cpu: 0.12, memory: 84_000_000, processes: 3},
          ]),
        ),
      };
    case 'recall':
      return createRecall(summaries).search(question.words);
    default:
      return undefined;
  }
}

export {tokenStory};

/** A repository in which nobody has asked for anything. */
export function nothingYet(): {readonly state: State; readonly now: number} {
  return {state: emptyState, now: 1_000_000};
}

/** A project whose worker is one of its own, with models, and whose planner is another. */
export const modelProject: State['project'] = {
  ...emptyState.project,
  agents: [
    {
      name: 'mine',
      plan: ['mine', '--read-only'],
      work: ['mine', '--model', '{model}'],
      prompt: 'stdin',
      model: 'small-1',
    },
  ],
  worker: 'mine',
  planner: 'claude',
  models: {claude: 'opus-9', mine: 'medium-1'},
};

export const richPlan: Plan = {
  objective: 'Stop refreshing tokens twice',
  problem:
    'When two requests fail with 401 at the same moment, both refresh the token; the second refresh makes the first token invalid, and its request fails for good.',
  rootCause:
    'src/token.ts keeps no record of a refresh in flight: each caller that finds the token expired begins one of its own.',
  assumptions: [
    'The identity provider gives out one valid refresh token at a time.',
    'Callers run in one process.',
  ],
  invariants: [
    'The exported signature of getToken() stays as it is.',
    'A failed refresh is reported to every caller that waits for it.',
  ],
  risks: ['A refresh that never answers would block everybody: it keeps its timeout of 10 s.'],
  rejected: [
    {
      alternative: 'A mutex around every request',
      reason: 'It would serialise requests that need no refresh.',
    },
  ],
  tasks: [
    plannedTask('t1', {
      title: 'Share the refresh in flight',
      brief:
        'Keep the promise of the refresh in flight and give it to every caller until it settles.',
      files: ['src/token.ts', 'test/token.test.ts'],
    }),
    plannedTask('t2', {
      title: 'Say when a token is refreshed',
      brief: 'Log one line for each refresh, without the token.',
      files: ['src/log.ts', 'docs/token.md'],
    }),
    plannedTask('t3', {
      title: 'Count refreshes',
      brief: 'Export a counter for metrics.',
      files: ['src/metrics.ts'],
      after: ['t1'],
      services: ['web'],
    }),
    plannedTask('t4', {
      title: 'Release',
      brief: 'Bump the version and write the changelog.',
      files: ['package.json', 'CHANGELOG.md'],
      after: ['t2', 't3'],
    }),
  ],
  validation: [{name: 'build', command: 'npm run build'}],
};

/** A plan that waits for its approval. */
export function planned(): House {
  const house = thinking();
  runToExit(house, 's1');
  conclude(house, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: richPlan,
    hash: '3f2a9c01d4e5b6a7',
    tree: '9bc1d2e3f4a50617',
  });
  return house;
}

/** The run's repository has something to tell. */
export function withNotes(state: State, notes: readonly RepositoryNote[] = repositoryNotes): State {
  const run = runOf(state, 'r1')!;
  if (!('ground' in run.stage))
    throw new Error(`expected a run that was surveyed, got one that is ${run.stage.at}`);
  return {
    ...state,
    runs: withEntry(state.runs, 1, {
      ...run,
      stage: {...run.stage, ground: {...run.stage.ground, notes}},
    }),
  };
}

export const repositoryNotes: readonly RepositoryNote[] = [
  {
    about: 'uncommitted',
    words:
      'Work starts from the commit 0123456789: 3 files that are changed or new in your checkout and not committed will not be in it. Commit what tasks need, and start again; your files stay as they are.',
  },
  {
    about: 'detached',
    words:
      'No branch is checked out (HEAD is detached): what is done stays on a branch of the run\'s own. The run can be accepted into a branch by "orchestra accept RUN --into BRANCH".',
  },
];

/** The plan is rejected, and the planner gives another. */
export function plannedAgain(
  house: House,
  plan: Plan = {...richPlan, problem: 'Another look at it.'},
): void {
  const stage = runOf(house.state, 'r1')!.stage;
  if (stage.at === 'reviewing')
    wish(house, {type: 'reject-plan', run: 'r1', plan: stage.proposal.hash, reason: 'Too large'});
  const round = runOf(house.state, 'r1')!.rounds.length;
  runToExit(house, house.state.live.at(-1)!);
  conclude(house, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round,
    plan,
    hash: `plan-of-round-${round}`,
    tree: '9bc1d2e3f4a50617',
  });
}

/** The planner at work. */
export function planning(): House {
  const house = thinking();
  startSession(house, 's1');
  return house;
}

/** Two workers at once, one of which asks for a secret. */
export function busy(): House {
  const house = working(
    [
      plannedTask('t1', {title: 'Share the refresh in flight'}),
      plannedTask('t2', {title: 'Say when a token is refreshed'}),
      plannedTask('t3', {title: '数える refresh 🚀 の回数', after: ['t1']}),
    ],
    {},
    {limits: {workers: 4, runs: 2}},
  );
  for (const task of ['r1.t1', 'r1.t2'] as const)
    report(
      house,
      {
        type: 'worktree-made',
        owner: task,
        path: `/w/${task}`,
        branch: `orchestra/${task}`,
        commit: 'base',
        tree: 'tree-base',
      },
      `${task}/make`,
    );
  startSession(house, 's2');
  startSession(house, 's3');
  wish(house, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/work'});
  startSession(house, 's4');
  report(house, {
    type: 'session-waiting',
    session: 's3',
    proof: 'proven',
    secret: true,
    question: "Password for 'https://git.example.com':",
  });
  return house;
}

/** Everything merged; it waits to be accepted. */
export function done(): House {
  const house = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  validate(house, 'r1.t1');
  mergeTask(house, 'r1.t1');
  return house;
}

export const paneText: readonly string[] = [
  '$ claude -p',
  '',
  '● Reading src/token.ts',
  '● Reading test/token.test.ts',
  '',
  '  The second caller starts a refresh of its own, because nothing',
  '  remembers the one in flight.',
  '',
  '● Editing src/token.ts',
  '  + let inFlight: Promise<Token> | undefined;',
  '',
  '● Running npm test',
  '  ✓ refreshes once (12 ms)',
  '',
  'Overwrite src/metrics.js? [y/N]',
];

const diffText = `diff --git a/src/token.ts b/src/token.ts
index 1111111..2222222 100644
--- a/src/token.ts
+++ b/src/token.ts
@@ -1,9 +1,12 @@
 import {refresh} from './refresh.ts';
${' '}
-/** Gives a valid token. */
-export async function getToken(): Promise<Token> {
-  return isExpired(current) ? refresh() : current;
+/** Gives a valid token; callers share the refresh in flight. */
+let inFlight: Promise<Token> | undefined;
+
+export async function getToken(): Promise<Token> {
+  if (!isExpired(current)) return current;
+  return (inFlight ??= refresh().finally(() => { inFlight = undefined; })); // a line that is long enough to be broken at eighty columns
 }
${' '}
 function isExpired(token: Token): boolean {
   return token.until < Date.now();
diff --git a/docs/token.md b/docs/token.md
new file mode 100644
--- /dev/null
+++ b/docs/token.md
@@ -0,0 +1,3 @@
+# Tokens
+
+One refresh at a time.
diff --git a/test/token.test.ts b/test/token.test.ts
--- a/test/token.test.ts
+++ b/test/token.test.ts
@@ -7,1 +7,1 @@
-test('refreshes', () => {});
+test('refreshes once', async () => {});
`;

/** What agents were told. */
export const audit: AuditAnswer = {
  contexts: [
    {
      session: 's1',
      for: 'plan',
      about: 'r1',
      agent: 'claude',
      tokens: 2900,
      budget: 6000,
      parts: [
        {name: 'rules', tokens: 400, isCut: false, full: 400},
        {name: 'task', tokens: 1200, isCut: false, full: 1200},
        {name: 'facts', tokens: 500, isCut: false, full: 500},
        {name: 'summaries', tokens: 800, isCut: false, full: 800},
      ],
      used: {input: 21_000, output: 1800},
    },
    {
      session: 's2',
      for: 'attempt',
      about: 'r1.t1',
      agent: 'claude',
      tokens: 5900,
      budget: 6000,
      parts: [
        {name: 'rules', tokens: 400, isCut: false, full: 400},
        {name: 'task', tokens: 900, isCut: false, full: 900},
        {name: 'facts', tokens: 600, isCut: false, full: 600},
        {name: 'summaries', tokens: 3200, isCut: true, full: 7400},
        {name: 'skill', tokens: 800, isCut: false, full: 800},
      ],
      used: {input: 64_000, output: 5200},
    },
    {
      session: 's4',
      for: 'attempt',
      about: 'r1.t2',
      agent: 'codex',
      tokens: 2100,
      budget: 6000,
      parts: [
        {name: 'rules', tokens: 400, isCut: false, full: 400},
        {name: 'task', tokens: 1100, isCut: false, full: 1100},
        {name: 'facts', tokens: 600, isCut: false, full: 600},
      ],
      used: {input: 18_000, output: 900},
    },
  ],
  spent: 110_900,
  validated: 2,
};

/** The same, with models, and with what the tools of servers cost: ours, a large one, and one that does not start. */
export function auditOfTools(now: number): AuditAnswer {
  return {
    ...audit,
    contexts: audit.contexts.map((context) =>
      context.agent === 'codex' ? {...context, model: 'gpt-9'} : context,
    ),
    tools: {
      at: now - 5 * 60_000,
      servers: [
        {
          name: 'orchestra (planner)',
          tokens: 374,
          tools: [{name: 'submit_plan', tokens: 92}, ...manyTools(7)],
          problems: [],
        },
        {
          name: 'orchestra (worker)',
          tokens: 575,
          tools: [{name: 'shell', tokens: 96}, ...manyTools(10)],
          problems: [],
        },
        {
          name: 'github',
          tokens: 12_480,
          tools: [{name: 'create_pull_request_with_copilot', tokens: 912}, ...manyTools(40)],
          problems: ['delete_everything: its form is not an object; agents do not get it'],
        },
        {
          name: 'a-server-whose-name-takes-all-the-room',
          tokens: 0,
          tools: [],
          problems: [
            'spawn /opt/tools/bin/a-server ENOENT: the program is not there. Install it, or take it out of tools: in .orchestra/project.yaml',
          ],
        },
      ],
    },
  };
}

/** So many sessions that not each has a name below the plot. */
export function auditOfMany(): AuditAnswer {
  const [, one] = audit.contexts;
  return {
    ...audit,
    contexts: Array.from({length: 40}, (_, index) => ({
      ...one!,
      session: `s${index * 3 + 1}`,
      tokens: 2700,
      parts: one!.parts.filter(({isCut}) => !isCut),
      used: {input: 1000 * (index % 7), output: 100},
    })),
  };
}

function manyTools(count: number): {readonly name: string; readonly tokens: number}[] {
  return Array.from({length: count}, (_, index) => ({name: `tool_${index}`, tokens: 40}));
}

const summaries = [
  {
    path: '.orchestra/knowledge/2026-10-02-r7-t1.md',
    text: '# Task: Keep the refresh token\n\nDate: 2026-10-02\n\n## Root cause\n\nThe refresh token was written after the access token, so a crash between them lost it.\n\n## Decisions\n\n- Both are written in one file, atomically.\n- A database was rejected: one more service for two strings.\n\n## Files changed\n\n- src/token.ts\n',
  },
  {
    path: '.orchestra/knowledge/2026-09-12-r3-t2.md',
    text: '# Task: Retry after 401\n\nDate: 2026-09-12\n\n## Root cause\n\nThe retry recreated an expired token.\n',
  },
];

/** A task that broke a rule twice, and one that does not merge beside it. */
export function violated(): House {
  const house = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  report(
    house,
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
  for (let attempt = 1; attempt <= 2; attempt++)
    work(house, 'r1.t1', {
      outside: [],
      rules: [
        {number: '1.1', verdict: 'broken', detail: 'src/api/token.ts is protected'},
        {number: '2.1', verdict: 'kept'},
      ],
    });
  return house;
}

/** A task that conflicts with what is merged, again after its repair. */
export function conflicted(): House {
  const house = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  validate(house, 'r1.t1');
  for (let times = 1; times <= 2; times++) {
    if (times === 1)
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
    conclude(house, 'build-merge', {
      type: 'merge-conflicted',
      task: 'r1.t1',
      paths: ['src/token.ts'],
      hunks:
        '<<<<<<< merged\nexport const tries = 2;\n=======\nexport const tries = 3;\n>>>>>>> r1.t1',
    });
    if (times === 2) break;
    work(house, 'r1.t1');
    for (const name of ['test', 'build']) check(house, 'r1.t1', passed(name));
    report(
      house,
      {type: 'change-committed', task: 'r1.t1', attempt: 2, commit: 'c2'},
      'r1.t1.a2/commit/tree-1',
    );
  }

  return house;
}
