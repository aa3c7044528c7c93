import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {type TestContext, before, test} from 'node:test';
import {bundleProgram} from '../support/bundle-program.ts';
import {createFixture, type Fixture, getTree, notesIn} from './support/fixture.ts';

let player = '';
before(async () => {
  player = await bundleProgram('test/playbook-agent/programs/play.ts');
});

/** Steps of which none can be done twice, or be told by the file alone to be done. */
const playbook = `
tasks:
  t1:
    - print: Begin
    - replace: {path: chain.txt, find: a, with: b}
    - replace: {path: chain.txt, find: b, with: c}
    - replace: {path: chain.txt, find: c, with: cc}
    - replace: {path: less.txt, find: " less", with: ""}
    - append: {path: list.txt, text: "one\\n"}
    - append: {path: list.txt, text: "two\\n"}
    - append: {path: list.txt, text: "one\\n"}
    - run: printf x >> runs.txt
    - write: {path: back.txt, text: first}
    - write: {path: back.txt, text: second}
    - replace: {path: back.txt, find: second, with: first}
    - delete: gone.txt
    - write: {path: gone.txt, text: here again}
    - run: "sed s/here/there/ gone.txt > sed.txt && mv sed.txt gone.txt"
    - wait: 1ms
    - report: {rootCause: A cause.}
`;
const files = {'chain.txt': 'a', 'less.txt': 'more less', 'gone.txt': 'x'};
const expected = {
  'back.txt': 'first',
  'chain.txt': 'cc',
  'gone.txt': 'there again',
  'less.txt': 'more',
  'list.txt': 'one\ntwo\none\n',
  'runs.txt': 'x',
};

function start(
  fixture: Fixture,
  endsAt = 0,
): {readonly code: number | null; readonly text: string} {
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [player, '--playbook', fixture.playbook, '--task', 't1', '--outcome-file', fixture.outcomeFile],
    {
      cwd: fixture.directory,
      env: {PATH: process.env['PATH'], ENDS_AT: String(endsAt)},
      encoding: 'utf8',
    },
  );
  assert.equal(stderr, '');
  return {code: status, text: stdout};
}

function assertDone(fixture: Fixture): void {
  assert.deepEqual(getTree(fixture.directory), expected);
  assert.deepEqual(JSON.parse(readFileSync(fixture.outcomeFile, 'utf8')), {
    at: 'finished',
    words: 'Followed the playbook for t1: 17 steps.',
    report: {rootCause: 'A cause.'},
  });
  assert.deepEqual(notesIn(fixture), ['orchestra-playbook.json']);
}

test('killed whenever it says something, and started again, it ends in the same tree', (t) => {
  const undisturbed = createFixture(t, playbook, files);
  assert.equal(start(undisturbed).code, 0);
  assertDone(undisturbed);

  let kills = 0;
  for (let at = 1; ; at += 1) {
    const fixture = createFixture(t, playbook, files);
    const {code} = start(fixture, at);
    if (code === 0) break;
    assert.equal(code, null);
    // Until the very last word nothing may look finished.
    assert.equal(existsSync(fixture.outcomeFile), false);
    assert.equal(start(fixture).code, 0);
    assertDone(fixture);
    kills += 1;
  }

  t.diagnostic(`${kills} places`);
  assert.ok(kills >= 17);
});

test('killed again and again, each time a little later, it still gets there', (t) => {
  for (const patience of [4, 5, 6]) {
    const fixture = createFixture(t, playbook, files);
    let starts = 1;
    while (starts < 40 && start(fixture, patience).code !== 0) starts += 1;
    assertDone(fixture);
    assert.ok(starts > 3, `${starts} starts`);
  }
});

test('started once more when all is done, it does nothing twice', (t) => {
  const fixture = createFixture(t, playbook, files);
  start(fixture);
  assert.match(
    start(fixture).text,
    /^· playbook · t1 · try 1 · 17 steps\n· the first 17 steps are already done\n─ done · /,
  );
  assertDone(fixture);
});

test('killed while a command runs, it runs the command again and nothing before it', (t) => {
  const fixture = createFixture(
    t,
    `
tasks:
  t1:
    - append: {path: list.txt, text: "one\\n"}
    - run: printf x >> before.txt
    - run: 'printf y >> during.txt; test -e ../once || { touch ../once; kill -9 $PPID; }'
    - append: {path: list.txt, text: "two\\n"}
`,
  );
  assert.equal(start(fixture).code, null);
  const again = start(fixture);
  assert.equal(again.code, 0);
  assert.match(
    again.text,
    /^· playbook · t1 · try 1 · 4 steps\n· the first 2 steps are already done\n● Bash printf y/,
  );
  assert.deepEqual(getTree(fixture.directory), {
    'before.txt': 'x',
    'during.txt': 'yy',
    'list.txt': 'one\ntwo\n',
  });
});

function killedInTheMiddle(t: TestContext): Fixture {
  const fixture = createFixture(t, playbook, files);
  assert.equal(start(fixture, 10).code, null);
  assert.deepEqual(notesIn(fixture), ['orchestra-playbook.json']);
  return fixture;
}

test('when the worktree was reset in between, it begins at the first step', (t) => {
  const fixture = killedInTheMiddle(t);
  execFileSync('git', ['reset', '--quiet', '--hard'], {cwd: fixture.directory});
  execFileSync('git', ['clean', '--quiet', '-fd'], {cwd: fixture.directory});
  assert.equal(start(fixture).code, 0);
  assertDone(fixture);
});

test('when the playbook was changed in between, it begins at the first step', (t) => {
  const fixture = killedInTheMiddle(t);
  writeFileSync(fixture.playbook, 'tasks: {t1: [{write: {path: new.txt, text: new}}]}');
  assert.match(start(fixture).text, /^· playbook · t1 · try 1 · 1 step\n● Write new\.txt ✓ \+1\n/);
});

for (const [name, text] of [
  ['cut off', '{"of":"'],
  ['of the wrong shape', '{"of":1}'],
  [
    'hostile',
    '{"__proto__":{"done":17},"of":"x","done":99,"answer":"","files":[{"path":"../../x","first":null,"last":"y"}]}',
  ],
  ['empty', ''],
] as const) {
  test(`notes that are ${name} count for nothing`, (t) => {
    const fixture = createFixture(t, playbook, files);
    writeFileSync(
      path.join(fixture.repository, '.git/worktrees/worktree/orchestra-playbook.json'),
      text,
    );
    assert.equal(start(fixture).code, 0);
    assertDone(fixture);
  });
}

test('where nothing can be noted, it says so and works', (t) => {
  const fixture = createFixture(
    t,
    'tasks: {t1: [{write: {path: a, text: b}}, {write: {path: c, text: d}}]}',
  );
  // A folder of that name: also root cannot rename a file over it.
  execFileSync('mkdir', [
    '-p',
    path.join(fixture.repository, '.git/worktrees/worktree/orchestra-playbook.json/x'),
  ]);
  const {code, text} = start(fixture);
  assert.equal(code, 0);
  assert.equal(
    text
      .split('\n')
      .filter(
        (line) =>
          line === '· cannot record its progress; after a crash it starts again at the first step',
      ).length,
    1,
  );
  assert.deepEqual(getTree(fixture.directory), {a: 'b', c: 'd'});
});
