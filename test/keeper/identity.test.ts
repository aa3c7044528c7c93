import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {test} from 'node:test';
import {identityOf, isStill} from '../../source/keeper/identity.ts';

test('a process is still the same only if it also began when it did', () => {
  const own = identityOf(process.pid);
  assert(own.startTime !== null && own.startTime > 0);
  assert(isStill(own));
  assert(!isStill({...own, startTime: own.startTime - 1}), 'another one that was given the number');
  const {pid} = spawnSync('true');
  assert(!isStill({pid, startTime: own.startTime}), 'nobody is there any more');
  assert(!isStill(identityOf(pid)), 'it was gone before anybody looked');
});
