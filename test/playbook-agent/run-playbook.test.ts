import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {test} from 'node:test';
import {parsePlanFromOutput} from '../../source/plan/index.ts';
import {paintText} from '../../source/playbook-agent/show-line.ts';
import {createFixture, getTree, notesIn, play} from './support/fixture.ts';

const plan = `
plan:
  problem: Tokens are refreshed twice.
  rootCause: The retry recreates an expired token.
  tasks:
    - {id: t1, title: "Keep \`\`\`json the token", brief: "a\\n\`\`\`\\nb", files: [src/token.js]}
`;

test('to plan prints the plan as the last block, and writes nothing anywhere', async (t) => {
  const fixture = createFixture(t, plan, {'a.txt': 'a'});
  const {code, text, outcome} = await play(fixture, {mode: 'plan'});
  assert.equal(code, 0);
  assert.equal(outcome, undefined);
  assert.deepEqual(getTree(fixture.directory), {'a.txt': 'a'});
  assert.deepEqual(notesIn(fixture), []);
  const {value, problems} = parsePlanFromOutput(text.replaceAll('\n', '\r\n'), {
    objective: 'Stop it.',
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    [value?.objective, value?.tasks[0]?.title, value?.tasks[0]?.brief],
    ['Stop it.', 'Keep ```json the token', 'a\n```\nb'],
  );
});

test('text is wrapped at words to the width of the terminal, the plan is not', async (t) => {
  const shown = 'Reading the middleware that validates a card before it is charged';
  const fixture = createFixture(t, `${plan}planning: [{print: ${shown}}]`);
  let columns = 30;
  const planned = await play(fixture, {mode: 'plan', columns: () => columns});
  const [before = '', after = ''] = planned.text.split('```json');
  assert.ok(
    before.split('\n').every((line) => line.length <= columns),
    before,
  );
  assert.ok(before.replaceAll('\n', ' ').includes(shown), before);
  assert.ok(
    after.split('\n').some((line) => line.length > columns),
    after,
  );
  assert.equal(
    paintText('  + a line that was added', {color: true, columns: 14}),
    ['  + a line', '  that was', '  added'].map((row) => `\u001B[32m${row}\u001B[0m`).join('\n'),
  );
  columns = 200;
  assert.ok((await play(fixture, {mode: 'plan', columns: () => columns})).text.includes(shown));
});

test('without a plan it says so', async (t) => {
  const {code, text} = await play(createFixture(t, 'tasks: {t1: [{print: a}]}'), {mode: 'plan'});
  assert.equal(code, 2);
  assert.match(text, /playbook\.yaml has no plan\. Add "plan:", or let another agent plan\.\n$/);
});

const work = `
tasks:
  t1:
    - print: "Reading \\e[31m src"
    - replace: {path: src/token.js, find: "old $& $1", with: "new $& $1"}
    - write: {path: docs/deep/token.md, text: "# Token\\n"}
    - append: {path: docs/deep/token.md, text: "More.\\n"}
    - append: {path: log.txt, text: "$\${answer}\\n"}
    - delete: gone.txt
    - delete: never.txt
    - run: printf formatted > formatted.txt
    - run: {command: exit 7, mayFail: true}
    - wait: 1ms
    - report: {rootCause: A typo., decisions: [Fixed it], rejected: [{alternative: Nothing, reason: Too little}]}
repairs:
  t1:
    - replace: {path: src/token.js, find: new, with: newer}
`;

test('to work does the steps in order and says each', async (t) => {
  const fixture = createFixture(t, work, {'src/token.js': 'old $& $1 old $& $1', 'gone.txt': 'x'});
  const {code, text, outcome} = await play(fixture);
  assert.equal(code, 0);
  assert.deepEqual(getTree(fixture.directory), {
    'docs/deep/token.md': '# Token\nMore.\n',
    'formatted.txt': 'formatted',
    'log.txt': '${answer}\n',
    'src/token.js': 'new $& $1 new $& $1',
  });
  assert.deepEqual(outcome, {
    at: 'finished',
    words: 'Followed the playbook for t1: 11 steps.',
    report: {
      rootCause: 'A typo.',
      decisions: ['Fixed it'],
      rejected: [{alternative: 'Nothing', reason: 'Too little'}],
    },
  });
  assert.deepEqual(text.split('\n'), [
    '· playbook · t1 · try 1 · 11 steps',
    'Reading \\u{1b}[31m src',
    '● Edit src/token.js ✓ +1 -1',
    '  - old $& $1 old $& $1',
    '  + new $& $1 new $& $1',
    '● Write docs/deep/token.md ✓ +1',
    '  + # Token',
    '● Edit docs/deep/token.md ✓ +1',
    '  + More.',
    '● Edit log.txt ✓ +1',
    '  + ${answer}',
    '● Delete gone.txt ✓ -1',
    '  - x',
    '● Delete never.txt ✓',
    '● Bash printf formatted > formatted.txt',
    '● Bash exit 7',
    '  ✗ exit code 7',
    '─ done · Followed the playbook for t1: 11 steps.',
    '',
  ]);
  assert.deepEqual(notesIn(fixture), ['orchestra-playbook.json']);
  assert.equal(statSync(fixture.outcomeFile).mode & 0o777, 0o600);
});

test('a repair follows its own steps, and so does every attempt after it', async (t) => {
  for (const attempt of [2, 3]) {
    const fixture = createFixture(t, work, {'src/token.js': 'new'});
    const {code} = await play(fixture, {attempt});
    assert.deepEqual([code, getTree(fixture.directory)], [0, {'src/token.js': 'newer'}]);
  }
});

test('without steps it gives up and says so', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{print: a}]}');
  const none = await play(fixture, {task: 't2'});
  assert.deepEqual(
    [none.code, none.outcome],
    [1, {at: 'gave-up', words: 'The playbook has no steps for t2 under "tasks".'}],
  );
  const unrepaired = await play(fixture, {attempt: 2});
  assert.deepEqual(
    [unrepaired.code, unrepaired.outcome],
    [
      1,
      {
        at: 'gave-up',
        words: 'The playbook has no steps for t1 under "repairs", so it cannot repair what failed.',
      },
    ],
  );
  for (const task of ['__proto__', 'constructor', ''])
    assert.equal((await play(fixture, {task})).outcome?.at, 'gave-up');
});

