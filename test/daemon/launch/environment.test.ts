import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toWorktreeEnvironment} from '../../../source/daemon/launch/environment.ts';

const there = new Set(['/w/r1-t1', '/w/r1-t1/.venv', '/w/r1-t1/.venv/bin', '/w/r1-t1/bin']);
const places = {
  checkouts: ['/linked', '/home/me/app'],
  worktree: '/w/r1-t1',
  isThere: (place: string) => there.has(place),
};

for (const [what, name, value, expected] of [
  ['a virtualenv that the worktree has', 'VIRTUAL_ENV', '/home/me/app/.venv', '/w/r1-t1/.venv'],
  ['one that it lacks', 'VIRTUAL_ENV', '/home/me/app/env', '/home/me/app/env'],
  [
    'entries of PATH, each by itself',
    'PATH',
    '/home/me/app/.venv/bin:/usr/bin:/home/me/app/node_modules/.bin:/home/me/app/bin',
    '/w/r1-t1/.venv/bin:/usr/bin:/home/me/app/node_modules/.bin:/w/r1-t1/bin',
  ],
  ['other lists', 'MISE_TRUSTED_CONFIG_PATHS', '/x:/home/me/app', '/x:/w/r1-t1'],
  ['the checkout itself', 'PROJECT_ROOT', '/home/me/app', '/w/r1-t1'],
  ['with a slash at its end', 'PROJECT_ROOT', '/home/me/app/', '/w/r1-t1'],
  [
    'another checkout that the run was asked for in',
    'VIRTUAL_ENV',
    '/linked/.venv',
    '/w/r1-t1/.venv',
  ],
  ['what only begins alike', 'X', '/home/me/app.venv', '/home/me/app.venv'],
  ['what leads out of it', 'X', '/home/me/app/../other/.venv', '/home/me/app/../other/.venv'],
  ['relative entries and empty ones', 'PATH', ':.:bin:', ':.:bin:'],
  ['text that is no path', 'WORDS', 'see /home/me/app/.venv', 'see /home/me/app/.venv'],
  ['a list under a name that says nothing of it', 'FLAGS', '/home/me/app:/x', '/home/me/app:/x'],
] as const) {
  test(`in a worktree: ${what}`, () => {
    assert.deepEqual(toWorktreeEnvironment({[name]: value, HOME: '/home/me'}, places), {
      [name]: expected,
      HOME: '/home/me',
    });
  });
}
