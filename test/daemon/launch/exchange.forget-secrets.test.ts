import assert from 'node:assert/strict';
import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {sessionFiles} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createFixture} from '../../e2e/loop/support/loop-fixture.ts';
import {createDaemonFixture, type DaemonFixture, end} from '../support/daemon-fixture.ts';

const canary = 'canary-77aa01c4';

function filesWith(directory: string): string[] {
  return spawnSync('grep', ['-rl', canary, directory], {encoding: 'utf8'})
    .stdout.trim()
    .split('\n')
    .filter((file) => file !== '');
}

function forgotten(fixture: DaemonFixture, when: string): Promise<unknown> {
  return eventually(`${when}, no file has it`, () => filesWith(fixture.home).length === 0);
}

async function startWith(fixture: DaemonFixture, command: readonly string[]): Promise<void> {
  await fixture.ask({
    about: 'wish',
    wish: {type: 'start-session', name: 'x', command, directory: fixture.root},
    env: {...fixture.env, SECRET: canary},
    size: {columns: 80, rows: 24},
  });
}

test('the environment of a session is on no disk while it runs, nor afterwards, and it has it all the same', async (t) => {
  const fixture = createDaemonFixture(t);
  await startWith(fixture, ['sh', '-c', 'read line; printf %s "$SECRET" | wc -c; read line']);
  await eventually('it runs', () => fixture.events().some(({type}) => type === 'session-running'));
  await forgotten(fixture, 'while it runs');
  await fixture.ask({about: 'wish', wish: {type: 'send-input', session: 's1', text: '\r'}});
  await eventually('it has what it was given', () =>
    fixture.outputOf('s1').includes(String(canary.length)),
  );
  await fixture.killDaemon('SIGKILL');
  assert.equal((await fixture.sessionOf('s1'))?.ended, undefined, 'another daemon finds it');
  await fixture.ask({about: 'wish', wish: {type: 'send-input', session: 's1', text: '\r'}});
  await fixture.endOf('s1');
  assert.deepEqual(filesWith(fixture.home), []);
});

test('what was not started when the daemon and the keeper were killed is started with its environment by the next daemon', async (t) => {
  const fixture = createDaemonFixture(t);
  const env = fixture.env as Record<string, string>;
  env['ORCHESTRA_FAILPOINTS'] = 'run-session.before-report=1*kill9';
  await fixture.ask({about: 'daemon'});
  delete env['ORCHESTRA_FAILPOINTS'];
  await startWith(fixture, ['sh', '-c', 'printf %s "$SECRET" | wc -c; exec sleep 600']).catch(
    () => undefined,
  );
  await endKeeper(fixture);
  await eventually('the daemon is gone', async () => (await fixture.daemonPid()) === undefined);
  await eventually('it has what it was given', async () => {
    // Only makes sure that a daemon runs; the output is what counts.
    await fixture.ask({about: 'daemon'}).catch(() => undefined);
    return fixture.outputOf('s1').includes(String(canary.length));
  });
  await forgotten(fixture, 'once it runs');
});

/** The keeper, too: only what lies on the disk can start the program now. */
async function endKeeper(fixture: DaemonFixture): Promise<void> {
  const {pid} = await eventually('the keeper has said who it is', () => {
    try {
      return fixture.metaOf('s1');
    } catch {
      return undefined;
    }
  });
  end(pid, fixture.home);
}

test('what older daemons kept is emptied when one starts: of what runs, of what has ended, and of other journals', async (t) => {
  const fixture = createDaemonFixture(t);
  await startWith(fixture, ['sleep', '600']);
  await startWith(fixture, ['true']);
  await eventually('one runs', () => fixture.events().some(({type}) => type === 'session-running'));
  await fixture.endOf('s2');
  await forgotten(fixture, 'before');
  await fixture.killDaemon('SIGKILL');
  const files = ['s1', 's2'].map((session) =>
    path.join(fixture.directoryOf(session), sessionFiles.launch),
  );
  for (const file of files) {
    writeFileSync(
      file,
      JSON.stringify({
        ...(JSON.parse(readFileSync(file, 'utf8')) as object),
        env: {SECRET: canary},
      }),
    );
    writeFileSync(`${file}.tmp`, canary);
  }

  spawnSync('cp', [
    '-r',
    fixture.directoryOf('s2'),
    path.join(path.dirname(fixture.directoryOf('s2')), '0123456789ab-s2'),
  ]);
  assert.ok(filesWith(fixture.home).length >= 5);
  await fixture.ask({about: 'daemon'});
  await forgotten(fixture, 'after the start');
  assert.equal((await fixture.sessionOf('s1'))?.status, 'running');
});

test('what an agent and its tools were given is on no disk when its session has ended', async (t) => {
  const fixture = createFixture(t, {
    env: {SECRET: canary},
    project:
      'environment: [SECRET]\ntools:\n  notes:\n    command: [sh, -c, cat]\n    environment: [SECRET]\n',
    acts: {t1: 'echo good > t1.txt'},
  });
  const {code, out, err} = await fixture.objective('--approve');
  assert.equal(code, 0, out + err);
  await eventually('no session lives', async () =>
    (await fixture.sessions()).every(({ended}) => ended !== undefined),
  );
  const retained = path.join(fixture.current().stateDirectory, 'environments');
  assert.deepEqual(
    filesWith(path.join(fixture.home, 'state')).filter((file) => path.dirname(file) !== retained),
    [],
    'but for what the run was asked for in',
  );
  fixture.run('discard', 'r1');
  await eventually(
    'the run is over, and no file has it',
    () => filesWith(path.join(fixture.home, 'state')).length === 0,
  );
  assert.deepEqual(
    spawnSync('find', [fixture.home, '-name', 'tools.json', '-o', '-name', 'tools-key.json'], {
      encoding: 'utf8',
    }).stdout,
    '',
    'nor the keys to the tools',
  );
});
