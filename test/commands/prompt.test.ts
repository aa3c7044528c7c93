import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createPlace} from '../daemon/support/place.ts';
import {eventually} from '../support/eventually.ts';

type Place = ReturnType<typeof createPlace>;

async function statusOf(place: Place, session: string): Promise<string | undefined> {
  return (await place.sessions()).find((one) => one.session === session)?.status;
}

/** That it waits may be proven before its keeper has read what it asks. */
async function asks(place: Place, session: string, words: string): Promise<void> {
  await eventually(`${session} asks: ${words}`, async () => {
    const found = (await place.sessions()).find((one) => one.session === session);
    return found?.status === 'waiting' && found.waiting?.question.includes(words) === true;
  });
}

test('a shell that was opened and left alone needs nobody; what asks in it does, until it has its answer', async (t) => {
  const place = createPlace(t);
  const shell = await place.start('bash', '--norc', '--noprofile');
  await eventually(
    'it stands at its prompt',
    async () => (await statusOf(place, shell)) === 'idle',
  );
  assert.equal(place.run('needs').code, 0);
  assert.match(place.run('sessions').out, /s1 +at its prompt /);
  assert.match(
    place.run('explain', shell).out,
    /state +idle.*\nneeds nobody +bash is at its prompt/,
  );
  assert.match(place.run('status').out, /: at its prompt/);

  for (const [command, answer] of [
    // A program, a shell with a script, and the shell's own `read`, by lines and by keys.
    ['python3 -c \'input("Overwrite? [y/N] ")\'', 'y'],
    ['sh -c \'printf "Overwrite? [y/N] "; read answer\'', 'y'],
    ['read -p "Overwrite? [y/N] " answer', 'y'],
    ['read -e -p "Overwrite? [y/N] " answer', 'y'],
    ['read -n 1 -s -p "Overwrite? [y/N] " answer', ''],
  ] as const) {
    place.json('send', shell, command);
    await asks(place, shell, 'Overwrite?');
    const {code, out} = place.run('needs');
    assert.equal(code, 3, command);
    assert.match(out, /Overwrite\?/);
    place.json('send', shell, answer);
    await eventually('the shell is back', async () => (await statusOf(place, shell)) === 'idle');
    assert.equal(place.run('needs').code, 0, command);
  }
});

test('what runs a script and asks is a need from the beginning', async (t) => {
  const place = createPlace(t);
  const asking = await place.start('bash', '-c', 'read -e -p "Overwrite? [y/N] " answer');
  await eventually('it asks', async () => (await statusOf(place, asking)) === 'waiting');
  assert.equal(place.run('needs').code, 3);
});

test('a shell that leaves its line to the kernel, and a REPL, are at their prompts too', async (t) => {
  const place = createPlace(t);
  const sessions = [
    await place.start('dash', '-i'),
    await place.start('python3', '-q'),
    await place.start('node'),
  ];
  for (const session of sessions)
    await eventually(
      `${session} stands at its prompt`,
      async () => (await statusOf(place, session)) === 'idle',
    );
  assert.equal(place.run('needs').code, 0);
});

test('an editor or a pager that was opened as a session is at rest on its own screen; one that a script opens is waited for', async (t) => {
  const place = createPlace(t);
  const draw = 'printf "\\033[?1049h\\033[2J\\033[HOne page of many"';
  const opened = await place.start('sh', '-c', `${draw}; exec cat`);
  await eventually('it is at rest', async () => (await statusOf(place, opened)) === 'idle');
  assert.equal(place.run('needs').code, 0);
  const script = await place.start('sh', '-c', `${draw}; cat; true`);
  await asks(place, script, 'One page of many');
  assert.match(place.run('needs').out, /asks.*One page of many/);
});

test('where the prompt is only a sign, the line above it says what is asked', async (t) => {
  const place = createPlace(t);
  const asking = await place.start(
    'sh',
    '-c',
    'printf "Working\\nName the release\\n> "; read answer',
  );
  await asks(place, asking, 'Name the release');
  assert.match(place.run('needs').out, /asks: Name the release > \(/);
});
