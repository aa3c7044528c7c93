import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createDaemonFixture} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

type DaemonFixture = ReturnType<typeof createDaemonFixture>;

async function getStatus(fixture: DaemonFixture, session: string): Promise<string | undefined> {
  return (await fixture.sessions()).find((one) => one.session === session)?.status;
}

/** That it waits may be proven before its keeper has read what it asks. */
async function asks(fixture: DaemonFixture, session: string, text: string): Promise<void> {
  await eventually(`${session} asks: ${text}`, async () => {
    const found = (await fixture.sessions()).find((one) => one.session === session);
    return found?.status === 'waiting' && found.waiting?.question.includes(text) === true;
  });
}

test('an idle shell is no need; a program that asks in it is one, until it has its answer', async (t) => {
  const fixture = createDaemonFixture(t);
  const shell = await fixture.start('bash', '--norc', '--noprofile');
  await eventually(
    'it stands at its prompt',
    async () => (await getStatus(fixture, shell)) === 'idle',
  );
  assert.equal(fixture.run('needs').code, 0);
  assert.match(fixture.run('sessions').out, /s1 +at its prompt /);
  assert.match(
    fixture.run('explain', shell).out,
    /state +idle.*\ndoes not wait +bash is at its prompt/,
  );
  assert.match(fixture.run('status').out, /: at its prompt/);

  for (const [command, answer] of [
    // A program, a shell with a script, and the shell's own `read`, by lines and by keys.
    ['python3 -c \'input("Overwrite? [y/N] ")\'', 'y'],
    ['sh -c \'printf "Overwrite? [y/N] "; read answer\'', 'y'],
    ['read -p "Overwrite? [y/N] " answer', 'y'],
    ['read -e -p "Overwrite? [y/N] " answer', 'y'],
    ['read -n 1 -s -p "Overwrite? [y/N] " answer', ''],
  ] as const) {
    fixture.json('send', shell, command);
    await asks(fixture, shell, 'Overwrite?');
    const {code, out} = fixture.run('needs');
    assert.equal(code, 3, command);
    assert.match(out, /Overwrite\?/);
    fixture.json('send', shell, answer);
    await eventually('the shell is back', async () => (await getStatus(fixture, shell)) === 'idle');
    assert.equal(fixture.run('needs').code, 0, command);
  }
});

test('what runs a script and asks is a need from the beginning', async (t) => {
  const fixture = createDaemonFixture(t);
  const asking = await fixture.start('bash', '-c', 'read -e -p "Overwrite? [y/N] " answer');
  await eventually('it asks', async () => (await getStatus(fixture, asking)) === 'waiting');
  assert.equal(fixture.run('needs').code, 3);
});

test('a shell that leaves its line to the kernel, and a REPL, are at their prompts too', async (t) => {
  const fixture = createDaemonFixture(t);
  const sessions = [
    await fixture.start('dash', '-i'),
    await fixture.start('python3', '-q'),
    await fixture.start('node'),
  ];
  for (const session of sessions)
    await eventually(
      `${session} stands at its prompt`,
      async () => (await getStatus(fixture, session)) === 'idle',
    );
  assert.equal(fixture.run('needs').code, 0);
});

test('an editor or a pager that was opened as a session is at rest on its own screen; one that a script opens is waited for', async (t) => {
  const fixture = createDaemonFixture(t);
  const draw = 'printf "\\033[?1049h\\033[2J\\033[HOne page of many"';
  const opened = await fixture.start('sh', '-c', `${draw}; exec cat`);
  await eventually('it is at rest', async () => (await getStatus(fixture, opened)) === 'idle');
  assert.equal(fixture.run('needs').code, 0);
  const script = await fixture.start('sh', '-c', `${draw}; cat; true`);
  await asks(fixture, script, 'One page of many');
  assert.match(fixture.run('needs').out, /asks.*One page of many/);
});

test('where the prompt is only a sign, the line above it says what is asked', async (t) => {
  const fixture = createDaemonFixture(t);
  const asking = await fixture.start(
    'sh',
    '-c',
    'printf "Working\\nName the release\\n> "; read answer',
  );
  await asks(fixture, asking, 'Name the release');
  assert.match(fixture.run('needs').out, /asks: Name the release > \(/);
});
