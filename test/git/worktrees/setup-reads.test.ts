import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createSetupFileFilter, fingerprintSetupFiles} from '../../../source/git/index.ts';
import {makeRepository} from '../support/repository.ts';

describe('what a setup command reads', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['npm ci', 'package.json', true],
    ['npm ci', 'packages/web/package-lock.json', true],
    ['npm ci', 'src/index.ts', false],
    ['npm ci', 'README.md', false],
    ['npm ci', '.nvmrc', true],
    ['pip install -r deps/dev.txt', 'deps/dev.txt', true],
    ['pip install .', 'requirements-dev.txt', true],
    ['pip install .', 'notes.txt', false],
    ['pip install .', 'pyproject.toml', true],
    ['sh scripts/setup.sh --fast', 'scripts/setup.sh', true],
    ['./scripts/setup.sh', 'scripts/setup.sh', true],
    ['sh scripts/setup.sh', 'scripts/other.sh', false],
    ['make -C tools/', 'tools/gen.c', true],
    ['cp .env.example .env', '.env.example', true],
    ['true', 'src/a.ts', false],
    ['cargo fetch', 'Cargo.lock', true],
    ['go mod download', 'go.sum', true],
    ['cat ../secret', 'secret', false],
  ];
  for (const [command, file, expected] of rows)
    it(`${command}: ${file} ${expected ? 'is' : 'is not'} among it`, () => {
      assert.equal(createSetupFileFilter(command)(file), expected);
    });

  it('has another fingerprint when one of them changes, and only then', async () => {
    const repository = makeRepository({
      'package.json': '{}\n',
      'src/a.ts': '1\n',
      'scripts/setup.sh': 'true\n',
    });
    try {
      const {workspace, git, write} = repository;
      const print = (command = 'sh scripts/setup.sh'): Promise<string> =>
        fingerprintSetupFiles(workspace, {tree: git('write-tree').trim(), command});
      const change = (file: string, text: string): void => {
        write(file, text);
        git('add', '--all');
      };
      const first = await print();
      change('src/a.ts', '2\n');
      assert.equal(await print(), first);
      change('scripts/setup.sh', 'npm ci\n');
      const second = await print();
      assert.notEqual(second, first);
      change('package.json', '{"name": "x"}\n');
      assert.notEqual(await print(), second);
      change('package.json', '{}\n');
      assert.equal(await print(), second, 'what is as it was is as it was');
    } finally {
      repository.remove();
    }
  });
});
