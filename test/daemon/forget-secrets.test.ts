import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {sessionFiles} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {createStage} from './loop/support/stage.ts';
import {createPlace, end, type Place} from './support/place.ts';

const canary = 'canary-77aa01c4';

function filesWith(directory: string): string[] {
  return spawnSync('grep', ['-rl', canary, directory], {encoding: 'utf8'})
    .stdout.trim()
    .split('\n')
    .filter((file) => file !== '');
}

function forgotten(place: Place, when: string): Promise<unknown> {
  return eventually(`${when}, no file has it`, () => filesWith(place.home).length === 0);
}

async function startWith(place: Place, command: readonly string[]): Promise<void> {
  await place.ask({
    about: 'wish',
    wish: {type: 'start-session', name: 'x', command, directory: place.root},
    env: {...place.env, SECRET: canary},
    size: {columns: 80, rows: 24},
  });
}

test('the environment of a session is on no disk while it runs, nor afterwards, and it has it all the same', async (t) => {
  const place = createPlace(t);
  await startWith(place, ['sh', '-c', 'read line; printf %s "$SECRET" | wc -c; read line']);
  await eventually('it runs', () => place.events().some(({type}) => type === 'session-running'));
  await forgotten(place, 'while it runs');
  await place.ask({about: 'wish', wish: {type: 'send-input', session: 's1', text: '\r'}});
  await eventually('it has what it was given', () =>
    place.outputOf('s1').includes(String(canary.length)),
  );
  await place.killDaemon('SIGKILL');
  assert.equal((await place.sessionOf('s1'))?.ended, undefined, 'another daemon finds it');
  await place.ask({about: 'wish', wish: {type: 'send-input', session: 's1', text: '\r'}});
  await place.endOf('s1');
  assert.deepEqual(filesWith(place.home), []);
});

test('what was not started when the daemon and the keeper were killed is started with its environment by the next daemon', async (t) => {
  const place = createPlace(t);
  const env = place.env as Record<string, string>;
  env['ORCHESTRA_FAILPOINTS'] = 'run-session.before-report=1*kill9';
  await place.ask({about: 'daemon'});
  delete env['ORCHESTRA_FAILPOINTS'];
  await startWith(place, ['sh', '-c', 'printf %s "$SECRET" | wc -c; exec sleep 600']).catch(
    () => undefined,
  );
  await endKeeper(place);
  await eventually('the daemon is gone', async () => (await place.daemonPid()) === undefined);
  await eventually('it has what it was given', async () => {
    await place.ask({about: 'daemon'});
    return place.outputOf('s1').includes(String(canary.length));
  });
  await forgotten(place, 'once it runs');
});

/** The keeper, too: only what lies on the disk can start the program now. */
async function endKeeper(place: Place): Promise<void> {
  const {pid} = await eventually('the keeper has said who it is', () => {
    try {
      return place.metaOf('s1');
    } catch {
      return undefined;
    }
  });
  end(pid, place.home);
}

test('what older daemons kept is emptied when one starts: of what runs, of what has ended, and of other journals', async (t) => {
  const place = createPlace(t);
  await startWith(place, ['sleep', '600']);
  await startWith(place, ['true']);
  await eventually('one runs', () => place.events().some(({type}) => type === 'session-running'));
  await place.endOf('s2');
  await forgotten(place, 'before');
  await place.killDaemon('SIGKILL');
  const files = ['s1', 's2'].map((session) =>
    path.join(place.directoryOf(session), sessionFiles.launch),
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
    place.directoryOf('s2'),
    path.join(path.dirname(place.directoryOf('s2')), '0123456789ab-s2'),
  ]);
  assert.ok(filesWith(place.home).length >= 5);
  await place.ask({about: 'daemon'});
  await forgotten(place, 'after the start');
  assert.equal((await place.sessionOf('s1'))?.status, 'running');
});

test('what an agent and its tools were given is on no disk when its session has ended', async (t) => {
  const stage = createStage(t, {
    env: {SECRET: canary},
    project:
      'environment: [SECRET]\ntools:\n  notes:\n    command: [sh, -c, cat]\n    environment: [SECRET]\n',
    acts: {t1: 'echo good > t1.txt'},
  });
  const {code, out, err} = await stage.objective('--approve');
  assert.equal(code, 0, out + err);
  await eventually('no session lives', async () =>
    (await stage.sessions()).every(({ended}) => ended !== undefined),
  );
  const kept = path.join(stage.here().stateDirectory, 'environments');
  assert.deepEqual(
    filesWith(path.join(stage.home, 'state')).filter((file) => path.dirname(file) !== kept),
    [],
    'but for what the run was asked for in',
  );
  stage.run('discard', 'r1');
  await eventually(
    'the run is over, and no file has it',
    () => filesWith(path.join(stage.home, 'state')).length === 0,
  );
  assert.deepEqual(
    spawnSync('find', [stage.home, '-name', 'tools.json', '-o', '-name', 'tools-key.json'], {
      encoding: 'utf8',
    }).stdout,
    '',
    'nor the keys to the tools',
  );
});
