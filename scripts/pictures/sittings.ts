import type {AppStep} from './play-steps.ts';

/** One sitting at the app: which playbook its agents follow, in which colours, and the steps. */
export type Sitting = {
  readonly terminal: 'dark' | 'light';
  readonly editPlaybook?: (text: string) => string;
  readonly steps: readonly AppStep[];
};

const approved: readonly AppStep[] = [
  {until: /The plan is ready\.[^]*A approve and start/},
  {keys: 'A', readMs: 1000, repeat: true, until: /wrk rul chk mrg/},
];

/** What the keys of the pictures lead to. Rebound keys change the steps and nothing else. */
export const sittings: readonly Sitting[] = [
  {
    terminal: 'dark',
    steps: [
      {
        until: /The plan is ready\.[^]*Retry webhooks[^]*What you approve[^]*A approve and start/,
        take: {name: 'plan', title: 'The plan, before you approve it'},
      },
      ...approved,
      // The others go on while one waits for its answer.
      {
        until: /asks: Which answers(?=[^]*1\) every 4xx)[^]*The cache gets a function/,
        take: {name: 'panes', title: 'Workers in their panes; one of them asks'},
      },
      {
        keys: 'n',
        until: /Which answers are final, so that no retry follows\?[^]*2 {2}every 4xx but/,
        take: {name: 'question', title: 'A question, with the pane that asks it'},
      },
      {keys: '2', readMs: 1000, repeat: true, until: /nothing needs you|ready to accept/},
      {until: /ready to accept/},
      {
        keys: 't',
        until: /What happened[^]*you approved[^]*everything is merged/,
        take: {name: 'timeline', title: 'The timeline, with the one retry'},
      },
      {keys: 'r', until: /change 1 of[^]*Proven/},
      {
        keys: '}',
        repeat: true,
        until: /src\/api\/webhooks\.js {2}task 2[^]*Proven/,
        take: {name: 'review', title: 'The review: files, the diff, and what was proven'},
      },
      {keys: 'A', readMs: 1000, repeat: true, until: /into main\?/},
      {
        keys: 'A',
        readMs: 1000,
        repeat: true,
        until: /accepted {3}main is at[^]*git log --graph/,
        take: {name: 'accepted', title: 'Accepted into main'},
      },
    ],
  },
  {
    terminal: 'dark',
    // The repair does what failed once more, so the task stops.
    editPlaybook: (text) => text.replace(/^repairs:\n {2}t3:\n[^]*/m, wrongAgain),
    steps: [
      ...approved,
      {until: /2 need you[^]*stopped/},
      {keys: 'n', until: /stopped|asks/},
      {keys: 'n', repeat: true, until: /failed twice/},
      {
        until: /failed twice[^]*the whole change/,
        take: {name: 'stopped', title: 'A task that failed twice stopped, and says why'},
      },
      {
        keys: 'b',
        until: /Needs you {2}2[^]*Merged {2}2/,
        take: {name: 'brief', title: 'The brief: what happened, and what needs you'},
      },
    ],
  },
];

const wrongAgain = `repairs:
  t3:
    - print: |-
        ● Read test/prices.test.js ✓ 8 lines
        The failing test looks flaky to me; I make the cache a little shorter.
    - replace: {path: src/lib/prices.js, find: "< 1000", with: "< 900"}
    - use: {input: 37200, output: 1700, cost: 0.15}
`;
