import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readdirSync} from 'node:fs';
import {describe, it} from 'node:test';
import {detectDependencies, measureSharing} from '../../../source/git/index.ts';
import {makeRepository} from '../support/repository.ts';

type Case = readonly [
  what: string,
  ignore: string,
  files: readonly string[],
  found: readonly string[],
];

const cases: readonly Case[] = [
  [
    'Node packages of npm',
    'node_modules/',
    ['node_modules/.package-lock.json', 'node_modules/a/package.json'],
    ['node_modules'],
  ],
  [
    'Node packages without a lock file, in scopes',
    'node_modules/',
    ['node_modules/@x/a/package.json'],
    ['node_modules'],
  ],
  [
    'those of workspaces, each by itself',
    'node_modules/',
    ['node_modules/.modules.yaml', 'packages/a/node_modules/b/package.json'],
    ['node_modules', 'packages/a/node_modules'],
  ],
  ['an empty directory of that name', 'node_modules/', ['node_modules/.keep'], []],
  ['packages that are tracked', '', ['node_modules/a/package.json'], []],
  [
    'a virtualenv of any name',
    '.venv/\nmy-env/',
    ['.venv/pyvenv.cfg', 'my-env/pyvenv.cfg'],
    ['.venv', 'my-env'],
  ],
  [
    'a virtualenv inside of an ignored directory',
    'build/',
    ['build/env/pyvenv.cfg'],
    ['build/env'],
  ],
  ['a directory called .venv that is none', '.venv/', ['.venv/readme'], []],
  ["Cargo's target", 'target/', ['Cargo.toml', 'target/CACHEDIR.TAG'], ['target']],
  ['a target without Cargo', 'target/', ['target/CACHEDIR.TAG'], []],
  ['Composer', 'vendor/', ['vendor/autoload.php'], ['vendor']],
  ['Go modules that are ignored', 'vendor/', ['go.mod', 'vendor/modules.txt'], ['vendor']],
  ['CocoaPods', 'Pods/', ['Pods/Manifest.lock'], ['Pods']],
  ['tox', '.tox/', ['.tox/py/pyvenv.cfg'], ['.tox']],
  [
    'caches that hold no dependencies',
    '.pytest_cache/\ndist/\ncoverage/',
    ['.pytest_cache/CACHEDIR.TAG', 'dist/index.js', 'coverage/index.html'],
    [],
  ],
];

describe('dependencies of the checkout', () => {
  for (const [what, ignore, files, found] of cases) {
    it(`are found: ${what}`, async () => {
      const repository = makeRepository({
        '.gitignore': `${ignore}\n`,
        ...(ignore === '' ? Object.fromEntries(files.map((file) => [file, '{}'])) : {}),
      });
      try {
        for (const file of files) repository.write(file, '{}');
        assert.deepEqual(
          (await detectDependencies(repository.workspace)).map(({path: name}) => name),
          found,
        );
      } finally {
        repository.remove();
      }
    });
  }

  it('are measured with the ways that work here, and nothing of it is left', async () => {
    const {workspace, write, remove} = makeRepository({'.gitignore': 'node_modules/\n'});
    try {
      for (let number = 0; number < 300; number++)
        write(`node_modules/p${number % 7}/${number}.js`, 'x'.repeat(1000));
      const {bytes, files, isCut, ways} = await measureSharing(workspace, 'node_modules');
      assert.deepEqual([bytes, files, isCut], [300_000, 300, false]);
      assert.ok(ways.some(({how}) => how === 'copy') && ways.some(({how}) => how === 'hard-link'));
      assert.ok(ways.every(({ms}) => ms >= 1 && ms < 60_000));
      const making = path.join(workspace.private, 'making');
      assert.deepEqual(existsSync(making) ? readdirSync(making) : [], []);
    } finally {
      remove();
    }
  });
});
