import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {execFileSync, spawnSync} from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import {crc32} from 'node:zlib';
import {test} from 'node:test';
import {followState, type LiveState} from '../../source/client/index.ts';
import type {JournalNews} from '../../source/protocol/index.ts';
import {readToken} from '../../source/cli/repo-paths.ts';
import {eventually} from '../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture, isRunning} from './support/daemon-fixture.ts';

/** A session that lives, and a daemon that does not. */
async function leaveSession(
  fixture: DaemonFixture,
): Promise<{readonly journal: string; readonly child: number}> {
  await fixture.start('sh', '-c', 'echo here; exec sleep 1000');
  await fixture.start('true');
  await fixture.endOf('s2');
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  await fixture.killDaemon('SIGKILL');
  return {
    journal: path.join(fixture.current().stateDirectory, 'journal.jsonl'),
    child: fixture.metaOf('s1').child!.pid,
  };
}

function checkReadOnly(fixture: DaemonFixture, reason: RegExp, child: number): void {
  const before = readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl'));
  const started = fixture.run('start', '--', 'true');
  assert.equal(started.code, 1);
  assert.match(started.err, /the journal is read-only: nothing new starts, sessions go on/);
  assert.match(started.err, reason);
  assert.match(fixture.run('daemon', 'status').out, /journal: \d+ events, read-only/);
  const checked = fixture.run('doctor', '--journal');
  assert.equal(checked.code, 1);
  assert.match(checked.out, /journal/);
  assert.ok(isRunning(child), 'what runs is left alone');
  assert.deepEqual(
    readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl')),
    before,
    'not a byte is written',
  );
}

test('damage in the middle of the journal: what is known is shown, nothing is started, nothing is ended', async (t) => {
  const fixture = createDaemonFixture(t);
  const {journal, child} = await leaveSession(fixture);
  const bytes = readFileSync(journal);
  const middle = bytes.indexOf('session-asked');
  bytes[middle] = bytes[middle]! ^ 0x20;
  writeFileSync(journal, bytes);
  checkReadOnly(fixture, /damage/, child);
  assert.equal((await fixture.sessions()).length, 0, 'what comes after the damage is not believed');
  assert.match(fixture.run('sessions').out, new RegExp(`unknown: s1 \\(pid ${child}\\)`));
});

test('a journal of a newer version is not written to, and says which', async (t) => {
  const fixture = createDaemonFixture(t);
  const {journal, child} = await leaveSession(fixture);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const [text = '', sum = ''] = lines.at(-1)!.split('\t');
  const last = JSON.parse(text) as Record<string, unknown>;
  const next = JSON.stringify({...last, v: 2, seq: Number(last['seq']) + 1, prev: sum});
  writeFileSync(
    journal,
    `${lines.join('\n')}\n${next}\t${crc32(next).toString(16).padStart(8, '0')}\n`,
  );
  checkReadOnly(fixture, /newer|version/, child);
});

test('a torn end is cut, kept beside, and told; the sessions go on', async (t) => {
  const fixture = createDaemonFixture(t);
  const {journal} = await leaveSession(fixture);
  writeFileSync(journal, readFileSync(journal).subarray(0, -9));
  // The end that was cut may have said that it runs; then the daemon finds it out anew.
  await eventually(
    'the session is known to run',
    async () => (await fixture.sessionOf('s1'))?.status === 'running',
  );
  assert.ok(fixture.events().some(({type}) => type === 'journal-truncated'));
});

test('a journal that is gone: living sessions are listed as unknown, and not ended', async (t) => {
  const fixture = createDaemonFixture(t);
  const {journal, child} = await leaveSession(fixture);
  renameSync(journal, path.join(fixture.home, 'journal.aside'));
  const {sessions, strangers} = fixture.json('sessions') as {
    sessions: unknown[];
    strangers: {session: string; pid: number}[];
  };
  assert.deepEqual(sessions, []);
  assert.deepEqual(
    strangers.filter(({session}) => session === 's1').map(({pid}) => pid),
    [child],
  );
  assert.match(
    fixture.run('sessions').out,
    new RegExp(`unknown: s1 \\(pid ${child}\\) from a journal that no longer exists`),
  );
  await fixture.start('sleep', '1000');
  await eventually(
    'the new one runs',
    async () => (await fixture.sessionOf('s1'))?.status === 'running',
  );
  assert.ok(isRunning(child));
  const {stateDirectory} = fixture.current();
  await fixture.ask({about: 'wish', wish: {type: 'stop', what: 's1'}});
  await fixture.endOf('s1');
  await fixture.killDaemon('SIGTERM');
  renameSync(path.join(fixture.home, 'journal.aside'), path.join(stateDirectory, 'journal.jsonl'));
  assert.equal((await fixture.sessionOf('s1'))?.pid, child, 'with its journal it is known again');
});

