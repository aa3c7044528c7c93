import type {ContextAudit} from '../../../source/reports/index.ts';
import {
  buildAcceptedCard,
  buildBrief,
  buildBriefView,
  buildStopReport,
  buildTimeline,
  buildTimelineChart,
  buildTimelineRows,
  explainStop,
} from '../../../source/reports/index.ts';
import {createRecall} from '../../../source/knowledge/index.ts';
import {withLedgerEntry} from '../../../source/shared/index.ts';
import {
  emptyState,
  type Plan,
  type RepositoryNote,
  type RunId,
  selectRun,
  type State,
} from '../../../source/domain/index.ts';
import type {Key} from '../../../source/app/input/key.ts';
import {resolveAction} from '../../../source/app/keymap/resolve.ts';
import {createModel} from '../../../source/app/model/create-model.ts';
import {hintNames} from '../../../source/app/model/hint-name.ts';
import type {Model, Repository} from '../../../source/app/model/model.ts';
import {update} from '../../../source/app/model/update.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import type {UiEffect, UiEvent} from '../../../source/app/app-contract.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {conclude, type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {passed, plannedTask} from '../../domain/support/samples.ts';
import {
  check,
  mergeTask,
  runToExit,
  startSession,
  thinking,
  validate,
  work,
  working,
} from '../../domain/support/stages.ts';

export const repository: Repository = {
  name: 'token-service',
  rules: {
    problems: 0,
    rules: 7,
    exists: true,
    enforced: 6,
    checks: [
      {name: 'test', command: 'npm test'},
      {name: 'build', command: 'npm run build'},
    ],
  },
  shell: {program: '/bin/bash', directory: '/work'},
  agents: ['claude', 'codex', 'playbook'],
};

/** An app with a state, driven by keys as a person drives it. */
export type Fixture = {
  model: Model;
  state: State;
  now: number;
  readonly effects: UiEffect[];
  readonly commands: unknown[];
};

export function open(
  state: State,
  now: number,
  size: Size = {columns: 80, rows: 24},
  uiState?: unknown,
  more: Partial<Repository> = {},
): Fixture {
  const fixture: Fixture = {
    model: createModel({
      size,
      repository: {...repository, ...more},
      // Nobody is here for the first time, unless a test says so.
      uiState: {hints: hintNames, ...(uiState as object | undefined)},
    }),
    state,
    now,
    effects: [],
    commands: [],
  };
  happen(fixture, {type: 'connected'});
  return fixture;
}

export function happen(fixture: Fixture, event: UiEvent): void {
  take(fixture, update(fixture.model, event, fixture.state, fixture.now));
}

function take(fixture: Fixture, {model, commands, effects}: ReturnType<typeof update>): void {
  fixture.model = model;
  fixture.effects.push(...effects);
  fixture.commands.push(...commands);
}

/** Presses keys: `press(fixture, 'n', 'enter', 'ctrl-]')`; each a moment after the one before. */
export function press(fixture: Fixture, ...chords: readonly string[]): void {
  for (const chord of chords) {
    fixture.now += 1000;
    const action = resolveAction(fixture.model, getKey(chord), fixture.state);
    if (action !== undefined)
      take(fixture, update(fixture.model, action, fixture.state, fixture.now));
  }
}

export function type(fixture: Fixture, text: string): void {
  for (const character of text) press(fixture, character === ' ' ? 'space' : character);
}

export function getKey(chord: string): Key {
  const name = chord.replace(/^(?:ctrl-|alt-|shift-)+(?=.)/, '');
  const [ctrl, alt, shift] = [
    /^(?:alt-|shift-)*ctrl-./.test(chord),
    /^(?:ctrl-|shift-)*alt-./.test(chord),
    /^(?:ctrl-|alt-)*shift-./.test(chord),
  ];
  const isText = Array.from(name).length === 1;
  const named = ({space: ' ', enter: '\r', tab: '\t'} as Record<string, string>)[name] ?? '';
  const typed = isText ? name : named;
  return {
    name,
    ctrl,
    alt,
    shift,
    text: ctrl || alt ? '' : typed,
  };
}

/** Answers all pending requests as the daemon would with the state of the harness. */
export function answer(fixture: Fixture, harness: Pick<Harness, 'events'>, left = 0): void {
  for (const effect of fixture.effects.splice(0)) {
    if (effect.type !== 'ask') continue;
    const value = valueFor(fixture, harness, left, effect);
    if (value !== undefined) happen(fixture, {type: 'answered', name: effect.name, value});
  }
}

export function valueFor(
  {state, now}: Pick<Fixture, 'state' | 'now'>,
  {events}: Pick<Harness, 'events'>,
  left: number,
  {question}: Pick<Extract<UiEffect, {type: 'ask'}>, 'question'>,
): unknown {
  switch (question.about) {
    case 'brief':
      return {
        ...buildBrief(state, events, {since: left, now}),
        view: buildBriefView(state, events, {since: left, now}),
      };
    case 'timeline': {
      const all = question.all === true;
      const run = question.run === undefined ? undefined : selectRun(state, question.run as RunId);
      const timeline = buildTimeline(events, {
        state,
        limit: 500,
        all,
        ...(question.run === undefined ? {} : {run: question.run}),
      });
      if (run === undefined) return timeline;
      return {
        ...timeline,
        chart: buildTimelineChart(state, run, events, now),
        rows: buildTimelineRows(state, run, events, {all}),
        card: buildAcceptedCard(state, run, events),
      };
    }

    case 'explanation':
      return {
        text: explainStop({state, about: question.of as RunId, events}),
        stop: buildStopReport({state, about: question.of as RunId, events}),
      };
    case 'diff':
      return {
        from: 'a',
        to:
          (question.of.includes('.') ? undefined : selectRun(state, question.of as RunId)?.head) ??
          'b',
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

/** A repository without runs. */
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
export function planned(): Harness {
  const harness = thinking();
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: richPlan,
    hash: '3f2a9c01d4e5b6a7',
    tree: '9bc1d2e3f4a50617',
  });
  return harness;
}

/** A run with notes about its repository. */
export function withNotes(state: State, notes: readonly RepositoryNote[] = repositoryNotes): State {
  const run = selectRun(state, 'r1')!;
  if (!('ground' in run.stage))
    throw new Error(`expected a run that was surveyed, got one that is ${run.stage.at}`);
  return {
    ...state,
    runs: withLedgerEntry(state.runs, 1, {
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
  harness: Harness,
  plan: Plan = {...richPlan, problem: 'Another look at it.'},
): void {
  const stage = selectRun(harness.state, 'r1')!.stage;
  if (stage.at === 'reviewing')
    userCommand(harness, {
      type: 'reject-plan',
      run: 'r1',
      plan: stage.proposal.hash,
      reason: 'Too large',
    });
  const round = selectRun(harness.state, 'r1')!.rounds.length;
  runToExit(harness, harness.state.live.at(-1)!);
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round,
    plan,
    hash: `plan-of-round-${round}`,
    tree: '9bc1d2e3f4a50617',
  });
}

/** The planner at work. */
export function planning(): Harness {
  const harness = thinking();
  startSession(harness, 's1');
  return harness;
}

/** Two workers at once, one of which asks for a secret. */
export function busy(): Harness {
  const harness = working(
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
      harness,
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
  startSession(harness, 's2');
  startSession(harness, 's3');
  userCommand(harness, {
    type: 'start-session',
    name: 'shell',
    command: ['bash'],
    directory: '/work',
  });
  startSession(harness, 's4');
  report(harness, {
    type: 'session-waiting',
    session: 's3',
    proof: 'proven',
    secret: true,
    question: "Password for 'https://git.example.com':",
  });
  return harness;
}

/** Everything merged; it waits to be accepted. */
export function done(): Harness {
  const harness = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  return harness;
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

/** An audit with the contexts of agents. */
export const audit: ContextAudit = {
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

/**
 * The same, with models, and with what the tools of servers cost: ours, a large one, and one that
 * does not start.
 */
export function auditOfTools(now: number): ContextAudit {
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

/** Too many sessions for a name below each bar. */
export function auditOfMany(): ContextAudit {
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
export function violated(): Harness {
  const harness = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  report(
    harness,
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
    work(harness, 'r1.t1', {
      outside: [],
      rules: [
        {number: '1.1', verdict: 'broken', detail: 'src/api/token.ts is protected'},
        {number: '2.1', verdict: 'kept'},
      ],
    });
  return harness;
}

/** A task that conflicts with what is merged, again after its repair. */
export function conflicted(): Harness {
  const harness = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  validate(harness, 'r1.t1');
  for (let times = 1; times <= 2; times++) {
    if (times === 1)
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
    conclude(harness, 'build-merge', {
      type: 'merge-conflicted',
      task: 'r1.t1',
      paths: ['src/token.ts'],
      hunks:
        '<<<<<<< merged\nexport const tries = 2;\n=======\nexport const tries = 3;\n>>>>>>> r1.t1',
    });
    if (times === 2) break;
    work(harness, 'r1.t1');
    for (const name of ['test', 'build']) check(harness, 'r1.t1', passed(name));
    report(
      harness,
      {type: 'change-committed', task: 'r1.t1', attempt: 2, commit: 'c2'},
      'r1.t1.a2/commit/tree-1',
    );
  }

  return harness;
}
