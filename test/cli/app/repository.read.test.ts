import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {readRepository} from '../../../source/cli/app/repository.ts';

test('problems of the project file and the rules are shown with their line until they are repaired', (t) => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'orchestra-facts-'));
  t.after(() => {
    rmSync(root, {recursive: true, force: true});
  });
  execFileSync('git', ['init', '-q', root]);
  const facts = readRepository({cwd: root, env: {PATH: process.env['PATH'] ?? '', HOME: root}});
  const file = path.join(root, '.orchestra', 'project.yaml');
  assert.deepEqual(
    [facts.project, facts.rules],
    [
      {problems: 0, first: ''},
      {exists: false, rules: 0, enforced: 0, checks: [], problems: 0},
    ],
  );
  mkdirSync(path.dirname(file));
  writeFileSync(file, 'limit: {}\n');
  writeFileSync(path.join(root, '.rulesfile.md'), '# 1. Rules\n- No debugging. `forbidd: /x/`\n');
  assert.deepEqual(
    [facts.project, facts.rules],
    [
      {
        problems: 1,
        first: '1: limit: is not a field here, so it is ignored. Did you mean "limits"?',
      },
      {exists: true, rules: 1, enforced: 0, checks: [], problems: 1},
    ],
  );
  writeFileSync(file, 'limits: {workers: 2}\n');
  assert.deepEqual(facts.project, {problems: 0, first: ''});
});
