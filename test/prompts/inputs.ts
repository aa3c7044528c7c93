import type {PlannerPromptInput, WorkerPromptInput} from '../../source/prompts/index.ts';
import {parseRules} from '../../source/rules/index.ts';

const {value: rules} = parseRules(
  '# 1. Hard constraints\n- Preserve public API contracts. `protect: src/api/**`\n- `max-files: 8`\n# 2. Validation\n1. Run unit tests. `test: npm test`\n2. Retry once.\n',
);

const shared = {
  rules,
  objective: 'Stop refreshing tokens twice.',
  nonce: 'n0nce-12345678',
  secrets: [],
  facts: [],
  now: 100_000,
  summaries: [],
};

export const plannerInput: PlannerPromptInput = {...shared, services: [], skills: []};

export const workerInput: WorkerPromptInput = {
  ...shared,
  task: {
    id: 't1',
    title: 'Share the refresh',
    brief: 'Keep the promise of the refresh.',
    files: ['src/token.js', 'test/**'],
    after: [],
    services: [],
  },
  invariants: ['getToken() keeps its signature.'],
  checks: [
    {name: 'test', command: 'npm test'},
    {name: 'build', command: 'npm run build'},
  ],
  attempt: {number: 1, interruptions: 0},
  changed: [],
  notes: [],
};
