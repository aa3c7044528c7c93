import {spawn} from 'node:child_process';
import {cookieName} from '../machine/index.ts';

/**
 * An agent that calls us starts us inside its own session. Stopping that session would then end the daemon, and with it
 * every keeper that it started. So it starts itself anew, outside, before it does anything. False if it is outside.
 */
export function leaveSession(env: Readonly<Record<string, string>>): boolean {
  if (env[cookieName] === undefined) return false;
  const outside = Object.fromEntries(Object.entries(env).filter(([name]) => name !== cookieName));
  spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: outside,
  }).unref();
  return true;
}