test('fail gives up with its words', async (t) => {
  const fixture = createFixture(
    t,
    'tasks:\n  t1:\n    - fail: The API has changed.\n    - write: {path: a, text: b}',
  );
  const {code, outcome} = await play(fixture);
  assert.deepEqual(
    [code, outcome, getTree(fixture.directory)],
    [1, {at: 'gave-up', words: 't1 step 1 (line 3): The API has changed.'}, {}],
  );
});

test('a command that fails ends it with its status', async (t) => {
  const {code, outcome} = await play(
    createFixture(t, 'tasks: {t1: [{run: exit 7}, {print: never}]}'),
  );
  assert.deepEqual(
    [code, outcome],
    [7, {at: 'failed', words: 't1 step 1 (line 1): The command "exit 7" exited with code 7.'}],
  );
  assert.equal((await play(createFixture(t, 'tasks: {t1: [{run: kill -9 $$}]}'))).code, 137);
});

test('a text that is not there, and nothing that replaced it, is a failure', async (t) => {
  const fixture = createFixture(
    t,
    'tasks: {t1: [{replace: {path: a.txt, find: "x\\ny", with: z}}]}',
    {
      'a.txt': 'abc',
    },
  );
  const {code, outcome} = await play(fixture);
  assert.deepEqual(
    [code, outcome],
    [
      1,
      {
        at: 'failed',
        words: String.raw`t1 step 1 (line 1): a.txt: expected to find "x\ny", but neither it nor its replacement is there. Check the file: it changed, or the white space differs.`,
      },
    ],
  );
});

test('what cannot be changed is a failure with its reason', async (t) => {
  const cases: readonly (readonly [step: string, message: RegExp])[] = [
    [
      'replace: {path: none, find: a, with: b}',
      /none: expected a file to replace text in, got none/,
    ],
    ['write: {path: folder, text: a}', /folder is a folder\. Name a file\./],
    ['delete: folder', /folder is a folder/],
    ['write: {path: a.txt/b, text: a}', /Write a\.txt\/b: (?:EEXIST|ENOTDIR)/],
    ['replace: {path: bytes, find: a, with: b}', /bytes: expected UTF-8 text/],
  ];
  for (const [step, text] of cases) {
    const fixture = createFixture(t, `tasks: {t1: [{${step}}]}`, {'a.txt': 'a', 'folder/x': 'x'});
    writeFileSync(path.join(fixture.directory, 'bytes'), Uint8Array.of(0x61, 0xff));
    const {code, outcome} = await play(fixture);
    assert.equal(code, 1);
    assert.match(outcome?.words ?? '', text);
  }
});

