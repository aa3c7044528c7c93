import {
  composePlannerPrompt,
  composeWorkerPrompt,
  type WorkerPromptInput,
} from '../../../../source/prompts/index.ts';
import {parseRules} from '../../../../source/rules/index.ts';

const rules = parseRules(
  [
    '# 1. Hard architectural constraints',
    '- Preserve public API contracts. `protect: src/api/**`',
    '# 2. Code modification rules',
    '- Edit the minimum number of files. `max-files: 8`',
    '- Say "please" & `$HOME` \'quoted\'.',
    '# 3. Validation loop',
    '1. Run unit tests. `test: npm test`',
  ].join('\n'),
).value;

/** The rules as they must stand, in their order, above everything else of ours. */
export const rulesText = /^# Rules[\s\S]*?(?=\n\n# )/.exec(getPrompt('work', 'x'))?.[0] ?? '';

/** What is in every worker's prompt beside its task. */
export function promptParts(objective: string): Omit<WorkerPromptInput, 'task'> {
  return {
    rules,
    objective,
    facts: [],
    summaries: [],
    secrets: [],
    nonce: 'abcdefabcdefabcdefabcdef',
    now: 0,
    invariants: [],
    checks: [],
    attempt: {number: 1, interruptions: 0},
    changed: [],
    notes: [],
  };
}

/** A prompt as the daemon makes it. */
export function getPrompt(mode: 'plan' | 'work', objective: string): string {
  const common = {
    rules,
    objective,
    facts: [],
    summaries: [],
    skills: [],
    services: [],
    secrets: [],
    nonce: 'abcdefabcdefabcdefabcdef',
    now: 0,
  };
  if (mode === 'plan') return composePlannerPrompt(common).text;
  return composeWorkerPrompt({
    ...common,
    task: {id: 't1', title: 'Greet', brief: objective, files: ['b.txt'], after: [], services: []},
    invariants: [],
    checks: [],
    attempt: {number: 1, interruptions: 0},
    changed: [],
    notes: [],
  }).text;
}

export const plan = {
  problem: 'Nobody is greeted.',
  rootCause: 'There is no file that greets.',
  assumptions: [],
  invariants: [],
  risks: [],
  rejected: [],
  tasks: [
    {id: 't1', title: 'Greet', brief: 'Write b.txt.', files: ['b.txt'], after: [], services: []},
  ],
  validation: [{name: 'test', command: 'npm test'}],
};
