import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import type {UsageReport} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture} from '../support/daemon-fixture.ts';

test('what sessions use of the machine is told for all of them at once; whoever ended or never was is left out', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('nice', 'sh', '-c', 'while :; do :; done');
  await fixture.start('sh', '-c', 'sleep 1001 & setsid sleep 1002 & wait');
  await fixture.start('true');
  await fixture.endOf('s3');
  const parseUsage = async (...sessions: readonly string[]): Promise<UsageReport> =>
    (await fixture.ask({about: 'usage', sessions})) as UsageReport;
  // How much of a processor the busy one gets is not ours to say, nor how soon the others have come
  // to rest.
  const {usage, at} = await eventually(
    'all processes are there, and the busy one uses more than those at rest and no more than there is',
    async () => {
      const report = await parseUsage('s1', 's2', 's3', 's99', '__proto__', '../s1');
      const {s1, s2} = report.usage;
      return s2?.processes === 3 && s1 !== undefined && s1.cpu > s2.cpu && s1.cpu <= 1.5 && report;
    },
  );
  assert.deepEqual(Object.keys(usage), ['s1', 's2']);
  assert.ok(at > 0);
  const {s1, s2} = usage;
  assert.equal(s1?.processes, 1);
  assert.ok(s1.memory > 0, JSON.stringify(s1));
  assert.ok(s2!.memory > 0, JSON.stringify(s2));
  assert.deepEqual(Object.keys((await parseUsage('s2', 's2')).usage), ['s2']);
  assert.deepEqual((await parseUsage()).usage, {});
});

test('it says the same of a session as explain does', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sh', '-c', 'sleep 1001 & wait');
  await eventually('both have looked at the same processes at rest', async () => {
    const {usage: explained, processes} = (await fixture.ask({
      about: 'explain',
      session: 's1',
    })) as {
      readonly usage?: object;
      readonly processes: readonly unknown[];
    };
    const {usage} = (await fixture.ask({about: 'usage', sessions: ['s1']})) as UsageReport;
    const pulse = usage['s1']?.pulse;
    return (
      processes.length === 2 && isDeepStrictEqual(usage, {s1: {...explained, processes: 2, pulse}})
    );
  });
});

test('the pulse of a session is what its terminal printed, and a killed daemon loses none of it', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sh', '-c', 'stty raw; printf %0700d 0; exec sleep 1001');
  await fixture.start('true');
  await fixture.endOf('s2');
  const sum = (pulse: readonly number[] = []): number =>
    pulse.reduce((total, bytes) => total + bytes, 0);
  const pulseOf = async (): Promise<readonly number[]> => {
    const {usage} = (await fixture.ask({about: 'usage', sessions: ['s1']})) as UsageReport;
    return usage['s1']?.pulse ?? [];
  };
  await eventually('the interval is complete', async () => sum(await pulseOf()) === 700);
  assert.equal((await pulseOf()).length, 8);
  await fixture.killDaemon('SIGKILL');
  assert.equal(sum(await pulseOf()), 700);
  assert.equal(sum((await fixture.sessionOf('s1'))?.pulse), 700);
  assert.equal((await fixture.sessionOf('s2'))?.pulse, undefined);
});
