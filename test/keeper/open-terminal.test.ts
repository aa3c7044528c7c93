import assert from 'node:assert/strict';
import process from 'node:process';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {isSameProcess, readIdentity} from '../../source/keeper/open-terminal.ts';

test('a process is still the same only if it also began when it did', () => {
  const own = readIdentity(process.pid);
  assert(own.startTime !== null && own.startTime > 0);
  assert(isSameProcess(own));
  assert(
    !isSameProcess({...own, startTime: own.startTime - 1}),
    'another one that was given the number',
  );
  const {pid} = spawnSync('true');
  assert(!isSameProcess({pid, startTime: own.startTime}), 'nobody is there any more');
  assert(!isSameProcess(readIdentity(pid)), 'it was gone before anybody looked');
});
