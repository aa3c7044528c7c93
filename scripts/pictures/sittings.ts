import type {AppStep} from './play-steps.ts';

/** One sitting at the app: which playbook its agents follow, in which colours, and the steps. */
export type Sitting = {
  readonly terminal: 'dark' | 'light';
  readonly editPlaybook?: (text: string) => string;
  readonly steps: readonly AppStep[];
};

export const objective =
  'Stop charging expired cards, and make webhooks survive a subscriber that is down';

const typed: AppStep = {keys: objective, until: /a subscriber that\s+is\s+down/};
const planned: AppStep = {keys: '\r', until: /The plan is ready\.[^]*A approve and start/};

const approved: readonly AppStep[] = [
  {keys: 'p', until: /A approve and start/},
  {keys: 'A', repeat: true, until: /wrk rul chk mrg/},
];

const asked: readonly AppStep[] = [
  {until: /needs you .*asks: /},
  {keys: 'w', until: /wrk rul chk mrg/},
];

/** What the keys of the pictures lead to. Rebound keys change the steps and nothing else. */
export const sittings: readonly Sitting[] = [
  {
    terminal: 'dark',
    steps: [
      {until: /[Ww]hat should[^]*sage/},
      typed,
      planned,
      {
        keys: 'p',
        until: /Validate card expiry[^]*Retry webhooks/,
        take: {name: 'plan', title: 'The plan, before you approve it'},
      },
      ...approved.slice(1),
      ...asked,
      {
        until: /1\) every 4xx/,
        take: {name: 'panes', title: 'Workers in their panes; one of them asks'},
      },
      {
        keys: 'n',
        until: /Enter write an answer/,
        take: {name: 'question', title: 'A question, with the pane that asks it'},
      },
      {keys: '\r', until: /Enter send/},
      {keys: '2\r', until: /nothing needs you|ready to accept/},
      {until: /ready to accept/},
      {
        keys: 't',
        until: /What happened[^]*you asked/,
        take: {name: 'timeline', title: 'The timeline, with the one retry'},
      },
      {
        keys: 'r',
        until: /change 1 of[^]*Proven/,
        take: {name: 'review', title: 'The review: files, the diff, and what was proven'},
      },
      {keys: 'A', repeat: true, until: /into main\?/},
      {
        keys: 'A',
        repeat: true,
        until: /git log --graph|main {2}[0-9a-f]{7}/,
        take: {name: 'accepted', title: 'Accepted into main'},
      },
    ],
  },
  {
    terminal: 'dark',
    // The repair does what failed once more, so the task stops.
    editPlaybook: (text) => text.replace(/^repairs:\n {2}t3:\n[^]*/m, wrongAgain),
    steps: [
      {until: /[Ww]hat should[^]*sage/},
      typed,
      planned,
      ...approved,
      {until: /2 need you[^]*stopped/},
      {keys: 'n', until: /stopped|asks/},
      {
        keys: 'n',
        repeat: true,
        until: /failed twice/,
        take: {name: 'stopped', title: 'A task that failed twice stopped, and says why'},
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
