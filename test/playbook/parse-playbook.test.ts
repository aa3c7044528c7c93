import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {maxDocumentBytes} from '../../source/syntax/index.ts';
import {parsePlaybook, withAnswer} from '../../source/playbook/index.ts';

const whole = `
plan:
  problem: Tokens are refreshed twice.
  rootCause: The retry recreates an expired token.
  tasks:
    - {id: t1, title: Keep the token, brief: Keep it., files: [src/token.js], after: []}
    - id: t2
      title: Say so
      brief: |
        Add a paragraph.
        And another.
      files: [docs/**]
      after: [t1]
  validation:
    - {name: test, command: npm test}
tasks:
  t1:
    - print: Reading src/token.js
    - replace: {path: src/token.js, find: "old", with: ""}
    - write: {path: ./docs/token.md, text: ""}
    - append: {path: docs/token.md, text: "one\\n"}
    - delete: docs/old.md
    - run: npm run format
    - run: {command: npm run lint, mayFail: true}
    - ask: Which port?
    - ask: {question: "Is \${answer} right?", options: ["yes", "no"]}
    - wait: 300ms
    - report:
        rootCause: It was \${answer}.
        decisions: [Keep the token]
        rejected:
          - {alternative: A lock, reason: It outlives a crash.}
  t2:
    - fail: Too hard.
repairs:
  t1:
    - wait: 2s
    - wait: 1m
    - use: {input: 48210, output: 3120, cost: 0.19}
planning:
  - print: Reading
  - wait: 1s
  - use: {input: 1, output: 0}
`;

test('a playbook with everything in it', () => {
  assert.deepEqual(parsePlaybook(whole), {
    value: {
      plan: {
        problem: 'Tokens are refreshed twice.',
        rootCause: 'The retry recreates an expired token.',
        assumptions: [],
        invariants: [],
        risks: [],
        rejected: [],
        tasks: [
          {
            id: 't1',
            title: 'Keep the token',
            brief: 'Keep it.',
            files: ['src/token.js'],
            after: [],
            services: [],
          },
          {
            id: 't2',
            title: 'Say so',
            brief: 'Add a paragraph.\nAnd another.',
            files: ['docs/**'],
            after: ['t1'],
            services: [],
          },
        ],
        validation: [{name: 'test', command: 'npm test'}],
      },
      tasks: [
        {
          task: 't1',
          steps: [
            {line: 18, do: 'print', text: 'Reading src/token.js'},
            {line: 19, do: 'replace', path: 'src/token.js', find: 'old', with: ''},
            {line: 20, do: 'write', path: 'docs/token.md', text: ''},
            {line: 21, do: 'append', path: 'docs/token.md', text: 'one\n'},
            {line: 22, do: 'delete', path: 'docs/old.md'},
            {line: 23, do: 'run', command: 'npm run format', mayFail: false},
            {line: 24, do: 'run', command: 'npm run lint', mayFail: true},
            {line: 25, do: 'ask', question: 'Which port?', options: []},
            {line: 26, do: 'ask', question: 'Is ${answer} right?', options: ['yes', 'no']},
            {line: 27, do: 'wait', milliseconds: 300},
            {
              line: 28,
              do: 'report',
              report: {
                rootCause: 'It was ${answer}.',
                decisions: ['Keep the token'],
                rejected: [{alternative: 'A lock', reason: 'It outlives a crash.'}],
              },
            },
          ],
        },
        {task: 't2', steps: [{line: 34, do: 'fail', words: 'Too hard.'}]},
      ],
      repairs: [
        {
          task: 't1',
          steps: [
            {line: 37, do: 'wait', milliseconds: 2000},
            {line: 38, do: 'wait', milliseconds: 60_000},
            {line: 39, do: 'use', usage: {input: 48_210, output: 3120, cost: 0.19}},
          ],
        },
      ],
      planning: [
        {line: 41, do: 'print', text: 'Reading'},
        {line: 42, do: 'wait', milliseconds: 1000},
        {line: 43, do: 'use', usage: {input: 1, output: 0}},
      ],
    },
    problems: [],
  });
});