/** By name, what is done to the journal under the running daemon, and how a person undoes it. */
const interferences: readonly (readonly [
  string,
  (file: string, aside: string) => void,
  (file: string, aside: string) => void,
])[] = [
  [
    'removed',
    (file) => {
      rmSync(file);
    },
    (file) => {
      renameSync(savedBeside(file), file);
    },
  ],
  [
    'renamed',
    (file, aside) => {
      renameSync(file, aside);
    },
    (file, aside) => {
      renameSync(aside, file);
    },
  ],
  [
    'replaced by a copy',
    (file, aside) => {
      copyFileSync(file, aside);
      renameSync(aside, file);
    },
    (file) => {
      renameSync(savedBeside(file), file);
    },
  ],
  [
    'replaced by an empty file',
    (file, aside) => {
      renameSync(file, aside);
      writeFileSync(file, '');
    },
    (file, aside) => {
      renameSync(aside, file);
    },
  ],
  [
    'lost with its directory',
    (file, aside) => {
      renameSync(path.dirname(file), aside);
    },
    (file, aside) => {
      // The daemon goes on to write its log, and perhaps other files, into a directory that it
      // makes again.
      rmSync(path.dirname(file), {recursive: true, force: true});
      renameSync(aside, path.dirname(file));
    },
  ],
];

function savedBeside(file: string): string {
  const [saved = ''] = globSync('saved-*', {cwd: path.dirname(file)});
  return path.join(path.dirname(file), saved);
}

for (const [how, interfere, undo] of interferences) {
  test(`a journal that is ${how} under the running daemon: every command says so, nothing is begun, and after a restart all is as it was acknowledged`, async (t) => {
    const fixture = createDaemonFixture(t);
    await fixture.start('sh', '-c', 'exec sleep 1000');
    await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
    const {child} = fixture.metaOf('s1');
    const file = path.join(fixture.current().stateDirectory, 'journal.jsonl');
    const aside = path.join(fixture.home, 'aside');
    const news: JournalNews[] = [];
    const app = await followState(
      {socket: fixture.current().socket, token: () => readToken(fixture.current()), build: 'test'},
      undefined,
      (one) => news.push(one),
    );
    t.after(app.close);
    const before = fixture.events();
    interfere(file, aside);
    await eventually('who follows is told without asking', () =>
      news.some(({mode}) => mode === 'read-only'),
    );
    for (const command of [
      ['start', '--', 'true'],
      ['note', 's1', 'a note'],
      ['stop', 's1'],
    ]) {
      const {code, err} = fixture.run(...command);
      assert.notEqual(code, 0, command.join(' '));
      assert.match(
        err,
        /the journal is read-only: nothing new starts, sessions go on\. .*(?:is gone|was replaced).*orchestra daemon restart/,
        command.join(' '),
      );
    }

    assert.match(fixture.run('status').err, /the journal is read-only/);
    assert.match(
      fixture.run('daemon', 'status').out,
      /journal: \d+ events, read-only: .*(?:is gone|was replaced)/,
    );
    const doctor = fixture.run('doctor');
    assert.equal(doctor.code, 1);
    assert.match(doctor.out, /the journal is read-only/);
    assert.ok(isRunning(child!.pid), 'what runs is left alone');
    undo(file, aside);
    await fixture.killDaemon('SIGKILL');
    assert.equal(
      (await fixture.sessionOf('s1'))?.pid,
      child!.pid,
      'with its journal all is known again',
    );
    assert.deepEqual(fixture.events().slice(0, before.length), before);
    assert.equal(fixture.run('note', 's1', 'a note').code, 0);
  });
}

