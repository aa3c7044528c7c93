import assert from 'node:assert/strict';
import {setTimeout as delay} from 'node:timers/promises';
import {test} from 'node:test';
import {kernelOf, readSwitches} from '../../source/machine/index.ts';

const kernel = kernelOf({path: '/usr/bin:/bin', now: Date.now});

test('a process that went to sleep in between is told from one that slept all the time', async () => {
  const before = readSwitches(process.pid, kernel);
  await delay(1);
  const after = readSwitches(process.pid, kernel);
  assert.ok(before !== undefined && after !== undefined && after > before);
});

test('a process that is not there has no count', () => {
  assert.equal(readSwitches(2 ** 22 + 1, kernel), undefined);
});