test('the objective may be said', () => {
  const {value, problems} = parsePlaybook(
    'plan: {objective: Do it., problem: p, rootCause: r, tasks: [{id: t1, title: a, brief: b, files: [c]}]}',
  );
  assert.deepEqual(problems, []);
  assert.equal(value.plan?.objective, 'Do it.');
});

test('a line break of Windows and a byte order mark make no difference', () => {
  assert.deepEqual(
    parsePlaybook(new TextEncoder().encode(`\uFEFF${whole.replaceAll('\n', '\r\n')}`)),
    parsePlaybook(whole),
  );
});

type Case = readonly [name: string, text: string, problems: RegExp];

const files: readonly Case[] = [
  ['nothing', '', /^1 the file: expected fields, .*, got nothing\. Change it\.$/],
  ['a list', '- print: x', /^1 the file: expected fields, .*, got a list/],
  ['an empty mapping', '{}', /^1 the file: expected a plan, steps, or both, got neither/],
  ['no YAML', 'tasks: {', /^\d Expected YAML/],
  ['a tab', 'tasks:\n\tt1: []', /^2 Expected spaces/],
  [
    'an unknown field',
    'tasks: {}\ntask: {}',
    /^2 task: is not a field here, so it is ignored\. Did you mean "tasks"\?$/,
  ],
  ['a field twice', 'tasks: {}\ntasks: {}', /^2 tasks: occurs a second time/],
  ['tasks that are a list', 'tasks:\n  - print: x', /^2 tasks: expected fields, .*, got a list/],
  [
    'a hidden character',
    'tasks: {t1: [{print: a\u202Eb}]}',
    /^1 Expected visible text, got hidden characters: U\+202E/,
  ],
];

const tasks: readonly Case[] = [
  ['a wrong id', '  one: []', /^2 tasks\.one: expected the id of a task, like t1/],
  [
    'names of the prototype',
    '  __proto__: []\n  constructor: []\n  toString: []\n  t0: []\n  t1000: []',
    /^2 tasks\.__proto__: .*\n3 tasks\.constructor: .*\n4 tasks\.toString: .*\n5 tasks\.t0: .*\n6 tasks\.t1000: [^\n]*$/,
  ],
  [
    'a task twice',
    '  t1: []\n  t1: []',
    /^3 tasks\.t1: occurs a second time; the first one counts/,
  ],
  ['a merge key', '  <<: {t1: []}', /^2 tasks\.<<: does not merge/],
  [
    'no list',
    '  t1:\n    print: x',
    /^3 tasks\.t1: expected a list of steps, each as "- print: words", got a mapping/,
  ],
  ['nothing', '  t1:', /^2 tasks\.t1: expected a list of steps, .*, got nothing/],
];

