import assert from 'node:assert/strict';
import path from 'node:path';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, test} from 'node:test';
import {resolveInside} from '../../source/playbook-agent/change-file.ts';
import {createFixture, play} from './support/fixture.ts';

const steps = [
  'write: {path: PATH, text: evil}',
  'append: {path: PATH, text: evil}',
  'replace: {path: PATH, find: secret, with: evil}',
];

/** What is planted in the worktree, and the path that leads over it. */
const attacks: readonly (readonly [
  name: string,
  plant: (directory: string, outside: string) => void,
  path: string,
  message: RegExp,
])[] = [
  [
    'a link to a file outside',
    (directory, outside) => {
      symlinkSync(path.join(outside, 'secret.txt'), path.join(directory, 'a'));
    },
    'a',
    /leads out of the worktree/,
  ],
  [
    'a relative link to a file outside',
    (directory) => {
      symlinkSync('../outside/secret.txt', path.join(directory, 'a'));
    },
    'a',
    /leads out of the worktree/,
  ],
  [
    'a folder that is a link outside',
    (directory, outside) => {
      symlinkSync(outside, path.join(directory, 'a'));
    },
    'a/secret.txt',
    /leads out of the worktree/,
  ],
  [
    'a new file in a folder that is a link outside',
    (directory, outside) => {
      symlinkSync(outside, path.join(directory, 'a'));
    },
    'a/b/new.txt',
    /leads out of the worktree/,
  ],
  [
    'a link to a link outside',
    (directory, outside) => {
      symlinkSync(outside, path.join(directory, 'b'));
      symlinkSync('b/secret.txt', path.join(directory, 'a'));
    },
    'a',
    /leads out of the worktree/,
  ],
  [
    'a link to a file outside that is not there yet',
    (directory, outside) => {
      symlinkSync(path.join(outside, 'new.txt'), path.join(directory, 'a'));
    },
    'a',
    /which leads nowhere/,
  ],
  [
    'links in a circle',
    (directory) => {
      symlinkSync('b', path.join(directory, 'a'));
      symlinkSync('a', path.join(directory, 'b'));
    },
    'a/x',
    /which leads nowhere/,
  ],
  [
    'a link into the repository',
    (directory, outside) => {
      symlinkSync(path.join(outside, '../repository/.git'), path.join(directory, 'a'));
    },
    'a/config',
    /leads out of the worktree/,
  ],
  [
    'a link to git’s own file',
    (directory) => {
      symlinkSync('.git', path.join(directory, 'a'));
    },
    'a',
    /into what no task may change/,
  ],
  [
    'a link to the worktree’s neighbour of the same beginning',
    (directory) => {
      mkdirSync(`${directory}-2`);
      symlinkSync(`${directory}-2`, path.join(directory, 'a'));
    },
    'a/x',
    /leads out of the worktree/,
  ],
  [
    'a link to everything above',
    (directory) => {
      symlinkSync('..', path.join(directory, 'a'));
    },
    'a/outside/secret.txt',
    /leads out of the worktree/,
  ],
];

describe('nothing outside of the worktree is changed by:', () => {
  for (const [name, plant, target, text] of attacks) {
    test(name, async (t) => {
      for (const step of steps) {
        const fixture = createFixture(t, `tasks: {t1: [{${step.replace('PATH', target)}}]}`);
        const outside = path.join(fixture.directory, '../outside');
        mkdirSync(outside);
        writeFileSync(path.join(outside, 'secret.txt'), 'secret');
        plant(fixture.directory, outside);
        const {code, outcome} = await play(fixture);
        assert.deepEqual([code, outcome?.at], [1, 'failed']);
        assert.match(outcome?.words ?? '', text);
        assert.deepEqual(
          [readdirSync(outside), readFileSync(path.join(outside, 'secret.txt'), 'utf8')],
          [['secret.txt'], 'secret'],
        );
      }
    });
  }
});

test('to delete a link deletes the link, not what it leads to', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{delete: a}, {delete: b}]}');
  const outside = path.join(fixture.directory, '../outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'secret.txt'), 'secret');
  symlinkSync(path.join(outside, 'secret.txt'), path.join(fixture.directory, 'a'));
  symlinkSync('nowhere', path.join(fixture.directory, 'b'));
  assert.equal((await play(fixture)).code, 0);
  assert.deepEqual(readdirSync(fixture.directory), ['.git']);
  assert.equal(existsSync(path.join(outside, 'secret.txt')), true);
});

test('to delete over a folder that is a link outside is refused', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{delete: a/secret.txt}]}');
  const outside = path.join(fixture.directory, '../outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'secret.txt'), 'secret');
  symlinkSync(outside, path.join(fixture.directory, 'a'));
  assert.equal((await play(fixture)).outcome?.at, 'failed');
  assert.equal(existsSync(path.join(outside, 'secret.txt')), true);
});

test('what stands where the half-written file will be is not followed', async (t) => {
  const fixture = createFixture(t, 'tasks: {t1: [{write: {path: a.txt, text: new}}]}');
  const outside = path.join(fixture.directory, '../outside.txt');
  writeFileSync(outside, 'secret');
  symlinkSync(outside, path.join(fixture.directory, '.a.txt.tmp'));
  assert.equal((await play(fixture)).code, 0);
  assert.deepEqual(
    [
      readFileSync(outside, 'utf8'),
      readFileSync(path.join(fixture.directory, 'a.txt'), 'utf8'),
      readdirSync(fixture.directory),
    ],
    ['secret', 'new', ['.git', 'a.txt']],
  );
});

for (const file of [
  '/etc/passwd',
  '../x',
  'a/../../x',
  '.git',
  '.git/config',
  'sub/.git/config',
  'a\\..\\b',
  '',
]) {
  test(`also without a reader before it, ${JSON.stringify(file)} is refused`, (t) => {
    assert('rejected' in resolveInside(createFixture(t, '').directory, file, {followLast: true}));
  });
}
