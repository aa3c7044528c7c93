import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {cpSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {launcher} from '../../daemon/support/daemon-fixture.ts';
import {createFixture} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

const playbook = `plan:
  problem: It could be better.
  rootCause: Nobody has done it yet.
  tasks:
    - {id: t1, title: Do it, brief: Do it., files: [t1.txt]}
tasks:
  t1:
    - run: tool-of-mine > t1.txt
`;

test(
  'in a sandbox with a /tmp of its own, orchestra itself, the playbook and programs on PATH may lie in the real one',
  needs('bubblewrap'),
  async (t) => {
    // With TMPDIR elsewhere the repository counts as outside, so that /tmp is replaced.
    const fixture = createFixture(t, {
      env: {TMPDIR: '/var/tmp'},
      project: 'sandbox: required\n',
      rules: '# 1. Validation\n1. It is there. `test: sh check.sh`\n',
      files: {'check.sh': 'test "$(tool-of-mine)" = mine\n'},
    });
    assert.ok(fixture.home.startsWith('/tmp/'), 'these tests keep their places in /tmp');
    const [program, tools, book] = ['program', 'tools', 'book.yaml'].map((name) =>
      path.join(fixture.home, name),
    ) as [string, string, string];
    mkdirSync(program);
    cpSync(path.dirname(launcher), path.join(program, 'dist'), {recursive: true});
    symlinkSync(
      path.join(import.meta.dirname, '..', '..', '..', 'node_modules'),
      path.join(program, 'node_modules'),
    );
    mkdirSync(path.join(tools, 'bin'), {recursive: true});
    writeFileSync(path.join(tools, 'bin', 'tool-of-mine'), '#!/bin/sh\necho mine\n', {mode: 0o755});
    writeFileSync(book, playbook);
    const env = {...fixture.env, PATH: `${path.join(tools, 'bin')}:${fixture.env['PATH'] ?? ''}`};
    const done = await new Promise<{readonly code: number | null; readonly out: string}>(
      (resolve) => {
        const child = spawn(
          process.execPath,
          [
            path.join(program, 'dist', 'orchestra.js'),
            'run',
            'Make it better',
            '--playbook',
            book,
            '--approve',
          ],
          {cwd: fixture.root, env, stdio: ['ignore', 'pipe', 'pipe']},
        );
        const out: string[] = [];
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => out.push(text));
        child.once('close', (code) => {
          resolve({code, out: out.join('')});
        });
      },
    );
    assert.equal(done.code, 0, done.out);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'mine\n');
  },
);
