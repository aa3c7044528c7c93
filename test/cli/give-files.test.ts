import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {createDaemonFixture, launcher} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

const png = Buffer.from(`89504e470d0a1a0a${'00ff0a0d1b'.repeat(1000)}`, 'hex');
/** Copies the last word of each line that it reads, as an agent would read the file. */
const reader =
  'n=0; while read -r line; do n=$((n+1)); cp "${line##* }" "got-$n" && echo "$line" > "line-$n"; echo "read $n"; done';

test('send --file copies a file to where the session reads it and types its path, also from standard input', async (t) => {
  const fixture = createDaemonFixture(t);
  const session = await fixture.start('sh', '-c', reader);
  const shot = path.join(fixture.home, 'My shot; rm -rf x.PNG');
  writeFileSync(shot, png);
  const sent = fixture.run('send', session, 'look at this:', '--file', shot, '--json');
  assert.equal(sent.code, 0, sent.err);
  const {given, ...rest} = JSON.parse(sent.out) as {readonly given: readonly [string]};
  assert.deepEqual(rest, {session, input: 1, typed: true});
  assert.match(given[0], /\/exchange\/[^/]+\/given\/image-[\da-f]{8}\.png$/);
  await eventually('it was read', () => fixture.outputOf(session).includes('read 1'));
  assert.deepEqual(readFileSync(path.join(fixture.root, 'got-1')), png);
  assert.equal(
    readFileSync(path.join(fixture.root, 'line-1'), 'utf8'),
    `look at this: ${given[0]}\n`,
  );

  const piped = spawnSync(process.execPath, [launcher, 'send', session, '--file', '-'], {
    cwd: fixture.root,
    env: {...fixture.env, TMPDIR: fixture.home},
    input: png,
    encoding: 'utf8',
  });
  assert.equal(piped.status, 0, piped.stderr);
  await eventually('it was read', () => fixture.outputOf(session).includes('read 2'));
  assert.deepEqual(readFileSync(path.join(fixture.root, 'got-2')), png);
  assert.deepEqual(
    readdirSync(fixture.home).filter((name) => name.startsWith('orchestra-given')),
    [],
    'what was saved on the way is gone',
  );
  const typed = fixture.events().flatMap((event) => (event.type === 'input-asked' ? [event] : []));
  assert.deepEqual(
    typed.map(({text}) => text.replace(/\S*\/given\//, '')),
    [`look at this: ${path.basename(given[0])}\r`, typed[1]?.text.replace(/\S*\/given\//, '')],
  );

  assert.equal(fixture.run('stop', session).code, 0);
  await fixture.endOf(session);
  await eventually('the copies are gone with the session', () => !existsSync(given[0]));
});

test('what cannot be given is said, and nothing is typed', async (t) => {
  const fixture = createDaemonFixture(t);
  const session = await fixture.start('cat');
  const fails = (argv: readonly string[], text: RegExp, input: string | Buffer = ''): void => {
    const {status, stderr} = spawnSync(process.execPath, [launcher, 'send', session, ...argv], {
      cwd: fixture.root,
      env: fixture.env,
      input,
      encoding: 'utf8',
    });
    assert.match(stderr, text);
    assert.notEqual(status, 0);
  };
  fails([], /expected what to type, or a file: orchestra send s7 "yes"/);
  fails(['--file', 'nowhere.png'], /expected a file at nowhere\.png, and there is none/);
  fails(['--file', '.'], /\. is not a regular file: it is a directory\. Nothing was typed/);
  fails(['--file', '-'], /standard input was empty; give it a file: cat shot\.png \|/);
  fails(['--file', '-', '--file', '-'], /standard input can be read only once/);
  fails(['--file', '-'], /standard input is larger than 32 MiB/, Buffer.alloc(33 * 1024 * 1024));
  assert.equal(
    fixture.events().some(({type}) => type === 'input-asked'),
    false,
  );
});
