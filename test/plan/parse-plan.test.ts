import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {formatPlanFile, parsePlan, parsePlanFile, planHash} from '../../source/plan/index.ts';
import {formatPlanLines} from '../../source/plan/plan-text.ts';
import {assertGolden, readGoldenInput} from '../support/golden.ts';
import {planText, task} from '../support/plan-text.ts';

const context = {objective: 'Repair it.'};

test('a whole plan parses to the file beside it, whatever the line ends', () => {
  const text = readGoldenInput('plans/full.json').toString();
  const reading = parsePlan(text, context);
  assertGolden(
    'plans/full.expected.json',
    `${JSON.stringify({hash: planHash(reading.value!), ...reading}, undefined, 2)}\n`,
  );
  for (const variant of [
    text.replaceAll('\n', '\r\n'),
    text.replaceAll('\n', '\r'),
    `\uFEFF${text}`,
    new TextEncoder().encode(text),
  ])
    assert.deepEqual(parsePlan(variant, context), reading);
});

test('what a planner may leave out is filled in', () => {
  const {value, problems} = parsePlan(planText({after: undefined}), context);
  assert.deepEqual(problems, []);
  assert.deepEqual(value, {
    objective: 'Repair it.',
    problem: 'It is broken.',
    rootCause: 'A typo.',
    assumptions: [],
    invariants: [],
    risks: [],
    rejected: [],
    tasks: [
      {
        id: 't1',
        title: 'Repair it',
        brief: 'Correct the typo.',
        files: ['src/a.ts'],
        after: [],
        services: [],
      },
    ],
    validation: [],
  });
});

test('null stands for an optional field left out', () => {
  const withNulls = planText({
    objective: null,
    risks: null,
    validation: null,
    tasks: [task({after: null, services: null, skill: null})],
  });
  assert.deepEqual(parsePlan(withNulls, context), parsePlan(planText(), context));
});

type Case = readonly [name: string, text: string | Uint8Array, problem: RegExp];

/** JSON that is none, or is not to be parsed. */
const broken: readonly Case[] = [
  ['nothing', '', /^1 error Expected JSON, but in column 1 the text ends where a value should be/],
  ['white space', ' \n\n ', /^3 error .* the text ends/],
  ['words', 'Here is the plan', /^1 error .*column 1 found H where a value should be/],
  [
    'a comma too many',
    '{\n "a": 1,\n}',
    /^3 error .*column 1 found } where a key in quotes should be/,
  ],
  ['a comma too few', '[1\n 2]', /^2 error .*column 2 found 2 where "," or "]" should be/],
  ['a key without quotes', '{a: 1}', /column 2 found a where a key or "}" should be/],
  ['single quotes', "{'a': 1}", /column 2 found '/],
  ['no colon', '{"a" 1}', /column 6 found 1 where ":" should be/],
  ['a comment', '{\n// hello\n}', /^2 error .*column 1 found \//],
  ['a number with a zero in front', '[01]', /column 3 found 1 where "," or "]" should be/],
  ['NaN', '{"a": NaN}', /column 7 found N/],
  [
    'a raw line break in a string',
    '{"a": "b\nc"}',
    /^1 error .*column 7 the string that starts here is not closed/,
  ],
  ['a wrong escape', String.raw`{"a": "\x"}`, /the string that starts here/],
  ['a NUL', '{"a":\0}', /column 6 found \\u\{0\} where a value/],
  ['two objects', '{} {}', /column 4 found \{ where the end should be/],
  [
    'a plan cut short',
    planText().slice(0, 80),
    /^\d error .*(?:the text ends where|is not closed)/,
  ],
  [
    'a plan that lost its last bracket',
    planText().slice(0, -1),
    /the text ends where "," or "}" should be/,
  ],
  [
    'deep nesting',
    '['.repeat(100_000),
    /^1 error .*column 33 brackets are nested more than 32 deep/,
  ],
  ['deep nesting that is closed', planText({extra: nested(40)}), /nested more than 32 deep/],
  ['50 MB', ' '.repeat(50_000_000), /^1 error Expected at most 256 kB/],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), /^1 error Expected UTF-8/],
  ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0), /^1 error Expected UTF-8 text, got UTF-16/],
  [
    'a key that reaches into the prototype',
    '{"problem": "x",\n "__proto__": {"tasks": []}}',
    /^2 error __proto__: a plan has no such field/,
  ],
  ['the same key in disguise', String.raw`{"\u005f_proto__": 1}`, /^1 error __proto__:/],
  [
    'a constructor inside a task',
    planText({tasks: [task({constructor: {prototype: {}}})]}),
    /error tasks\[0\]\.constructor: .*\n.*error tasks\[0\]\.constructor\.prototype:/,
  ],
];

