import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isGitFileName} from '../../source/shared/index.ts';

test("git's own files are found in every spelling that a file system takes for them", () => {
  for (const name of [
    '.git',
    '.GIT',
    '.git. .',
    'git~1',
    '.git::$INDEX_ALLOCATION',
    '.gitmodules',
    'GITMOD~2',
    '.gitattributes',
    'gitatt~1.',
  ])
    assert.ok(isGitFileName(name), name);
  for (const name of [
    '.gitignore',
    '.gitkeep',
    '.github',
    'git',
    'git~',
    '.gitmodules.bak',
    'a.git',
  ])
    assert.ok(!isGitFileName(name), name);
});
