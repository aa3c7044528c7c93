import {withLedgerEntry} from '../../../source/shared/index.ts';
import {
  type Run,
  selectRun,
  selectSession,
  type Session,
  type State,
  type StopReason,
  type Task,
} from '../../../source/domain/index.ts';
import {base, plannedTask} from '../../domain/support/samples.ts';
import {working} from '../../domain/support/stages.ts';
import {done} from './fixtures.ts';
import {variants} from './variants-fixture.ts';

/** A state with a single need of this kind, with texts of maximum length. */
export function needing(kind: NeedKind): State {
  const {state} = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  return needy[kind](state);
}

const inTheWay =
  'Expected at least 1.0 GB free at /home/ada/projects/token-service/.orchestra/worktrees before a worktree is made, but there are 212 MB. Make room ("orchestra gc --dry-run" shows what of ours may go), then go on.';

const needy = {
  trouble: (state: State) =>
    withTask(state, {
      trouble: {at: 5000, why: {kind: 'effect', effect: 'r1.t1/make', words: inTheWay}},
    }),
  'trouble-setup': (state: State) =>
    withTask(state, {trouble: {at: 5000, why: {kind: 'setup', code: 127}}}),
  'trouble-agent': (state: State) =>
    withTask(state, {
      trouble: {
        at: 5000,
        why: {
          kind: 'agent-unavailable',
          words:
            'Claude usage limit reached. Your limit will reset at 3pm (Europe/Zurich). To use it now, type /login and choose an account with credits',
        },
      },
    }),
  'trouble-pauses': (state: State) =>
    withTask(state, {
      trouble: {
        at: 5000,
        why: {
          kind: 'agent-unavailable',
          words: 'Overloaded. Try again later',
          pauses: {times: 11, total: 61_410_000, next: 61_440_000},
        },
      },
    }),
  'branch-ahead': (state: State) =>
    withRun(state, {
      moved: {
        at: 5000,
        branch: 'orchestra/r1',
        expected: 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334',
        found: 'ffeeddccbbaa99887766554433221100ffeeddcc',
        relation: 'ahead',
      },
    }),
  'branch-apart': (state: State) =>
    withRun(state, {
      moved: {
        at: 5000,
        branch: 'orchestra/r1',
        expected: 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334',
        found: 'ffeeddccbbaa99887766554433221100ffeeddcc',
        relation: 'apart',
      },
    }),
  unstoppable: (state: State) =>
    withQuestion(state, {unstoppable: {at: 5000, words: '2 processes of s1 could not be stopped'}}),
  parked: (state: State) =>
    withRun(state, {
      parked: {
        at: 5000,
        why: {
          kind: 'tampering',
          paths: ['.git/hooks/pre-commit', '.git/config', '.gitattributes', '.husky/pre-push'],
        },
      },
    }),
  planless: (state: State) =>
    withRun(state, {
      tasks: [],
      stage: {
        at: 'planless',
        ground: base,
        since: 5000,
        why: {
          kind: 'planner-failed',
          words:
            'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}. Try again in a few minutes',
        },
      },
    }),
  'planless-invalid': (state: State) =>
    withRun(state, {
      tasks: [],
      stage: {
        at: 'planless',
        ground: base,
        since: 5000,
        why: {
          kind: 'invalid',
          problems: [
            'tasks[0].files: expected at least one path inside of the repository, got /etc/passwd',
            'tasks[1].after: there is no task t9',
          ],
        },
      },
    }),
  budget: (state: State) =>
    withRun(state, {exhausted: {budget: 'tokens', used: 1_204_511, limit: 1_200_000, at: 5000}}),
  'accept-refused': (state: State) => {
    const {state: over} = done();
    return withRun(
      over,
      {
        stage: {
          ...selectRun(over, 'r1')!.stage,
          refusal: {
            at: 5000,
            why: 'your checkout has changes of its own in src/token.ts, src/refresh.ts and 4 more, which the run changes, too. Commit or stash them, then accept again',
          },
        } as Run['stage'],
      },
      state.at,
    );
  },
  'nothing-left': (state: State) =>
    withTask(state, {stage: {at: 'discarded', why: {kind: 'person'}, since: 5000}}),
  pick: () => variants().state,
  service: (state: State) => ({
    ...state,
    services: [
      {
        spec: {
          name: 'search-index',
          command:
            'docker compose --file compose.test.yaml up --exit-code-from search-index search-index',
          port: 9200,
        },
        desire: 'wanted' as const,
        stage: {
          at: 'foreign-port' as const,
          owner: '/usr/share/elasticsearch/jdk/bin/java -Xms4g (pid 48213, started by root)',
          since: 5000,
        },
        starts: [],
      },
    ],
  }),
  'service-missing': (state: State) =>
    withTask(state, {
      stage: {at: 'waiting'},
      planned: plannedTask('t1', {
        title: 'Share the refresh in flight',
        services: ['search-index-of-the-other-team'],
      }),
    }),
  asked: (state: State) =>
    withQuestion(state, {
      questions: [
        {
          number: 1,
          question: longQuestion,
          options: [
            'Keep the old column and write to both until the next release',
            'Drop it now; whoever reads it fails loudly',
            'Rename it, with a view under the old name for whoever still reads it',
          ],
          at: 5000,
        },
      ],
    }),
  dialog: (state: State) =>
    withQuestion(state, {
      waiting: {
        since: 5000,
        proof: 'proven',
        secret: false,
        source: 'screen',
        question: 'Do you want to make this edit to src/token.ts?',
        options: [
          'Yes',
          'Yes, allow all edits during this session (shift+tab)',
          'No, and tell Claude what to do differently (esc)',
        ],
      },
    }),
  uncertain: (state: State) =>
    withQuestion(state, {
      inputs: [
        {
          number: 1,
          text: 'Yes, but keep the old column until the next release, and say so in the changelog\r',
          at: 5000,
          fate: 'uncertain',
        } as unknown as Session['inputs'][number],
      ],
    }),
  loop: (state: State) =>
    withQuestion(state, {
      loops: [
        {
          number: 1,
          kind: 'same-failures',
          evidence: 'npm test -- --grep "refreshes once"',
          times: 6,
          key: 'npm test',
          since: 2000,
          at: 5000,
        },
      ],
    }),
  'stopped-outside': (state: State) =>
    withStop(state, {
      kind: 'scope',
      paths: ['package.json', 'src/log.ts'],
      refused: [{path: 'package.json', why: 'the plan does not name it'}],
    }),
  'stopped-gave-up': (state: State) =>
    withStop(state, {
      kind: 'gave-up',
      words: 'The identity provider cannot be reached from here.\nI cannot test a refresh.',
    }),
  'stopped-tokens': (state: State) =>
    withStop(state, {kind: 'budget', budget: 'tokens', used: 412_000, limit: 400_000}),
  'stopped-interrupted': (state: State) => withStop(state, {kind: 'interrupted', times: 5}),
  intrusion: (state: State) => ({
    ...state,
    intrusions: [
      {number: 1, session: 's1' as const, intent: 'approve-plan', at: 5000, isSeen: false},
    ],
  }),
} satisfies Readonly<Record<string, (state: State) => State>>;

export type NeedKind = keyof typeof needy;
export const needKinds = Object.keys(needy) as readonly NeedKind[];

const longQuestion =
  'The table tokens has a column refreshed_at that nothing in this repository reads, but the migration of last month says that the reporting job of another team does, and it has no test. Shall I keep it, drop it, or rename it as the plan says, which would break that job if the note is right?';

function withQuestion(state: State, change: Partial<Session>): State {
  const session: Session = {
    ...selectSession(state, 's1')!,
    purpose: {for: 'attempt', task: 'r1.t1', attempt: 1},
    life: {at: 'running', since: 4000},
    ...change,
  };
  return {...state, live: ['s1'], sessions: withLedgerEntry(state.sessions, 1, session)};
}

function withRun(state: State, change: Partial<Run>, at = state.at): State {
  return {
    ...state,
    at,
    runs: withLedgerEntry(state.runs, 1, {...selectRun(state, 'r1')!, ...change}),
  };
}

function withStop(state: State, why: StopReason): State {
  return withTask(state, {stage: {at: 'stopped', why, since: 5000}});
}

function withTask(state: State, change: Partial<Task>): State {
  return withRun(state, {
    tasks: selectRun(state, 'r1')!.tasks.map((task) => ({...task, ...change})),
  });
}
