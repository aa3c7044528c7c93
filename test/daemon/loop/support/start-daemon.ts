import {spawn} from 'node:child_process';
import {closeSync, mkdirSync, openSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {ensureLockName} from '../../../../source/daemon/index.ts';
import {isRunning, launcher} from '../../support/place.ts';
import type {Stage} from './stage.ts';

/** A daemon of which nobody has heard yet. */
export type Newborn = {
  readonly pid: number;
  readonly isOver: () => boolean;
  /** It is the one daemon of the repository: from here on it replays, takes up what lives, and goes on. */
  readonly hasLock: () => boolean;
};

/** As a client does it, without waiting for its answer: so it can be killed before it gives one. */
export function startDaemon(stage: Stage, failpoints: string): Newborn {
  const {stateDirectory} = stage.here();
  mkdirSync(stateDirectory, {recursive: true, mode: 0o700});
  const log = openSync(path.join(stateDirectory, 'daemon.log'), 'a', 0o600);
  const child = spawn(process.execPath, [launcher, 'daemon', 'run'], {
    cwd: stage.root,
    env: {...stage.env, ...(failpoints === '' ? {} : {ORCHESTRA_FAILPOINTS: failpoints})},
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
