import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {spawn} from 'node-pty';
import type {Question} from '../../source/protocol/index.ts';
import {createFixture, type LoopFixture} from '../e2e/loop/support/loop-fixture.ts';
import {launcher} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

const leave = '\u001D';

type Attached = {
  readonly shown: () => string;
  readonly type: (text: string) => void;
  readonly ended: () => Promise<unknown>;
};

function attach(t: TestContext, fixture: LoopFixture, session: string): Attached {
  const pty = spawn(process.execPath, [launcher, 'attach', session], {
    cwd: fixture.root,
    env: {...fixture.env},
    cols: 100,
    rows: 24,
  });
  let [text, isOver] = ['', false];
  pty.onData((piece) => {
    text += piece;
  });
  pty.onExit(() => {
    isOver = true;
  });
  t.after(() => {
    if (!isOver) pty.kill('SIGKILL');
  });
  return {
    shown: () => text,
    type: (typed) => {
      pty.write(typed);
    },
    ended: () => eventually('attach has ended', () => isOver),
  };
}

/**
 * It works until the file is there: what it reads from its terminal meanwhile would stand in its
 * change.
 */
const worksUntil = (file: string): string =>
  `while [ ! -e '${file}' ]; do sleep 0.05; done\necho "done" > t1.txt\n`;

async function sessionAtWork(fixture: LoopFixture, purpose: string): Promise<string> {
  return eventually(`${purpose} is at work`, () => {
    const asked = fixture
      .eventsOf('session-asked')
      .findLast((event) => event.purpose.for === purpose)?.session;
    return asked !== undefined &&
      fixture.eventsOf('session-running').some(({session}) => session === asked)
      ? asked
      : undefined;
  });
}

test('what is sent or typed to a headless agent is not passed on, and it is said what works; its screen shows none of it', async (t) => {
  const go = 'go';
  const fixture = createFixture(t);
  const file = path.join(fixture.home, go);
  fixture.act('t1', worksUntil(file));
  await fixture.state();
  const run = fixture.objective('--approve');
  const session = await sessionAtWork(fixture, 'attempt');

  const sent = fixture.run('send', session, 'please hurry');
  assert.equal(sent.code, 1);
  assert.match(
    sent.err,
    new RegExp(
      `^orchestra: nothing was typed\\. pretend runs headless in ${session}\\. It does not read its terminal`,
    ),
  );
  for (const way of [
    'orchestra note r1.t1 "…"',
    'orchestra takeover r1.t1',
    'orchestra stop r1.t1',
    `orchestra start --cwd ${fixture.worktree('r1.t1')} -- "$SHELL"`,
  ])
    assert.ok(sent.err.includes(way), `${way} in ${sent.err}`);
  assert.equal(fixture.run('send', session, 'y', '--no-enter').code, 1, 'nor without Enter');

  const attached = attach(t, fixture, session);
  await eventually('it says why', () =>
    attached.shown().includes('Ctrl-] leaves. pretend runs headless'),
  );
  attached.type('please hurry\r\u0003');
  await eventually('it rings', () => attached.shown().includes('\u0007'));
  attached.type(leave);
  await attached.ended();
  assert.match(attached.shown(), /What you typed was not passed on\.[^]*orchestra takeover r1\.t1/);

  assert.deepEqual(
    [fixture.eventsOf('input-asked'), fixture.outputOf(session).includes('hurry')],
    [[], false],
    'neither in the journal nor on its screen',
  );
  assert.equal(
    ((await fixture.ask({about: 'typing', session})) as {readonly isRead: boolean}).isRead,
    false,
  );
  writeFileSync(file, '');
  await run;
  await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
  assert.equal(fixture.eventsOf('attempt-started').length, 1, 'Ctrl-C has not reached it');
});

test('a check that asks is answered, by send and by attach, and has nothing from before it asked', async (t) => {
  const fixture = createFixture(t, {
    files: {
      'check.sh':
        'while [ ! -e "$HOME/ask" ]; do sleep 0.05; done\nprintf "Which one? "\nread -r answer\n[ "$answer" = this ] || { echo "FAIL got $answer"; exit 1; }\n',
    },
  });
  await fixture.state();
  const run = fixture.objective('--approve');
  const first = await sessionAtWork(fixture, 'check');
  const early = fixture.run('send', first, 'too early');
  assert.match(
    early.err,
    new RegExp(
      `nothing was typed\\. ${first} \\(test of r1\\.t1\\) does not read its terminal\\. You can type when it asks for something\\.`,
    ),
  );
  const attached = attach(t, fixture, first);
  await eventually('it says why', () => attached.shown().includes('Ctrl-] leaves.'));
  attached.type('stray\r');
  await eventually('it rings', () => attached.shown().includes('\u0007'));
  writeFileSync(path.join(fixture.home, 'ask'), '');
  await eventually('it asks', () => attached.shown().includes('Which one?'));
  await eventually(
    'the kernel has it',
    async () =>
      (
        (await fixture.ask({about: 'typing', session: first} satisfies Question)) as {
          readonly isRead: boolean;
        }
      ).isRead,
  );
  attached.type('this\r');
  await attached.ended();
  assert.ok(!fixture.outputOf(first).includes('stray'));

  const second = await eventually(
    'the check after merging',
    () =>
      fixture
        .eventsOf('session-asked')
        .find(({purpose}) => purpose.for === 'check' && purpose.on === 'merge')?.session,
  );
  // The journal has the session a moment before the daemon knows it.
  const isAsking = async (): Promise<boolean> => {
    const question = {about: 'typing', session: second} satisfies Question;
    const answer = await fixture.ask(question).catch(() => ({isRead: false}));
    return (answer as {readonly isRead: boolean}).isRead;
  };
  await eventually('it asks', isAsking);
  assert.equal(fixture.run('send', second, 'this').code, 0);
  await run;
  await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
  assert.equal(fixture.eventsOf('attempt-started').length, 1);
});

test('an ended session and a missing one are refused as before', async (t) => {
  const fixture = createFixture(t);
  await fixture.objective();
  assert.match(
    fixture.run('send', 's1', 'hello').err,
    /s1 has ended; nothing can be typed into it/,
  );
  assert.match(fixture.run('send', 's99', 'hello').err, /there is no session s99/);
});
