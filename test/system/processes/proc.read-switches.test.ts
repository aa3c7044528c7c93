import assert from 'node:assert/strict';
import {test} from 'node:test';
import {getKernel, readSwitches} from '../../../source/system/index.ts';

const kernel = getKernel({path: '/usr/bin:/bin', now: Date.now});

test('a process that went to sleep in between is told from one that slept all the time', () => {
  const before = readSwitches(process.pid, kernel);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  const after = readSwitches(process.pid, kernel);
  assert.ok(before !== undefined && after !== undefined && after > before);
});

test('a process that is not there has no count', () => {
  assert.equal(readSwitches(2 ** 22 + 1, kernel), undefined);
});
