import assert from 'node:assert/strict';
import path from 'node:path';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {pretendAgents} from './support/loop-fixture.ts';

/**
 * What agents do, well and badly: each is taken through a real daemon by a test beside this one.
 */
const wanted = [
  'ask',
  'ask-password',
  'break-rule',
  'commit-itself',
  'crash',
  'escapes',
  'fail-once',
  'fail-twice',
  'fork-server',
  'never-stop',
  'no-op',
  'out-of-scope',
  'self-approve',
  'spew',
  'succeed',
];

test('every pretend agent is played by a test', () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts') && name !== path.basename(import.meta.filename))
    .map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'))
    .join('\n');
  const programs = readdirSync(pretendAgents)
    .filter((name) => name.endsWith('.sh'))
    .map((name) => path.basename(name, '.sh'));
  assert.deepEqual(
    wanted.filter((name) => !programs.includes(name)),
    [],
  );
  // These three are what a stage plays when a test says nothing else.
  assert.deepEqual(
    programs.filter(
      (name) => !['by-task', 'plan', 'succeed'].includes(name) && !tests.includes(`${name}.sh`),
    ),
    [],
  );
});