/** JSON that is no plan. */
const wrong: readonly Case[] = [
  ['a list', '[]', /^1 error the plan: expected an object \{ … }, got a list of 0/],
  ['null', 'null', /^1 error the plan: expected an object \{ … }, got null/],
  [
    'an empty object',
    '{}',
    /^1 error problem: is missing\. Add a text in quotes\.\n1 error rootCause: is missing.*\n1 error tasks: is missing\. Add a list/,
  ],
  [
    'a number for a text',
    planText({problem: 3}),
    /^2 error problem: expected a text in quotes, got 3\. Change it\.$/,
  ],
  ['blank words', planText({rootCause: ' \n'}), /^3 error rootCause: expected a text, got none/],
  [
    'a text that is too long',
    planText({problem: 'x'.repeat(8001)}),
    /problem: expected at most 8000 characters, got a text of 8001 characters/,
  ],
  ['no tasks', planText({tasks: []}), /tasks: expected at least 1, got a list of 0/],
  [
    '51 tasks',
    planText({tasks: Array.from({length: 51}, (_, index) => task({id: `t${index + 1}`}))}),
    /tasks: expected at most 50 of them, got a list of 51/,
  ],
  [
    'forty thousand tasks',
    planText({tasks: Array.from({length: 40_000}, () => 1)}),
    /^4 error tasks: expected at most 50 of them, got a list of 40000[^\n]*$/,
  ],
  ['a task that is a text', planText({tasks: ['do it']}), /tasks\[0]: expected an object/],
  [
    'a task without a title',
    planText({tasks: [task({title: undefined})]}),
    /^5 error tasks\[0]\.title: is missing\. Add a text in quotes\.$/,
  ],
  [
    'an id of another kind',
    planText({tasks: [task({id: 'task-1'})]}),
    /tasks\[0]\.id: expected an id like t1, t2, … t999, got "task-1"\. Change it\./,
  ],
  ['the id t0', planText({tasks: [task({id: 't0'})]}), /got "t0"/],
  ['an id with a line break', planText({tasks: [task({id: 't1\n'})]}), /got "t1 "/],
  [
    'the same id twice',
    planText({tasks: [task(), task({files: ['b']})]}),
    /tasks\[1]\.id: "t1" is used more than once/,
  ],
  [
    'a task after itself',
    planText({tasks: [task({after: ['t1']})]}),
    /tasks\[0]\.after\[0]: "t1" would wait for itself, a cycle/,
  ],
  [
    'a task after a later one',
    planText({tasks: [task({after: ['t2']}), task({id: 't2', files: ['b']})]}),
    /tasks\[0]\.after\[0]: "t2" comes later in the list/,
  ],
  [
    'two tasks that wait for each other',
    planText({tasks: [task({after: ['t2']}), task({id: 't2', files: ['b'], after: ['t1']})]}),
    /tasks\[0]\.after\[0]: "t1" would wait for itself through "t2", a cycle/,
  ],
  [
    'a task after nobody',
    planText({tasks: [task({after: ['t9']})]}),
    /tasks\[0]\.after\[0]: no task has the id "t9"/,
  ],
  ['no files', planText({tasks: [task({files: []})]}), /tasks\[0]\.files: expected at least 1/],
  [
    'a file that is a number',
    planText({tasks: [task({files: ['a', 3]})]}),
    /^\d+ error tasks\[0]\.files\[1]: expected a text in quotes, got 3/,
  ],
  [
    'a service with a space',
    planText({tasks: [task({services: ['a b']})]}),
    /tasks\[0]\.services\[0]: expected the name of a service .*, got "a b"/,
  ],
  [
    'a skill that is a path',
    planText({tasks: [task({skill: '../x'})]}),
    /tasks\[0]\.skill: expected the name of a skill/,
  ],
  [
    'a rejected alternative without a reason',
    planText({rejected: [{alternative: 'x'}]}),
    /rejected\[0]\.reason: is missing/,
  ],
  [
    'a check without a command',
    planText({validation: [{name: 'test', command: ' '}]}),
    /validation\[0]\.command: the command "" is empty/,
  ],
  [
    'a check that is a sentence',
    planText({validation: [{name: 'test', command: 'make sure it works'}]}),
    /is a sentence, not a command/,
  ],
  [
    'a check over two lines',
    planText({validation: [{name: 'test', command: 'a\nb'}]}),
    /has line breaks/,
  ],
  [
    'a check with a hidden character',
    planText({validation: [{name: 'test', command: 'npm\u200B test'}]}),
    /hidden characters/,
  ],
  [
    'a check with a bad name',
    planText({validation: [{name: 'Test', command: 'npm test'}]}),
    /validation\[0]\.name: expected a name of small letters/,
  ],
  [
    'a check twice',
    planText({
      validation: [
        {name: 'a', command: 'b'},
        {name: 'a', command: 'c'},
      ],
    }),
    /validation\[1]\.name: "a" is used more than once/,
  ],
  [
    'case twins in one task',
    planText({tasks: [task({files: ['src/A.ts', 'src/a.ts']})]}),
    /tasks\[0]\.files\[1]: "src\/a\.ts" and "src\/A\.ts" differ only in capitals/,
  ],
  [
    'case twins in two tasks',
    planText({tasks: [task(), task({id: 't2', files: ['src/A.ts']})]}),
    /tasks\[1]\.files\[0]: /,
  ],
  [
    'case twins of a folder',
    planText({tasks: [task({files: ['src/a.ts', 'Src/b.ts']})]}),
    /"Src" and "src" differ only in capitals/,
  ],
  [
    'a variant of nobody',
    planText({tasks: [task(), task({id: 't2', variantOf: 't9'})]}),
    /^\d+ error tasks\[1]\.variantOf: no earlier task has the id "t9"\. Name the task itself\.$/,
  ],
  [
    'a variant of itself',
    planText({tasks: [task({variantOf: 't1'})]}),
    /tasks\[0]\.variantOf: no earlier task has the id "t1"/,
  ],
  [
    'a variant before its task',
    planText({tasks: [task({variantOf: 't2'}), task({id: 't2'})]}),
    /tasks\[0]\.variantOf: no earlier task has the id "t2"/,
  ],
  [
    'a variant of a variant',
    planText({
      tasks: [task(), task({id: 't2', variantOf: 't1'}), task({id: 't3', variantOf: 't2'})],
    }),
    /tasks\[2]\.variantOf: "t2" is a variant itself\. Name "t1"\.$/,
  ],
  [
    'a variant of what is no id',
    planText({tasks: [task(), task({id: 't2', variantOf: 'the first'})]}),
    /tasks\[1]\.variantOf: expected the id of an earlier task, like t1, got "the first"/,
  ],
  [
    'a variant that waits for other tasks',
    planText({
      tasks: [task(), task({id: 't2', after: ['t1']}), task({id: 't3', variantOf: 't2'})],
    }),
    /tasks\[2]\.after: a variant waits for the same tasks as "t2": t1\. Change it\.$/,
  ],
  [
    'a variant that waits, of a task that does not',
    planText({
      tasks: [task(), task({id: 't2'}), task({id: 't3', variantOf: 't2', after: ['t1']})],
    }),
    /tasks\[2]\.after: a variant waits for the same tasks as "t2": none\. Change it\.$/,
  ],
  [
    'a task after a variant',
    planText({
      tasks: [task(), task({id: 't2', variantOf: 't1'}), task({id: 't3', after: ['t2']})],
    }),
    /tasks\[2]\.after\[0]: "t2" is a variant of "t1"\. Name "t1", whichever is picked\.$/,
  ],
  [
    'a variant after its own task',
    planText({tasks: [task(), task({id: 't2', variantOf: 't1', after: ['t1']})]}),
    /tasks\[1]\.after: a variant waits for the same tasks as "t1": none/,
  ],
  [
    'nine variants',
    planText({
      tasks: Array.from({length: 9}, (_, index) =>
        task({id: `t${index + 1}`, ...(index === 0 ? {} : {variantOf: 't1'})}),
      ),
    }),
    /^\d+ error tasks\[8]\.variantOf: "t1" has 9 variants, expected at most 8\. Leave some out\.$/,
  ],
];

