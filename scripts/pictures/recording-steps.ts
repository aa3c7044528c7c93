import type {AppStep} from './play-steps.ts';

const decides = {readMs: 1000, repeat: true} as const;

/** What the recording shows, and how long each part takes in it: 25 seconds in all. */
export const recordingSteps: readonly AppStep[] = [
  {until: /playbook · the plan of/, seconds: 0},
  {until: /Nothing looks at the card/, seconds: 2},
  {until: /The plan is ready\.[^]*What you approve[^]*A approve and start/, seconds: 3},
  {keys: 'A', ...decides, until: /wrk rul chk mrg/, seconds: 1},
  {until: /asks: Which answers/, seconds: 3.5},
  {
    keys: 'n',
    until: /Which answers are final, so that no retry follows\?[^]*2 {2}every 4xx but/,
    seconds: 1.5,
  },
  {keys: '2', ...decides, until: /nothing needs you[^]*wrk rul chk mrg/, seconds: 1},
  {until: /try 2\/2/, seconds: 2},
  {until: /The cache gets a function|ready to accept/, seconds: 1.5},
  {until: /ready to accept/, seconds: 3},
  {keys: 'n', until: /All checks are green/, seconds: 0.5},
  {keys: 'v', until: /api\.md {2}task 6[^]*Proven/, seconds: 0.5},
  {keys: '}', until: /api\/checkout\.js {2}task 1[^]*Proven/, seconds: 0.5},
  {keys: '}', until: /api\/orders\.js {2}task 4[^]*Proven/, seconds: 0.5},
  {keys: '}', until: /api\/webhooks\.js {2}task 2[^]*Proven/, seconds: 1},
  {keys: 'A', ...decides, until: /into main\?/, seconds: 1},
  {keys: 'A', ...decides, until: /accepted {3}main is at/, seconds: 1.5},
  {until: /git log --graph/, seconds: 1},
];
