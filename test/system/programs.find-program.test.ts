import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {findProgram, trustedPath} from '../../source/system/index.ts';
import {temporaryDirectory, writeProgram} from './fixtures.ts';

/** A machine with two directories of programs, and a repository with one of its own. */
function machine(t: TestContext): {
  first: string;
  second: string;
  repository: string;
  planted: string;
} {
  const home = temporaryDirectory(t);
  const [first, second, repository] = [
    path.join(home, 'first'),
    path.join(home, 'second'),
    path.join(home, 'repository'),
  ];
  const planted = path.join(repository, 'node_modules', '.bin');
  for (const directory of [first, second, planted]) mkdirSync(directory, {recursive: true});
  return {first, second, repository, planted};
}

test('the first executable on PATH is found', (t) => {
  const {first, second} = machine(t);
  writeProgram(second, 'tool');
  assert.deepEqual(findProgram('tool', {path: `${first}:${second}`}), {
    file: path.join(second, 'tool'),
    ignored: [],
  });
  writeProgram(first, 'tool');
  assert.deepEqual(findProgram('tool', {path: `${first}:${second}`}), {
    file: path.join(first, 'tool'),
    ignored: [],
  });
});

test('what is not there is not found', (t) => {
  const {first} = machine(t);
  assert.deepEqual(findProgram('tool', {path: `${first}:/no/such/directory`}), {ignored: []});
  assert.deepEqual(findProgram('tool', {path: ''}), {ignored: []});
});

test('a directory and a file that is not executable are no programs', (t) => {
  const {first, second} = machine(t);
  mkdirSync(path.join(first, 'tool'));
  writeFileSync(path.join(second, 'tool'), '');
  chmodSync(path.join(second, 'tool'), 0o644);
  assert.deepEqual(findProgram('tool', {path: `${first}:${second}`}), {ignored: []});
});

test('relative and empty entries of PATH are ignored', (t) => {
  const {first} = machine(t);
  writeProgram(first, 'tool');
  const relative = path.relative(process.cwd(), first);
  assert.deepEqual(findProgram('tool', {path: `:.:${relative}:./${relative}`}), {ignored: []});
});

test('a program that the repository brought along is passed over, and told', (t) => {
  const {first, repository, planted} = machine(t);
  writeProgram(planted, 'tool');
  writeProgram(first, 'tool');
  assert.deepEqual(findProgram('tool', {path: `${planted}:${first}`, outside: repository}), {
    file: path.join(first, 'tool'),
    ignored: [path.join(planted, 'tool')],
  });
  assert.deepEqual(findProgram('tool', {path: planted, outside: repository}), {
    ignored: [path.join(planted, 'tool')],
  });
});

test('a link does not bring it in, from either side', (t) => {
  const {first, second, repository, planted} = machine(t);
  symlinkSync(writeProgram(planted, 'tool'), path.join(first, 'tool'));
  symlinkSync(planted, path.join(second, 'bin'));
  symlinkSync(repository, `${repository}-link`);
  assert.equal(
    findProgram('tool', {path: `${first}:${second}/bin`, outside: repository}).file,
    undefined,
  );
  assert.equal(findProgram('tool', {path: planted, outside: `${repository}-link`}).file, undefined);
});

test('a directory whose name only begins like the repository is outside of it', (t) => {
  const {repository} = machine(t);
  mkdirSync(`${repository}-tools`);
  const file = writeProgram(`${repository}-tools`, 'tool');
  assert.deepEqual(findProgram('tool', {path: `${repository}-tools`, outside: repository}), {
    file,
    ignored: [],
  });
});

test('the PATH that programs get has no place in it where the repository could plant one', (t) => {
  const {first, repository, planted} = machine(t);
  symlinkSync(planted, path.join(first, 'link'));
  assert.equal(
    trustedPath({
      path: `.::bin:${planted}:${first}:${first}/link:${repository}`,
      outside: repository,
    }),
    first,
  );
});

test('what stands in a worktree of an agent, of whatever repository, is no program of ours, also behind a link', (t) => {
  const {first, second, repository} = machine(t);
  const worktrees = [
    `${repository}.worktrees/r1-t1`,
    `${first}.worktrees/r12-merge-2/deep`,
    `${first}.worktrees/.orchestra-trash/x`,
  ];
  writeProgram(second, 'tool');
  for (const worktree of worktrees) {
    mkdirSync(worktree, {recursive: true});
    writeProgram(worktree, 'tool');
    symlinkSync(path.join(worktree, 'tool'), path.join(first, 'tool'));
    for (const outside of [repository, undefined]) {
      assert.equal(
        findProgram('tool', {path: `${worktree}:${first}:${second}`, outside}).file,
        path.join(second, 'tool'),
        worktree,
      );
      assert.equal(trustedPath({path: `${worktree}:${second}`, outside}), second);
    }

    rmSync(path.join(first, 'tool'));
  }

  const own = `${repository}.worktrees/feature`;
  mkdirSync(own);
  writeProgram(own, 'tool');
  assert.equal(
    findProgram('tool', {path: own, outside: repository}).file,
    path.join(own, 'tool'),
    "one of the person's own",
  );
});
