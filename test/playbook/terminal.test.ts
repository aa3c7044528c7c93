import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {type TestContext, before, test} from 'node:test';
import {readBlocked} from '../../source/machine/index.ts';
import {kernel, takeSample} from '../machine/support/here.ts';
import {type Actor, createActor} from '../machine/support/stage.ts';
import {eventually} from '../support/eventually.ts';
import {bundleProgram} from '../support/bundle-program.ts';
import {type Scene, createScene, treeOf} from './support/scene.ts';

let player = '';
before(async () => {
  player = await bundleProgram('test/playbook/programs/play.ts');
});

async function start(t: TestContext, scene: Scene, attempt = 1): Promise<Actor> {
  return createActor(
    t,
    [
      process.execPath,
      player,
      '--playbook',
      scene.playbook,
      '--task',
      't1',
      '--attempt',
      String(attempt),
      '--outcome-file',
      scene.outcomeFile,
    ],
    {cwd: scene.directory},
  );
}

async function isProven({root, promptLine}: Actor): Promise<boolean> {
  const {verdict, proof, secret} = await readBlocked(
    {root: root.identity, sample: await takeSample(), promptLine: promptLine()},
    kernel,
  );
  return verdict === 'blocked' && proof === 'proven' && !secret;
}

function outcomeOf({outcomeFile}: Scene): unknown {
  return existsSync(outcomeFile) ? JSON.parse(readFileSync(outcomeFile, 'utf8')) : undefined;
}

test('a question is proven to wait for a person; its answer goes into texts and, as a variable, into commands', async (t) => {
  const scene = createScene(
    t,
    `
tasks:
  t1:
    - ask: Which port?
    - write: {path: port.txt, text: "port \${answer}"}
    - run: 'printf %s "\${answer}" > shell.txt'
    - print: It is \${answer}.
    - report: {decisions: ["Port \${answer}"]}
`,
  );
  const actor = await start(t, scene);
  await eventually(
    'it is proven to wait',
    async () => actor.promptLine().trim() === 'Which port?' && (await isProven(actor)),
  );
  actor.type('4000; touch evil $(touch evil)\r');
  await eventually('it ends', () => actor.hasExited());
  assert.deepEqual(treeOf(scene.directory), {
    'port.txt': 'port 4000; touch evil $(touch evil)',
    'shell.txt': '4000; touch evil $(touch evil)',
  });
  assert.match(actor.screen(), /^It is 4000; touch evil \$\(touch evil\)\.$/m);
  assert.deepEqual(outcomeOf(scene), {
    at: 'finished',
    words: 'Followed the playbook for t1: 5 steps.',
    report: {decisions: ['Port 4000; touch evil $(touch evil)']},
  });
});

test('of options, one is taken by its number or its words, and nothing else is', async (t) => {
  const scene = createScene(
    t,
    `
tasks:
  t1:
    - ask: {question: Which one?, options: [red, "2", blue]}
    - append: {path: answers.txt, text: "\${answer}\\n"}
    - ask: {question: And now?, options: [red, "2", blue]}
    - append: {path: answers.txt, text: "\${answer}\\n"}
    - ask: {question: At last?, options: [red, "2", blue]}
    - append: {path: answers.txt, text: "\${answer}\\n"}
`,
  );
  const actor = await start(t, scene);
  const answer = async (question: string, line: string): Promise<void> => {
    await eventually(
      `it asks ${question}`,
      async () => actor.promptLine().trim() === question && (await isProven(actor)),
    );
    actor.type(line);
  };

  await answer('Which one?', 'green\r');
  await eventually('it says what it expects', () =>
    actor.screen().includes('Expected a number from 1 to 3, or the answer itself.'),
  );
  await answer('Which one?', '3\r');
  // The words come before the number: "2" is what the second is called.
  await answer('And now?', '2\r');
  await answer('At last?', '  red \r');
  await eventually('it ends', () => actor.hasExited());
  assert.deepEqual(treeOf(scene.directory), {'answers.txt': 'blue\n2\nred\n'});
  assert.match(actor.screen(), /^ {2}1\) red\n {2}2\) 2\n {2}3\) blue\nWhich one\? green$/m);
});

test('an answer that cannot be seen is not taken', async (t) => {
  const scene = createScene(t, 'tasks: {t1: [{ask: Who?}, {write: {path: a, text: "${answer}"}}]}');
  const actor = await start(t, scene);
  await eventually('it waits', async () => isProven(actor));
  actor.type('\u202Eeve\r');
  await eventually(
    'it asks again',
    () => actor.promptLine().trim() === 'Expected an answer in plain text. Who?',
  );
  await eventually('it waits again', async () => isProven(actor));
  actor.type('ada\r');
  await eventually('it ends', () => actor.hasExited());
  assert.deepEqual(treeOf(scene.directory), {a: 'ada'});
});

test('a person who ends the input has not answered: it gives up', async (t) => {
  const scene = createScene(t, 'tasks: {t1: [{ask: Who?}, {write: {path: a, text: b}}]}');
  const actor = await start(t, scene);
  await eventually('it waits', async () => isProven(actor));
  actor.type('\u0004');
  await eventually('it ends', () => actor.hasExited());
  assert.deepEqual(
    [treeOf(scene.directory), outcomeOf(scene)],
    [{}, {at: 'gave-up', words: 't1 step 1 (line 1): The question "Who?" was not answered.'}],
  );
});

test('a command has the terminal to itself', async (t) => {
  const scene = createScene(
    t,
    `
tasks:
  t1:
    - run: 'test -t 0 && test -t 1 && test -t 2 && stty size > size.txt'
    - run: 'printf "Name? "; read name; printf %s "$name" > name.txt'
    - run: exit 3
`,
  );
  const actor = await start(t, scene);
  await eventually(
    'the command is proven to wait',
    async () => actor.promptLine().trim() === 'Name?' && (await isProven(actor)),
  );
  actor.type('ada\r');
  await eventually('it ends', () => actor.hasExited());
  assert.deepEqual(treeOf(scene.directory), {'name.txt': 'ada', 'size.txt': '24 80\n'});
  assert.deepEqual(outcomeOf(scene), {
    at: 'failed',
    words: 't1 step 3 (line 6): The command "exit 3" ended with exit code 3.',
  });
});

test('Ctrl-C ends it, and leaves no outcome', async (t) => {
  const scene = createScene(t, 'tasks: {t1: [{write: {path: a, text: b}}, {ask: Who?}]}');
  const actor = await start(t, scene);
  await eventually('it waits', async () => isProven(actor));
  actor.type('\u0003');
  await eventually('it ends', () => actor.hasExited());
  assert.deepEqual([treeOf(scene.directory), outcomeOf(scene)], [{a: 'b'}, undefined]);
});

test('an answer that was given is not asked for again after a crash', async (t) => {
  const scene = createScene(
    t,
    `
tasks:
  t1:
    - write: {path: a, text: b}
    - ask: Which port?
    - run: 'test -e ../once || { touch ../once; kill -9 $PPID; }'
    - write: {path: port.txt, text: "\${answer}"}
`,
  );
  const first = await start(t, scene);
  await eventually('it waits', async () => isProven(first));
  first.type('4000\r');
  await eventually('it is killed', () => first.hasExited());
  const second = await start(t, scene);
  await eventually('it ends', () => second.hasExited());
  assert.deepEqual(treeOf(scene.directory), {a: 'b', 'port.txt': '4000'});
});