/** Each is the one step of t1, on line 3. */
const steps: readonly Case[] = [
  [
    'a text',
    'print',
    /^3 tasks\.t1\[0]: expected a step, like "print: words", got "print"\. Change it\.$/,
  ],
  ['an empty mapping', '{}', /^3 tasks\.t1\[0]: expected a step, got an empty mapping/],
  [
    'two things',
    'print: a\n      run: b',
    /^4 tasks\.t1\[0]: expected one thing to do, got "print" and "run"\. Make each a step of its own/,
  ],
  ['one thing twice', 'print: a\n      print: b', /^4 tasks\.t1\[0]\.print: occurs a second time/],
  [
    'an unknown kind',
    'echo: a',
    /^3 tasks\.t1\[0]: expected something that a step can do, got "echo"\. It can: print, replace, write, append, delete, run, ask, wait, fail, report, use\.$/,
  ],
  ['a misspelt kind', 'wirte: a', /got "wirte"\. Did you mean "write"\?$/],
  [
    'the prototype',
    '__proto__: {print: a}',
    /^3 tasks\.t1\[0]: expected something that a step can do, got "__proto__"/,
  ],
  ['the constructor', 'constructor: a', /got "constructor"/],
  [
    'an alias',
    'print: *a',
    /^3 tasks\.t1\[0]\.print: expected a text, got the alias \*a \(aliases are not followed\)\. Put it in quotes\.$/,
  ],
  ['a tag', 'print: !x a', /got a value with the tag !x/],
  [
    'print of nothing',
    'print:',
    /^3 tasks\.t1\[0]\.print: expected a text, got nothing\. Write it\.$/,
  ],
  ['print of a number', 'print: 3', /got 3\. Put it in quotes\.$/],
  [
    'replace of a text',
    'replace: a',
    /^3 tasks\.t1\[0]\.replace: expected the fields path, find, with, got "a"/,
  ],
  [
    'replace without all it needs',
    'replace:\n        find: a',
    /^4 tasks\.t1\[0]\.replace\.path: is missing\. Add it\.\n4 tasks\.t1\[0]\.replace\.with: is missing\. Add it\.$/,
  ],
  [
    'replace of nothing',
    'replace: {path: a, find: "", with: b}',
    /replace\.find: expected a text, got ""\. Write it\.$/,
  ],
  [
    'replace by the same',
    'replace: {path: a, find: b, with: b}',
    /replace: expected two texts that differ, got the same twice/,
  ],
  [
    'replace with a field too many',
    'replace: {path: a, find: b, with: c, regex: true}',
    /replace\.regex: is not a field here/,
  ],
  ['write without a text', 'write: {path: a}', /write\.text: is missing/],
  ['write of a list', 'write: {path: a, text: [b]}', /write\.text: expected a text, got a list/],
  ['append of nothing', 'append: {path: a, text: ""}', /append\.text: expected a text, got ""/],
  [
    'delete of a folder',
    'delete: src/',
    /^3 tasks\.t1\[0]\.delete: "src\/" is a folder; name a file\.$/,
  ],
  [
    'a path with an answer',
    'write: {path: "a/${answer}", text: b}',
    /write\.path: "a\/\$\{answer}" has \$\{answer} in it/,
  ],
  ['run of nothing', 'run: ""', /run: the command "" is empty/],
  ['run of a placeholder', 'run: TODO', /run: the command "TODO" is a placeholder/],
  ['run of two lines', 'run: "a\\nb"', /has line breaks/],
  ['run of a list', 'run: [npm, test]', /run: expected a command, got a list/],
  ['run without a command', 'run: {mayFail: true}', /run\.command: is missing/],
  [
    'run that may perhaps fail',
    'run: {command: a, mayFail: perhaps}',
    /run\.mayFail: expected true or false, got "perhaps"/,
  ],
  ['ask of nothing', 'ask: " "', /ask: expected one line without control or hidden characters/],
  ['ask over two lines', 'ask: "a\\nb"', /ask: expected one line/],
  ['ask without a question', 'ask: {options: [a, b]}', /ask\.question: is missing/],
  [
    'one option',
    'ask: {question: a, options: [b]}',
    /ask\.options: expected a list of 2 to 20 answers, got 1 of them/,
  ],
  [
    'an option twice',
    'ask: {question: a, options: [b, b]}',
    /ask\.options: expected answers that differ/,
  ],
  [
    'options that are numbers',
    'ask: {question: a, options: [1, 2]}',
    /ask\.options\[0]: expected a text, got 1\. Put it in quotes\.\n3 tasks\.t1\[0]\.ask\.options\[1]: [^\n]*$/,
  ],
  [
    'wait without a unit',
    'wait: 300',
    /wait: expected a time like 300ms, 2s or 1m, from 1ms to 60m, got 300/,
  ],
  ['wait for too long', 'wait: 61m', /got "61m"/],
  ['no wait', 'wait: 0ms', /got "0ms"/],
  ['wait in hours', 'wait: 1h', /got "1h"/],
  ['fail without words', 'fail: ""', /fail: expected a text, got ""/],
  [
    'a report of words',
    'report: all went well',
    /report: expected the fields rootCause, decisions, rejected, got "all went well"/,
  ],
  [
    'a report with a list that is none',
    'report: {decisions: a}',
    /report\.decisions: expected a list of at most 50, got "a"/,
  ],
  [
    'half an alternative',
    'report: {rejected: [{alternative: a}]}',
    /report\.rejected\[0]\.reason: is missing/,
  ],
  [
    'an alternative with a field that it does not have',
    'report: {rejected: [{alternative: a, reason: b, cost: 3}]}',
    /report\.rejected\[0]\.cost: is not a field here\. Leave it out\./,
  ],
  [
    'an alternative with a field twice',
    'report: {rejected: [{alternative: a, reason: b, reason: c}]}',
    /report\.rejected\[0]\.reason: occurs a second time; the first one counts/,
  ],
  [
    'two reports',
    'report: {rootCause: a}\n    - report: {rootCause: b}',
    /^4 tasks\.t1\[1]: is a second report/,
  ],
  [
    'use without all it needs',
    'use: {input: 3}',
    /^3 tasks\.t1\[0]\.use\.output: is missing\. Add it\.$/,
  ],
  [
    'use of half a token',
    'use: {input: 0.5, output: 1}',
    /use\.input: expected a whole number from 0 to 1000000000, got 0\.5\. Change it\.$/,
  ],
  [
    'use of less than nothing',
    'use: {input: 1, output: 1, cost: -1}',
    /use\.cost: expected dollars from 0 to 1000000, like 0\.19, got -1\. Change it\.$/,
  ],
  [
    'an answer to no question',
    'print: "${answer}"',
    /^3 tasks\.t1\[0]: has \$\{answer}, but nothing was asked before\. Add an "ask:" above, or write \$\$\{answer} for the words themselves\.$/,
  ],
  [
    'an answer before the question',
    'run: echo ${answer}\n    - ask: What?',
    /^3 tasks\.t1\[0]: has \$\{answer}/,
  ],
];

