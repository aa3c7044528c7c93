import {spawn} from 'node:child_process';
import {cookieName} from '../../system/index.ts';

/**
 * Restarts the daemon outside of the session that it was started in. Otherwise stopping that
 * session, for example an agent's that called orchestra, would end the daemon and every keeper that
 * it started. False if it is in no session.
 */
export function leaveSession(env: Readonly<Record<string, string>>): boolean {
  if (env[cookieName] === undefined) return false;
  const outsideEnv = Object.fromEntries(
    Object.entries(env).filter(([name]) => name !== cookieName),
  );
  spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: outsideEnv,
  }).unref();
  return true;
}