test('a file that can be run still can be, and a link within is followed', async (t) => {
  const fixture = createFixture(
    t,
    'tasks: {t1: [{replace: {path: bin/run, find: a, with: b}}, {append: {path: link.txt, text: "!"}}]}',
    {'bin/run': 'a', 'real.txt': 'r'},
  );
  chmodSync(path.join(fixture.directory, 'bin/run'), 0o755);
  symlinkSync('real.txt', path.join(fixture.directory, 'link.txt'));
  assert.equal((await play(fixture)).code, 0);
  assert.deepEqual(getTree(fixture.directory), {
    'bin/run': 'x b',
    'link.txt': '→ real.txt',
    'real.txt': 'r!',
  });
});

test('a playbook with a mistake is not followed at all', async (t) => {
  const fixture = createFixture(
    t,
    'tasks:\n  t1:\n    - write: {path: a, text: b}\n    - wirte: {path: c, text: d}\n',
  );
  const {code, outcome} = await play(fixture);
  assert.equal(code, 2);
  assert.equal(outcome?.at, 'failed');
  assert.match(
    outcome.words,
    /^The playbook has mistakes, so nothing of it was done\.\n.*playbook\.yaml:4: tasks\.t1\[1]: .*Did you mean "write"\?$/,
  );
  assert.deepEqual(getTree(fixture.directory), {});
});

test('a playbook that is not there, no file, or too long is refused with words', async (t) => {
  const fixture = createFixture(t, `tasks:\n  t1:\n${'    - print: x\n'.repeat(70_000)}`);
  const text = async (playbook: string): Promise<string> => {
    const {code, outcome} = await play(fixture, {playbook});
    assert.equal(code, 2);
    return outcome?.words ?? '';
  };

  assert.match(await text(fixture.playbook), /playbook\.yaml:1: Expected at most 256 kB/);
  assert.match(
    await text('/nowhere/at.all'),
    /^Expected a playbook in \/nowhere\/at\.all, but it is not there\.$/,
  );
  assert.match(
    await text(fixture.directory),
    /^Expected a playbook in .*, but it is not a regular file: it is a directory\.$/,
  );
});

test('an outcome that cannot be written is said, and what an earlier start left is gone', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{print: a}]}');
  const nowhere = await play(fixture, {outcomeFile: '/nowhere/outcome.json'});
  assert.equal(nowhere.code, 0);
  assert.match(
    nowhere.text,
    /· the outcome could not be written: ENOENT: no such file or directory\n$/,
  );
  mkdirSync(path.join(path.dirname(fixture.outcomeFile), 'empty'));
  writeFileSync(fixture.outcomeFile, '{"at":"finished","words":"old"}');
  assert.deepEqual((await play(fixture, {task: 't9'})).outcome?.at, 'gave-up');
  assert.deepEqual(readdirSync(path.dirname(fixture.outcomeFile)).toSorted(), [
    'empty',
    'outcome.json',
    'playbook.yaml',
    'repository',
    'worktree',
  ]);
});

test('what was used is added up, shown while it works, and part of the outcome', async (t) => {
  const use = '{use: {input: 1000, output: 200, cost: 0.25}}';
  const fixture = createFixture(
    t,
    `{plan: {problem: p, rootCause: r, tasks: [{id: t1, title: a, brief: b, files: [c]}]}, planning: [${use}], tasks: {t1: [${use}, {use: {input: 1, output: 0}}, {run: 'cat ../activity.json > seen'}]}}`,
  );
  const usage = {input: 1001, output: 200, cost: 0.25};
  const worked = await play(fixture);
  assert.deepEqual([worked.code, worked.outcome?.usage], [0, usage]);
  assert.match(worked.text, /─ done · .* · 1k tokens · \$0\.25\n$/);
  assert.deepEqual(JSON.parse(readFileSync(path.join(fixture.directory, 'seen'), 'utf8')), {usage});
  const planned = await play(fixture, {mode: 'plan'});
  assert.deepEqual(planned.outcome, {
    at: 'finished',
    words: 'Printed the plan.',
    usage: {input: 1000, output: 200, cost: 0.25},
  });
});

test('with colours only the signs and the diff are painted', async (t) => {
  const fixture = createFixture(
    t,
    "tasks: {t1: [{print: '● Read a ✓ 3 lines'}, {write: {path: a, text: b}}]}",
  );
  const {text} = await play(fixture, {color: true});
  assert.match(text, /\u001B\[32m●\u001B\[0m Read a \u001B\[32m✓\u001B\[0m 3 lines\n/);
  assert.match(text, /\u001B\[32m {2}\+ b\u001B\[0m\n/);
});

test('outside of any repository it works as well, and notes nothing', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{write: {path: a, text: b}}]}');
  rmSync(path.join(fixture.directory, '.git'));
  assert.equal((await play(fixture)).code, 0);
  assert.deepEqual(readdirSync(fixture.directory), ['a']);
});