test("the environment of the client reaches the session, and neither the journal nor the daemon's words", async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.ask({about: 'daemon'});
  const secret = 'canary-5e1f0c';
  const {events} = (await fixture.ask({
    about: 'wish',
    wish: {
      type: 'start-session',
      name: 'env',
      command: ['sh', '-c', 'echo "$TOKEN" | wc -c; echo "$TERM $ORCH_SESSION"'],
      directory: fixture.root,
    },
    env: {...fixture.env, TOKEN: secret},
  })) as {events: unknown[]};
  assert.ok(!JSON.stringify(events).includes(secret));
  await fixture.endOf('s1');
  assert.match(
    fixture.outputOf('s1'),
    new RegExp(`^${secret.length + 1}\r\nxterm-256color [0-9a-f]+-s1\r\n$`),
  );
  const {stateDirectory} = fixture.current();
  for (const file of ['journal.jsonl', 'daemon.log'])
    assert.ok(!readFileSync(path.join(stateDirectory, file), 'utf8').includes(secret), file);
  await eventually(
    'it is in no file any more',
    () => spawnSync('grep', ['-rl', secret, fixture.home], {encoding: 'utf8'}).stdout === '',
  );
});

test('a full disk: nothing is acknowledged that is not written, sessions go on, and so does the journal once there is room', async (t) => {
  const small = mkdtempSync(path.join(os.tmpdir(), 'orchestra-small-'));
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', small]).status === 0;
  const fixture = createDaemonFixture(t, {XDG_STATE_HOME: small});
  t.after(() => {
    if (isMounted) execFileSync('umount', ['-l', small]);
    rmSync(small, {recursive: true});
  });
  if (!isMounted) {
    t.skip('this user may not mount a small disk');
    return;
  }

  await fixture.start('sh', '-c', 'read line; echo "took $line"; read line');
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  const news: JournalNews[] = [];
  const follow = (notified: (one: JournalNews) => void): Promise<LiveState> =>
    followState(
      {socket: fixture.current().socket, token: () => readToken(fixture.current()), build: 'test'},
      undefined,
      notified,
    );
  const app = await follow((one) => news.push(one));
  t.after(app.close);
  const {bavail, bsize} = statfsSync(small);
  const ballast = path.join(small, 'ballast');
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 8192));
  const fill = async (): Promise<void> => {
    for (;;)
      await fixture.ask({
        about: 'wish',
        wish: {type: 'add-note', on: 's1', text: 'x'.repeat(3000)},
      });
  };
  await assert.rejects(
    fill,
    /the disk is full: nothing new starts, sessions go on\. Free some space/,
  );
  const rejected = fixture.run('start', '--', 'true');
  assert.equal(rejected.code, 1);
  assert.match(
    rejected.err,
    /^orchestra: the disk is full: nothing new starts, sessions go on\. Free some space for .*; the journal then continues by itself\.$/m,
  );
  await eventually('who follows was told', () =>
    news.some(({mode, isFull}) => mode === 'degraded' && isFull === true),
  );
  const late: JournalNews[] = [];
  const latecomer = await follow((one) => late.push(one));
  assert.deepEqual(
    late.map(({mode, isFull}) => [mode, isFull]),
    [['degraded', true]],
    'who comes meanwhile is told at once',
  );
  latecomer.close();
  assert.equal((await fixture.sessionOf('s1'))?.ended, undefined);
  rmSync(ballast);
  await eventually(
    'it goes on by itself',
    async () =>
      ((await fixture.ask({about: 'daemon'})) as {journal: {mode: string}}).journal.mode ===
      'writing',
  );
  await eventually('who follows was told that it is over', () => news.at(-1)?.mode === 'writing');
  assert.equal(fixture.run('send', 's1', 'word').code, 0);
  await eventually('it was typed', () => fixture.outputOf('s1').includes('took word'));
  await fixture.killDaemon('SIGKILL');
  await fixture.ask({about: 'wish', wish: {type: 'stop', what: 's1'}});
  await fixture.endOf('s1');
  await fixture.killDaemon('SIGTERM');
});
