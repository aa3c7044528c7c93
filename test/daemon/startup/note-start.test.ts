import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {
  type DaemonStart,
  daemonStartsFile,
  parseDaemonStarts,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture, processesIn} from '../support/daemon-fixture.ts';

const usual = {ORCHESTRA_MOST_CRASHES: '3'};

function getFile(fixture: DaemonFixture): string {
  return path.join(fixture.current().stateDirectory, daemonStartsFile);
}

function getStarts(fixture: DaemonFixture): DaemonStart[] {
  return parseDaemonStarts(readFileSync(getFile(fixture), 'utf8'));
}

/** As if so much time had passed. */
function letPass(fixture: DaemonFixture, ms: number): void {
  writeFileSync(
    getFile(fixture),
    JSON.stringify(getStarts(fixture).map(({pid, at}) => ({pid, at: at - ms}))),
  );
}

/**
 * As if all of them had been started just now: on a slow machine their minute would be over before
 * the test is.
 */
function stayWithinMinute(fixture: DaemonFixture): void {
  writeFileSync(
    getFile(fixture),
    JSON.stringify(getStarts(fixture).map(({pid}) => ({pid, at: Date.now()}))),
  );
}

async function crash(fixture: DaemonFixture, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    assert.equal(fixture.run('sessions').code, 0, 'a daemon is started by itself');
    await fixture.killDaemon('SIGKILL');
    stayWithinMinute(fixture);
  }
}

test('a daemon that died three times in a minute is not started by itself until the minute is over, and at once when a person asks', async (t) => {
  const fixture = createDaemonFixture(t, usual);
  await crash(fixture, 3);
  for (const command of ['sessions', 'status']) {
    stayWithinMinute(fixture);
    const {code, err} = fixture.run(command);
    assert.equal(code, 2);
    assert.match(
      err,
      /^orchestra: the daemon crashed 3 times in a minute; `orchestra daemon start` tries now, otherwise it starts again in \d+ s\. See \/.*\/daemon\.log\n$/,
    );
  }

  stayWithinMinute(fixture);
  assert.match(
    fixture.run('daemon', 'status').out,
    /^no daemon is running; the daemon crashed 3 times in a minute/,
  );
  stayWithinMinute(fixture);
  assert.deepEqual(fixture.json('daemon', 'status'), {
    running: false,
    crashes: 3,
    log: path.join(fixture.current().stateDirectory, 'daemon.log'),
  });
  stayWithinMinute(fixture);
  assert.match(fixture.run('daemon', 'start').out, /^started: pid/);
  assert.equal(fixture.run('sessions').code, 0);

  await fixture.killDaemon('SIGKILL');
  stayWithinMinute(fixture);
  assert.match(fixture.run('sessions').err, /crashed 4 times in a minute/);
  letPass(fixture, 60_000);
  assert.equal(fixture.run('sessions').code, 0);
  assert.equal(getStarts(fixture).length, 1, 'what is long past is forgotten');
});

test('a daemon that was asked to end has not crashed, whoever asked and however', async (t) => {
  const fixture = createDaemonFixture(t, usual);
  for (let count = 0; count < 2; count++) {
    assert.equal(fixture.run('sessions').code, 0);
    await fixture.killDaemon('SIGTERM');
    assert.deepEqual(getStarts(fixture), []);
    assert.equal(fixture.run('sessions').code, 0);
    assert.match(fixture.run('daemon', 'restart').out, /^restarted/);
    assert.equal(getStarts(fixture).length, 1, 'the one that runs');
    assert.match(fixture.run('daemon', 'stop').out, /^stopped/);
    assert.deepEqual(getStarts(fixture), []);
  }

  assert.match(fixture.run('daemon', 'status').out, /the next command that needs one starts it/);
});

test('ten clients that race for the last start of the minute all reach it', async (t) => {
  const fixture = createDaemonFixture(t, usual);
  await crash(fixture, 2);
  const outcomes = await Promise.all(Array.from({length: 10}, () => fixture.launch('sessions')));
  assert.deepEqual(
    outcomes.filter(({code}) => code !== 0),
    [],
  );
  assert.equal(getStarts(fixture).length, 3);
  await eventually('those that lost are gone', () => processesIn(fixture.home).length === 1);
});

test('what is wrong from the start is told by the first who meets it, and not tried for ever', (t) => {
  const fixture = createDaemonFixture(t, usual);
  const {socket} = fixture.current();
  // Nobody can listen there, and what is no file is not removed.
  mkdirSync(path.join(socket, 'in the way'), {recursive: true, mode: 0o700});
  const {code, err} = fixture.run('sessions');
  assert.equal(code, 2);
  assert.match(err, /^orchestra: the daemon does not start: .*directory.*daemon\.log\)\n$/);
  assert.equal(getStarts(fixture).length, 3);
  stayWithinMinute(fixture);
  assert.match(fixture.run('sessions').err, /crashed 3 times in a minute/);
  rmSync(socket, {recursive: true});
  assert.equal(fixture.run('daemon', 'start').code, 0);
});
