import path from 'node:path';
import {spawn} from 'node:child_process';
import {closeSync, mkdirSync, openSync, readFileSync} from 'node:fs';
import {ensureLockName} from '../../../../source/daemon/index.ts';
import {isRunning, launcher} from '../../../daemon/support/daemon-fixture.ts';
import type {LoopFixture} from './loop-fixture.ts';

/** A daemon that has not answered yet. */
export type Newborn = {
  readonly pid: number;
  readonly isOver: () => boolean;
  /** Resolves when the daemon has the lock; then it replays and recovers. */
  readonly hasLock: () => boolean;
};

/**
 * Starts the daemon as a client does, without waiting for its answer, so that it can be killed
 * before.
 */
export function startDaemon(fixture: LoopFixture, failpoints: string): Newborn {
  const {stateDirectory} = fixture.current();
  mkdirSync(stateDirectory, {recursive: true, mode: 0o700});
  const log = openSync(path.join(stateDirectory, 'daemon.log'), 'a', 0o600);
  const child = spawn(process.execPath, [launcher, 'daemon', 'run'], {
    cwd: fixture.root,
    env: {...fixture.env, ...(failpoints === '' ? {} : {ORCHESTRA_FAILPOINTS: failpoints})},
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  child.unref();
  const pid = child.pid ?? 0;
  const name = ensureLockName(stateDirectory).replace('\0', '@');
  return {
    pid,
    isOver: () => child.exitCode !== null || child.signalCode !== null || !isRunning(pid),
    hasLock: () => readFileSync('/proc/net/unix', 'utf8').includes(name),
  };
}