for (const [group, cases] of Object.entries({
  'is no JSON to parse:': broken,
  'is JSON but no plan:': wrong,
})) {
  describe(group, () => {
    for (const [name, text, problem] of cases) {
      test(name, () => {
        const {value, problems} = parsePlan(text, context);
        assert.equal(value, undefined);
        assert.match(
          problems.map(({line, level, text: text}) => `${line} ${level} ${text}`).join('\n'),
          problem,
        );
      });
    }
  });
}

const rejectedPaths = [
  '',
  '/etc/passwd',
  '~',
  '~/x',
  'C:/x',
  'c:x',
  'a\\b',
  '..',
  '../../etc/passwd',
  'a/../b',
  'a/..',
  '.',
  'a/./b',
  'a//b',
  '/',
  '//',
  '.git',
  '.git/',
  '.git/hooks/x',
  '.GIT/config',
  'a/.git/x',
  '.git./x',
  '.git /x',
  'git~1/x',
  'GIT~1',
  '.git::$INDEX_ALLOCATION/x',
  '.gitmodules',
  'a/.gitmodules',
  '.gitattributes',
  '.GitAttributes',
  'gitmod~1',
  'gitatt~1',
  'a\0b',
  'a\nb',
  'a\tb',
  'a\u001Bb',
  'a\u202Eb',
  '.g\u200Cit/x',
  'a\u{E0041}',
  'a.',
  'a ',
  ' a',
  'a./b',
  'a /b',
  'x'.repeat(4097),
  'é'.repeat(2049),
  'a/'.repeat(65),
  '**/a/**/b/**',
  '*a*b*c',
];
const acceptedPaths = [
  'a',
  './a',
  'src/',
  '**',
  'src/**/*.ts',
  '{a,b}/*.md',
  '.github/workflows/x.yml',
  '.gitignore',
  'a/.gitkeep',
  '.gitlab-ci.yml',
  'git/x',
  'a.git/x',
  'app/[...slug]/(x)/page.tsx',
  '@a/+b',
  'a b',
  'ä/ö',
  'a~',
  '...x',
  'CON',
  'x'.repeat(4096),
];

