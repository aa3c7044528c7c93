import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {daemonStartsFile, readDaemonStarts, type DaemonStart} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {createPlace, processesIn, type Place} from './support/place.ts';

const usual = {ORCHESTRA_MOST_CRASHES: '3'};

function fileOf(place: Place): string {
  return path.join(place.here().stateDirectory, daemonStartsFile);
}

function startsOf(place: Place): DaemonStart[] {
  return readDaemonStarts(readFileSync(fileOf(place), 'utf8'));
}

/** As if so much time had passed. */
function letPass(place: Place, ms: number): void {
  writeFileSync(
    fileOf(place),
    JSON.stringify(startsOf(place).map(({pid, at}) => ({pid, at: at - ms}))),
  );
}

/** As if all of them had been started just now: on a slow machine their minute would be over before the test is. */
function stayWithinMinute(place: Place): void {
  writeFileSync(
    fileOf(place),
    JSON.stringify(startsOf(place).map(({pid}) => ({pid, at: Date.now()}))),
  );
}

async function crash(place: Place, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    assert.equal(place.run('sessions').code, 0, 'a daemon is started by itself');
    await place.killDaemon('SIGKILL');
    stayWithinMinute(place);
  }
}

test('a daemon that died three times in a minute is not started by itself until the minute is over, and at once when a person asks', async (t) => {
  const place = createPlace(t, usual);
  await crash(place, 3);
  for (const command of ['sessions', 'status']) {
    stayWithinMinute(place);
    const {code, err} = place.run(command);
    assert.equal(code, 2);
    assert.match(
      err,
      /^orchestra: the daemon crashed 3 times in a minute; `orchestra daemon start` tries at once, else it is started in \d+ s; \/.*\/daemon\.log says more\n$/,
    );
  }

  stayWithinMinute(place);
  assert.match(
    place.run('daemon', 'status').out,
    /^no daemon runs; the daemon crashed 3 times in a minute/,
  );
  stayWithinMinute(place);
  assert.deepEqual(place.json('daemon', 'status'), {
    running: false,
    crashes: 3,
    log: path.join(place.here().stateDirectory, 'daemon.log'),
  });
  stayWithinMinute(place);
  assert.match(place.run('daemon', 'start').out, /^started: pid/);
  assert.equal(place.run('sessions').code, 0);

  await place.killDaemon('SIGKILL');
  stayWithinMinute(place);
  assert.match(place.run('sessions').err, /crashed 4 times in a minute/);
  letPass(place, 60_000);
  assert.equal(place.run('sessions').code, 0);
  assert.equal(startsOf(place).length, 1, 'what is long past is forgotten');
});

test('a daemon that was asked to end has not crashed, whoever asked and however', async (t) => {
  const place = createPlace(t, usual);
  for (let count = 0; count < 2; count++) {
    assert.equal(place.run('sessions').code, 0);
    await place.killDaemon('SIGTERM');
    assert.deepEqual(startsOf(place), []);
    assert.equal(place.run('sessions').code, 0);
    assert.match(place.run('daemon', 'restart').out, /^restarted/);
    assert.equal(startsOf(place).length, 1, 'the one that runs');
    assert.match(place.run('daemon', 'stop').out, /^stopped/);
    assert.deepEqual(startsOf(place), []);
  }

  assert.match(place.run('daemon', 'status').out, /the next command that needs one starts it/);
});

test('ten clients that race for the last start of the minute all reach it', async (t) => {
  const place = createPlace(t, usual);
  await crash(place, 2);
  const outcomes = await Promise.all(Array.from({length: 10}, () => place.launch('sessions')));
  assert.deepEqual(
    outcomes.filter(({code}) => code !== 0),
    [],
  );
  assert.equal(startsOf(place).length, 3);
  await eventually('those that lost are gone', () => processesIn(place.home).length === 1);
});

test('what is wrong from the start is told by the first who meets it, and not tried for ever', (t) => {
  const place = createPlace(t, usual);
  const {socket} = place.here();
  // Nobody can listen there, and what is no file is not removed.
  mkdirSync(path.join(socket, 'in the way'), {recursive: true, mode: 0o700});
  const {code, err} = place.run('sessions');
  assert.equal(code, 2);
  assert.match(err, /^orchestra: the daemon does not start: .*directory.*daemon\.log\)\n$/);
  assert.equal(startsOf(place).length, 3);
  stayWithinMinute(place);
  assert.match(place.run('sessions').err, /crashed 3 times in a minute/);
  rmSync(socket, {recursive: true});
  assert.equal(place.run('daemon', 'start').code, 0);
});