for (const [name, path] of [
  ['absolute', '/etc/passwd'],
  ['at home', '~/x'],
  ['above', '../x'],
  ['above within', 'a/../../x'],
  ['a backslash', 'a\\\\b'],
  ['git', '.git/config'],
  ['git in capitals', 'a/.GIT/hooks/x'],
  ['git by its short name', 'GIT~1/config'],
  ['attributes', '.gitattributes'],
  ['submodules', '.gitmodules'],
  ['a NUL', 'a\\0b'],
  ['a drive', 'C:/x'],
] as const) {
  test(`the path is refused where it is read: ${name}`, () => {
    for (const step of [
      `write: {path: "${path}", text: a}`,
      `append: {path: "${path}", text: a}`,
      `replace: {path: "${path}", find: a, with: b}`,
      `delete: "${path}"`,
    ]) {
      const {value, problems} = parsePlaybook(`tasks:\n  t1:\n    - ${step}\n`);
      assert.deepEqual(value.tasks, [{task: 't1', steps: []}]);
      assert.deepEqual(
        problems.map(({line}) => line),
        [3],
      );
      assert.match(problems[0]!.text, /^tasks\.t1\[0]\.[a-z.]+: ".*" /);
    }
  });
}

test('files that only look like git’s own are ordinary', () => {
  assert.deepEqual(
    parsePlaybook(
      'tasks: {t1: [{delete: .gitignore}, {delete: .github/a.yml}, {delete: "app/[id].tsx"}]}',
    ).problems,
    [],
  );
});

