import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {addSharedFolders, parseProject} from '../../source/project-config/index.ts';
import type {SharedFolder} from '../../source/domain/index.ts';

type Case = readonly [what: string, before: string, added: readonly SharedFolder[], after: string];

const cases: readonly Case[] = [
  ['no file', '', ['node_modules'], 'share: [node_modules]\n'],
  ['only comments', '# mine\n', ['node_modules'], '# mine\nshare: [node_modules]\n'],
  [
    'other fields, without a last newline',
    '# mine\nsetup: npm ci # why',
    ['a b'],
    '# mine\nsetup: npm ci # why\nshare: ["a b"]\n',
  ],
  [
    'a list in brackets',
    'share: [node_modules] # deps\nbranch: x\n',
    ['.venv'],
    'share: [node_modules, .venv] # deps\nbranch: x\n',
  ],
  ['an empty list', 'share: []\n', ['.venv'], 'share: [.venv]\n'],
  [
    'a list of lines, with comments',
    'share:\n  # one\n  - node_modules # yes\n  # two\nbranch: x\n',
    ['.venv', 'target'],
    'share:\n  # one\n  - node_modules # yes\n  - .venv\n  - target\n  # two\nbranch: x\n',
  ],
  [
    'a list of lines without an indent',
    'share:\n- node_modules\nbranch: x\n',
    ['.venv'],
    'share:\n- node_modules\n- .venv\nbranch: x\n',
  ],
  [
    'a single text',
    'share: node_modules # deps\n',
    ['.venv'],
    'share: [node_modules, .venv] # deps\n',
  ],
  ['what is there already', 'share: [node_modules]\n', ['node_modules'], 'share: [node_modules]\n'],
  [
    'hard links',
    'share: [node_modules]\n',
    [{path: 'store', by: 'hard-link'}],
    'share: [node_modules, {path: store, by: hard-link}]\n',
  ],
  [
    'names that look like something else',
    '',
    ['123', 'true', '1.5'],
    'share: ["123", "true", "1.5"]\n',
  ],
  ['Windows line ends', 'setup: npm ci\r\n', ['deps'], 'setup: npm ci\r\nshare: [deps]\n'],
];

describe('entries of share are added to the project file', () => {
  for (const [what, before, added, after] of cases) {
    it(`and nothing else is changed: ${what}`, () => {
      assert.deepEqual(addSharedFolders(before, added), {text: after});
      const {share = []} = parseProject(after).value;
      for (const folder of added)
        assert.ok(
          share.some((one) => JSON.stringify(one) === JSON.stringify(folder)),
          after,
        );
    });
  }

  it('and comments stay where only the library can write it', () => {
    for (const before of [
      '{setup: npm ci} # flow\n',
      'share: # later\nsetup: npm ci # why\n',
      'share: [a, ]\n# end\n',
    ]) {
      const changed = addSharedFolders(before, ['.venv']);
      assert.ok('text' in changed, before);
      assert.deepEqual(parseProject(changed.text).value.share?.at(-1), '.venv');
      for (const comment of before.match(/# \w+/g) ?? [])
        assert.ok(changed.text.includes(comment), changed.text);
    }
  });

  it('and a file that cannot be read is left alone', () => {
    const changed = addSharedFolders('share: [\n', ['.venv']);
    assert.ok('rejected' in changed);
    assert.match(changed.rejected, /^it cannot be read: line \d+: /);
  });
});
