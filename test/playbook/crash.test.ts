import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {type TestContext, before, test} from 'node:test';
import {bundleProgram} from '../support/bundle-program.ts';
import {type Scene, createScene, notesIn, treeOf} from './support/scene.ts';

let player = '';
before(async () => {
  player = await bundleProgram('test/playbook/programs/play.ts');
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

function start(scene: Scene, endsAt = 0): {readonly code: number | null; readonly said: string} {
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [player, '--playbook', scene.playbook, '--task', 't1', '--outcome-file', scene.outcomeFile],
    {
      cwd: scene.directory,
      env: {PATH: process.env['PATH'], ENDS_AT: String(endsAt)},
      encoding: 'utf8',
    },
  );
  assert.equal(stderr, '');
  return {code: status, said: stdout};
}

function assertDone(scene: Scene): void {
  assert.deepEqual(treeOf(scene.directory), expected);
  assert.deepEqual(JSON.parse(readFileSync(scene.outcomeFile, 'utf8')), {
    at: 'finished',
    words: 'Followed the playbook for t1: 17 steps.',
    report: {rootCause: 'A cause.'},
  });
  assert.deepEqual(notesIn(scene), ['orchestra-playbook.json']);
}

test('killed whenever it says something, and started again, it ends in the same tree', (t) => {
  const undisturbed = createScene(t, playbook, files);
  assert.equal(start(undisturbed).code, 0);
  assertDone(undisturbed);

  let kills = 0;
  for (let at = 1; ; at += 1) {
    const scene = createScene(t, playbook, files);
    const {code} = start(scene, at);
    if (code === 0) break;
    assert.equal(code, null);
    // Until the very last word nothing may look finished.
    assert.equal(existsSync(scene.outcomeFile), false);
    assert.equal(start(scene).code, 0);
    assertDone(scene);
    kills += 1;
  }

  t.diagnostic(`${kills} places`);
  assert.ok(kills > 17);
});

test('killed again and again, each time a little later, it still gets there', (t) => {
  for (const patience of [5, 6, 8]) {
    const scene = createScene(t, playbook, files);
    let starts = 1;
    while (starts < 40 && start(scene, patience).code !== 0) starts += 1;
    assertDone(scene);
    assert.ok(starts > 3, `${starts} starts`);
  }
});

test('started once more when all is done, it does nothing twice', (t) => {
  const scene = createScene(t, playbook, files);
  start(scene);
  assert.match(
    start(scene).said,
    /^playbook: t1, attempt 1, 17 steps\nplaybook: the first 17 of them are done already\nplaybook: done\./,
  );
  assertDone(scene);
});

test('killed while a command runs, it runs the command again and nothing before it', (t) => {
  const scene = createScene(
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
  assert.equal(start(scene).code, null);
  const again = start(scene);
  assert.equal(again.code, 0);
  assert.match(
    again.said,
    /^playbook: t1, attempt 1, 4 steps\nplaybook: the first 2 of them are done already\n\[3\/4] run/,
  );
  assert.deepEqual(treeOf(scene.directory), {
    'before.txt': 'x',
    'during.txt': 'yy',
    'list.txt': 'one\ntwo\n',
  });
});

function killedInTheMiddle(t: TestContext): Scene {
  const scene = createScene(t, playbook, files);
  assert.equal(start(scene, 20).code, null);
  assert.deepEqual(notesIn(scene), ['orchestra-playbook.json']);
  return scene;
}

test('when the worktree was reset in between, it begins at the first step', (t) => {
  const scene = killedInTheMiddle(t);
  execFileSync('git', ['reset', '--quiet', '--hard'], {cwd: scene.directory});
  execFileSync('git', ['clean', '--quiet', '-fd'], {cwd: scene.directory});
  assert.equal(start(scene).code, 0);
  assertDone(scene);
});

test('when the playbook was changed in between, it begins at the first step', (t) => {
  const scene = killedInTheMiddle(t);
  writeFileSync(scene.playbook, 'tasks: {t1: [{write: {path: new.txt, text: new}}]}');
  assert.match(start(scene).said, /^playbook: t1, attempt 1, 1 step\n\[1\/1] write new\.txt\n/);
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
    const scene = createScene(t, playbook, files);
    writeFileSync(
      path.join(scene.repository, '.git/worktrees/worktree/orchestra-playbook.json'),
      text,
    );
    assert.equal(start(scene).code, 0);
    assertDone(scene);
  });
}

test('where nothing can be noted, it says so and works', (t) => {
  const scene = createScene(
    t,
    'tasks: {t1: [{write: {path: a, text: b}}, {write: {path: c, text: d}}]}',
  );
  // A folder of that name: also root cannot rename a file over it.
  execFileSync('mkdir', [
    '-p',
    path.join(scene.repository, '.git/worktrees/worktree/orchestra-playbook.json/x'),
  ]);
  const {code, said} = start(scene);
  assert.equal(code, 0);
  assert.equal(
    said
      .split('\n')
      .filter(
        (line) =>
          line ===
          'playbook: cannot note how far it has come; after a crash it begins again at the first step',
      ).length,
    1,
  );
  assert.deepEqual(treeOf(scene.directory), {a: 'b', c: 'd'});
});