describe('a path in a plan', () => {
  for (const path of rejectedPaths) {
    test(`is refused: ${JSON.stringify(path.slice(0, 40))}`, () => {
      const {value, problems} = parsePlan(
        planText({tasks: [task({files: ['ok', path]})]}),
        context,
      );
      assert.equal(value, undefined);
      assert.match(
        problems.map(({text}) => text).join('\n'),
        /^tasks\[0]\.files\[1]: ".*" (?:is|has|leaves|belongs) [^\n]*\.$/s,
      );
    });
  }

  for (const path of acceptedPaths) {
    test(`is accepted: ${path.slice(0, 40)}`, () => {
      assert.deepEqual(parsePlan(planText({tasks: [task({files: [path]})]}), context).problems, []);
    });
  }

  test('is kept in one spelling', () => {
    const {value, problems} = parsePlan(
      planText({tasks: [task({files: ['./e\u0301.ts', 'é.ts']})]}),
      context,
    );
    assert.deepEqual(value?.tasks[0]?.files, ['é.ts', 'é.ts']);
    assert.deepEqual(problems, []);
  });
});

describe('a plan is valid, with a warning,', () => {
  test('when it has fields that nobody reads', () => {
    const {value, problems} = parsePlan(
      planText({
        estimate: '2 h',
        tasks: [task({owner: 'me'})],
        validation: [{name: 'a', command: 'b', 'odd key': {}}],
      }),
      context,
    );
    assert.ok(value);
    assert.deepEqual(
      problems.map(({level, text}) => `${level} ${text}`),
      [
        'warning tasks[0].owner: "owner" is not a field of a plan, so it is ignored. Leave it out.',
        'warning estimate: "estimate" is not a field of a plan, so it is ignored. Leave it out.',
        'warning validation[0]["odd key"]: "odd key" is not a field of a plan, so it is ignored. Leave it out.',
      ],
    );
  });

  test('when a key stands there twice; the last one counts', () => {
    const {value, problems} = parsePlan(
      planText().replace('"problem"', '"problem": "First.",\n "problem"'),
      context,
    );
    assert.equal(value?.problem, 'It is broken.');
    assert.deepEqual(problems, [
      {
        line: 3,
        level: 'warning',
        text: 'problem: occurs a second time; the last one counts. Leave one out.',
      },
    ]);
  });

  test('when it has hidden characters, which everybody can see from then on', () => {
    const {value, problems} = parsePlan(
      planText({
        problem: 'Pay \u202Eecila\u202C.',
        tasks: [task({brief: 'a\u200Bb\u{E0041}\u0007'})],
      }),
      {objective: 'x\u2066y'},
    );
    assert.equal(value?.problem, 'Pay \\u{202e}ecila\\u{202c}.');
    assert.equal(value.tasks[0]?.brief, 'a\\u{200b}b\\u{e0041}\\u{7}');
    assert.equal(value.objective, 'x\\u{2066}y');
    assert.deepEqual(
      problems.map(({line, level, text}) => `${line} ${level} ${text.split(':', 1)[0]}`),
      ['1 warning objective', '2 warning problem', '8 warning tasks[0].brief'],
    );
  });
});

