import assert from 'node:assert/strict';
import process from 'node:process';
import {existsSync, readFileSync} from 'node:fs';
import {type TestContext, before, test} from 'node:test';
import {readBlocked} from '../../source/system/index.ts';
import {kernel, takeSample} from '../system/support/own-kernel.ts';
import {type TerminalProgram, startInTerminal} from '../system/support/terminal-program.ts';
import {eventually} from '../support/eventually.ts';
import {bundleProgram} from '../support/bundle-program.ts';
import {createFixture, type Fixture, getTree} from './support/fixture.ts';

let player = '';
before(async () => {
  player = await bundleProgram('test/playbook-agent/programs/play.ts');
});

async function start(t: TestContext, fixture: Fixture, attempt = 1): Promise<TerminalProgram> {
  return startInTerminal(
    t,
    [
      process.execPath,
      player,
      '--playbook',
      fixture.playbook,
      '--task',
      't1',
      '--attempt',
      String(attempt),
      '--outcome-file',
      fixture.outcomeFile,
    ],
    {cwd: fixture.directory},
  );
}

async function isProven({root, promptLine}: TerminalProgram): Promise<boolean> {
  const {verdict, proof, secret} = await readBlocked(
    {root: root.identity, sample: await takeSample(), promptLine: promptLine()},
    kernel,
  );
  return verdict === 'blocked' && proof === 'proven' && !secret;
}

function getOutcome({outcomeFile}: Fixture): unknown {
  return existsSync(outcomeFile) ? JSON.parse(readFileSync(outcomeFile, 'utf8')) : undefined;
}

test('a question is proven to wait for a person; its answer goes into texts and, as a variable, into commands', async (t) => {
  const fixture = createFixture(
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
  const terminal = await start(t, fixture);
  await eventually(
    'it is proven to wait',
    async () => terminal.promptLine().trim() === 'Which port?' && (await isProven(terminal)),
  );
  terminal.type('4000; touch evil $(touch evil)\r');
  await eventually('it ends', () => terminal.hasExited());
  assert.deepEqual(getTree(fixture.directory), {
    'port.txt': 'port 4000; touch evil $(touch evil)',
    'shell.txt': '4000; touch evil $(touch evil)',
  });
  assert.match(terminal.screen(), /^It is 4000; touch evil \$\(touch evil\)\.$/m);
  assert.deepEqual(getOutcome(fixture), {
    at: 'finished',
    words: 'Followed the playbook for t1: 5 steps.',
    report: {decisions: ['Port 4000; touch evil $(touch evil)']},
  });
});

test('of options, one is taken by its number or its words, and nothing else is', async (t) => {
  const fixture = createFixture(
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
  const terminal = await start(t, fixture);
  const answer = async (question: string, line: string): Promise<void> => {
    await eventually(
      `it asks ${question}`,
      async () =>
        terminal.promptLine().trim() === '>' &&
        terminal.screen().trimEnd().endsWith(`${question}\n  1) red\n  2) 2\n  3) blue\n>`) &&
        (await isProven(terminal)),
    );
    terminal.type(line);
  };

  await answer('Which one?', 'green\r');
  await eventually('it says what it expects', () =>
    terminal.screen().includes('Expected a number from 1 to 3, or the answer itself.'),
  );
  await answer('Which one?', '3\r');
  // The words come before the number: "2" is what the second is called.
  await answer('And now?', '2\r');
  await answer('At last?', '  red \r');
  await eventually('it ends', () => terminal.hasExited());
  assert.deepEqual(getTree(fixture.directory), {'answers.txt': 'blue\n2\nred\n'});
  assert.match(terminal.screen(), /^Which one\?\n {2}1\) red\n {2}2\) 2\n {2}3\) blue\n> green$/m);
});

test('an answer that cannot be seen is not taken', async (t) => {
  const fixture = createFixture(
    t,
    'tasks: {t1: [{ask: Who?}, {write: {path: a, text: "${answer}"}}]}',
  );
  const terminal = await start(t, fixture);
  await eventually('it waits', async () => isProven(terminal));
  terminal.type('\u202Eeve\r');
  await eventually(
    'it asks again',
    () => terminal.promptLine().trim() === 'Expected an answer in plain text. Who?',
  );
  await eventually('it waits again', async () => isProven(terminal));
  terminal.type('ada\r');
  await eventually('it ends', () => terminal.hasExited());
  assert.deepEqual(getTree(fixture.directory), {a: 'ada'});
});

test('a person who ends the input has not answered: it gives up', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{ask: Who?}, {write: {path: a, text: b}}]}');
  const terminal = await start(t, fixture);
  await eventually('it waits', async () => isProven(terminal));
  terminal.type('\u0004');
  await eventually('it ends', () => terminal.hasExited());
  assert.deepEqual(
    [getTree(fixture.directory), getOutcome(fixture)],
    [{}, {at: 'gave-up', words: 't1 step 1 (line 1): The question "Who?" was not answered.'}],
  );
});

test('a command has the terminal to itself', async (t) => {
  const fixture = createFixture(
    t,
    `
tasks:
  t1:
    - run: 'test -t 0 && test -t 1 && test -t 2 && stty size > size.txt'
    - run: 'printf "Name? "; read name; printf %s "$name" > name.txt'
    - run: exit 3
`,
  );
  const terminal = await start(t, fixture);
  await eventually(
    'the command is proven to wait',
    async () => terminal.promptLine().trim() === 'Name?' && (await isProven(terminal)),
  );
  terminal.type('ada\r');
  await eventually('it ends', () => terminal.hasExited());
  assert.deepEqual(getTree(fixture.directory), {'name.txt': 'ada', 'size.txt': '24 80\n'});
  assert.deepEqual(getOutcome(fixture), {
    at: 'failed',
    words: 't1 step 3 (line 6): The command "exit 3" exited with code 3.',
  });
});

test('Ctrl-C ends it, and leaves no outcome', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{write: {path: a, text: b}}, {ask: Who?}]}');
  const terminal = await start(t, fixture);
  await eventually('it waits', async () => isProven(terminal));
  terminal.type('\u0003');
  await eventually('it ends', () => terminal.hasExited());
  assert.deepEqual([getTree(fixture.directory), getOutcome(fixture)], [{a: 'b'}, undefined]);
});

test('an answer that was given is not asked for again after a crash', async (t) => {
  const fixture = createFixture(
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
  const first = await start(t, fixture);
  await eventually('it waits', async () => isProven(first));
  first.type('4000\r');
  await eventually('it is killed', () => first.hasExited());
  const second = await start(t, fixture);
  await eventually('it ends', () => second.hasExited());
  assert.deepEqual(getTree(fixture.directory), {a: 'b', 'port.txt': '4000'});
});