const plans: readonly Case[] = [
  ['of words', 'plan: do it', /^1 the plan: expected an object/],
  ['without tasks', 'plan:\n  problem: a\n  rootCause: b', /^2 plan\.tasks: is missing/],
  [
    'with a wrong field deep inside',
    'plan:\n  problem: a\n  rootCause: b\n  tasks:\n    - id: t1\n      title: a\n      brief: b\n      files:\n        - src/a.js\n        - ../b.js',
    /^10 plan\.tasks\[0]\.files\[1]: "\.\.\/b\.js" leaves its folder/,
  ],
  [
    'with a number for a text',
    'plan:\n  problem: 3\n  rootCause: b\n  tasks: [{id: t1, title: a, brief: b, files: [c]}]',
    /^2 plan\.problem: expected a text in quotes, got 3/,
  ],
  [
    'with a field that nobody reads',
    'plan:\n  problem: a\n  rootCause: b\n  tasks: [{id: t1, title: a, brief: b, files: [c]}]\n  colour: red',
    /^5 plan\.colour: "colour" is not a field of a plan/,
  ],
  [
    'with a name of the prototype',
    'plan:\n  problem: a\n  __proto__: {tasks: []}',
    /^3 plan\.__proto__: a plan has no such field, and its name is not allowed/,
  ],
  [
    'with an alias',
    'plan:\n  problem: &a a\n  rootCause: *a',
    /\n3 plan\.rootCause: expected what a plan may hold, got the alias \*a/,
  ],
  [
    'with a task that waits for itself',
    'plan:\n  problem: a\n  rootCause: b\n  tasks:\n    - {id: t1, title: a, brief: b, files: [c], after: [t1]}',
    /^5 plan\.tasks\[0]\.after\[0]: "t1" would wait for itself/,
  ],
  [
    'that lacks a task which has steps',
    'plan:\n  problem: a\n  rootCause: b\n  tasks: [{id: t1, title: a, brief: b, files: [c]}]\ntasks:\n  t1: []\n  t2: []',
    /^7 tasks\.t2: the plan has no such task\. Its tasks are: t1\.$/,
  ],
];

for (const [title, cases, textOf] of [
  ['a file:', files, (text: string) => text],
  ['tasks:', tasks, (text: string) => `tasks:\n${text}`],
  ['a step:', steps, (text: string) => `tasks:\n  t1:\n    - ${text}\n`],
  ['a plan', plans, (text: string) => text],
] as const) {
  describe(`is reported with its line: ${title}`, () => {
    for (const [name, text, expected] of cases) {
      test(name, () => {
        assert.match(
          parsePlaybook(textOf(text))
            .problems.map((problem) => `${problem.line} ${problem.text}`)
            .join('\n'),
          expected,
        );
      });
    }
  });
}

test('a planner prints, waits and counts; everything else belongs to a task', () => {
  const {problems} = parsePlaybook(
    'planning:\n  - write: {path: a, text: b}\ntasks: {t1: [{print: a}]}\n',
  );
  assert.deepEqual(
    problems.map(({line, text}) => `${line} ${text}`),
    [
      '2 planning: expected a plan that it leads to, got none. Add "plan:".',
      '2 planning: expected print, wait, use, got "write". A planner changes nothing and asks nobody; move it to a task.',
    ],
  );
});

test('1 MB of playbook is refused with words', () => {
  const {value, problems} = parsePlaybook(`tasks:\n  t1:\n${'    - print: x\n'.repeat(70_000)}`);
  assert.deepEqual(value, {planning: [], tasks: [], repairs: []});
  assert.deepEqual(problems, [
    {
      line: 1,
      text: `Expected at most 256 kB (${maxDocumentBytes} bytes) of text, got more. Nothing of it was read; make it shorter.`,
    },
  ]);
});

test('the answer is put in once, and stays what it was', () => {
  assert.equal(
    withAnswer('a ${answer} $${answer} ${answer}${other}', '$& ${answer} $1'),
    'a $& ${answer} $1 ${answer} $& ${answer} $1${other}',
  );
});

test('nothing reached the prototype of all objects', () => {
  assert.deepEqual(Object.keys(Object.prototype), []);
});