test('of many problems only the first few dozen are reported', () => {
  const {problems} = parsePlan(planText({tasks: Array.from({length: 50}, () => ({}))}), context);
  assert.equal(problems.length, 40);
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

describe('a variant of a task', () => {
  const varied = planText({tasks: [task(), task({id: 't2', variantOf: 't1', agent: 'codex'})]});

  test('is part of the plan and of its hash; null and none leave no trace', () => {
    const {value, problems} = parsePlan(varied, context);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      value?.tasks.map(({variantOf}) => variantOf),
      [undefined, 't1'],
    );
    const [none, left] = [planText({tasks: [task({variantOf: null})]}), planText()].map(
      (text) => parsePlan(text, context).value!,
    );
    assert.equal('variantOf' in none!.tasks[0]!, false);
    assert.equal(planHash(none!), planHash(left!));
  });

  test('is shown with its task, and its brief where somebody changed it', () => {
    const shownOf = (text: string): string[] =>
      formatPlanLines(parsePlan(text, context).value!)
        .filter(({field}) => field.startsWith('tasks[1].'))
        .map(({text: line}) => line.trim());
    assert.deepEqual(shownOf(varied), ['variant of: t1', 'files: src/a.ts', 'agent: codex']);
    const changed = planText({
      tasks: [task(), task({id: 't2', variantOf: 't1', brief: 'Correct it by hand.'})],
    });
    assert.deepEqual(shownOf(changed), [
      'variant of: t1',
      'files: src/a.ts',
      'Correct it by hand.',
    ]);
  });
});

describe('the tool servers of a task', () => {
  const planWith = (tools: unknown): string =>
    JSON.stringify({
      problem: 'p',
      rootCause: 'r',
      tasks: [{id: 't1', title: 't', brief: 'b', files: ['a'], tools}],
    });

  test('are part of the plan and of its hash; none leaves no trace', () => {
    const [without, none, some] = [planWith(undefined), planWith([]), planWith(['docs'])].map(
      (text) => parsePlan(text, {objective: 'o', tools: ['docs']}).value!,
    );
    assert.deepEqual(some!.tasks[0]!.tools, ['docs']);
    assert.equal('tools' in none!.tasks[0]!, false);
    assert.equal(planHash(without!), planHash(none!));
    assert.notEqual(planHash(some!), planHash(none!));
    assert.ok(
      formatPlanLines(some!).some(
        ({text, field}) => text === '    tools: docs' && field === 'tasks[0].tools',
      ),
    );
    assert.deepEqual(parsePlanFile(formatPlanFile(some!), {objective: 'o'}).value, some);
  });

  test('must be declared by the project, where that is known', () => {
    assert.deepEqual(
      parsePlan(planWith(['docs', 'dosc']), {objective: 'o', tools: ['docs', 'web']}).problems.map(
        ({text}) => text,
      ),
      [
        'tasks[0].tools[1]: "dosc" is not a tool server of the project. The project has: docs, web.',
      ],
    );
    assert.deepEqual(
      parsePlan(planWith(['docs']), {objective: 'o', tools: []}).problems.map(({text}) => text),
      [
        'tasks[0].tools[0]: "docs" is not a tool server of the project. The project declares none: leave it out.',
      ],
    );
    assert.deepEqual(parsePlan(planWith(['docs']), {objective: 'o'}).problems, []);
    assert.match(
      parsePlan(planWith(['Docs!']), {objective: 'o'}).problems[0]!.text,
      /expected the name of a tool server/,
    );
  });
});
