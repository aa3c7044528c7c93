import {parsePlan} from '../../source/plan/index.ts';
import type {Plan} from '../../source/domain/index.ts';
import {fc} from '../support/property.ts';

/** Five tasks: one forks into two, which join again; the last stands alone. */
export const samplePlan: Plan = {
  objective: 'Stop refreshing tokens twice.',
  problem:
    'When two requests find the token expired, each of them refreshes it, and the second refresh voids the first.',
  rootCause: 'src/token.js keeps the token, but not the refresh that is in flight.',
  assumptions: [],
  invariants: ['The signature of getToken() stays as it is.'],
  risks: ['A refresh that never settles would block every request: it needs a time limit.'],
  rejected: [
    {alternative: 'A lock file', reason: 'It survives a crash and then blocks every later run.'},
  ],
  tasks: [
    {
      id: 't1',
      title: 'Share the refresh in flight',
      brief:
        'Keep the promise of the running refresh, return it to every caller, and drop it when it settles.\n\n    if (refresh !== undefined) return refresh;\n\nCover two callers.',
      files: ['src/token.js', 'test/token.test.js'],
      after: [],
      services: ['api'],
    },
    {
      id: 't2',
      title: 'Say when a token is refreshed',
      brief: 'Add a paragraph.',
      files: ['docs/auth/**'],
      after: ['t1'],
      services: [],
      skill: 'write-docs',
    },
    {
      id: 't3',
      title: 'Count refreshes',
      brief: 'Add a counter.',
      files: ['src/metrics.js'],
      after: ['t1'],
      services: [],
    },
    {
      id: 't4',
      title: 'Release',
      brief: 'Add an entry.',
      files: ['CHANGELOG.md'],
      after: ['t2', 't3'],
      services: [],
    },
    {
      id: 't5',
      title: 'Remove the old client',
      brief: 'Nobody calls it.',
      files: ['src/old/'],
      after: [],
      services: [],
    },
  ],
  validation: [
    {name: 'test', command: 'npm test'},
    {name: 'build', command: 'npm run build'},
  ],
};

/** Characters that mean something to YAML, to markdown or to a terminal. */
const hostile = fc.constantFrom(
  '#',
  ' #',
  ': ',
  ':',
  '-',
  '- ',
  '---',
  '...',
  '|',
  '>',
  '&a',
  '*a',
  '!!str',
  '%YAML',
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\n\n',
  '  ',
  '\t',
  '[',
  ']',
  '{',
  '}',
  ',',
  '?',
  '@',
  '~',
  'null',
  'true',
  '0x1',
  '1e3',
  '.inf',
  '<<',
  '\u001B[31m',
  '\u202E',
  '\u200B',
  '\uFEFF',
  '\u0085',
  '\u2028',
  '\uD800',
  'e\u0301',
  '漢字',
  '😀',
  '\u00A0',
  '\\u{202e}',
);

export function toText(max: number): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(hostile, fc.string({maxLength: 12, unit: 'binary'}), fc.constant('word ')), {
      minLength: 1,
      maxLength: 14,
    })
    .map((pieces) => `w${pieces.join('')}`.slice(0, max));
}

const file = fc.constantFrom(
  'src/a.ts',
  'docs/**',
  'app/(shop)/[id]/page.tsx',
  'a b/c: d #.md',
  "it's",
  '- x',
  'folder/',
  '*.{js,ts}',
);

/** Plans as the reader gives them: random texts, and tasks that build on earlier ones. */
export const randomPlans: fc.Arbitrary<Plan> = fc
  .record({
    objective: toText(200),
    problem: toText(400),
    rootCause: toText(400),
    assumptions: fc.array(toText(100), {maxLength: 3}),
    invariants: fc.array(toText(100), {maxLength: 3}),
    risks: fc.array(toText(100), {maxLength: 3}),
    rejected: fc.array(fc.record({alternative: toText(80), reason: toText(80)}), {maxLength: 2}),
    tasks: fc.array(
      fc.record(
        {
          title: toText(100),
          brief: toText(400),
          files: fc.array(file, {minLength: 1, maxLength: 4}),
          after: fc.array(fc.nat(20), {maxLength: 3}),
          services: fc.subarray(['api', 'db']),
          skill: fc.constant('write-docs'),
          agent: fc.constantFrom('codex', 'my-agent'),
          model: fc.constantFrom('gpt-9', 'scripted/a:b@1'),
        },
        {requiredKeys: ['title', 'brief', 'files', 'after', 'services']},
      ),
      {minLength: 1, maxLength: 8},
    ),
    validation: fc.subarray([
      {name: 'test', command: 'npm test # "x": y'},
      {name: 'build', command: "make 'a b' && : > x"},
    ]),
  })
  .map((plan) => ({
    ...plan,
    tasks: plan.tasks.map((task, index) => ({
      ...task,
      id: `t${index + 1}`,
      after: [
        ...new Set(
          task.after.filter((earlier) => earlier < index).map((earlier) => `t${earlier + 1}`),
        ),
      ],
    })),
  }))
  .map((plan) => parsePlan(JSON.stringify(plan), {objective: ''}).value)
  .filter((plan) => plan !== undefined);
