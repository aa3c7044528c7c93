import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';
import {exceptions, rawFileAccess} from './support/file-law.ts';
import {rooms, violationsOf} from './support/law.ts';
import {processViolations, starters} from './support/process-law.ts';

const source = path.join(import.meta.dirname, '..', 'source');

function readHouse(): Map<string, string> {
  const files = readdirSync(source, {recursive: true, encoding: 'utf8'}).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return new Map(
    files.map((file) => [
      file.split(path.sep).join('/'),
      readFileSync(path.join(source, file), 'utf8'),
    ]),
  );
}

const door = '/** A room.\n * Not here: anything. */\n';
const sound: readonly [string, string][] = [
  ['base/index.ts', `${door}export const one = 1;\n`],
  ['domain/index.ts', `${door}export {two} from './two.ts';\n`],
  ['domain/two.ts', "import {one} from '../base/index.ts';\nexport const two = one + one;\n"],
];

function planted(...files: readonly [string, string][]): string[] {
  return violationsOf(new Map([...sound, ...files])).map(({file, text}) => `${file}: ${text}`);
}

test('the house keeps its law', () => {
  assert.deepEqual(violationsOf(readHouse()), []);
});

test('files are opened through one module, or it is said who can write there', () => {
  assert.deepEqual(rawFileAccess(readHouse()), []);
  for (const [file, {why}] of Object.entries(exceptions)) assert.ok(why.length > 10, file);
});

describe('opening a file past the module is found:', () => {
  const ways: readonly [string, string, string][] = [
    ['by name', "import {readFileSync} from 'node:fs';", 'readFileSync'],
    ['by another name', "import {readFileSync as lstatSync} from 'node:fs';", 'readFileSync'],
    ['with a promise', "import {readFile} from 'node:fs/promises';", 'readFile'],
    ['without node:', "import {createReadStream} from 'fs';", 'createReadStream'],
    ['to write', "import {appendFileSync} from 'node:fs';", 'appendFileSync'],
    ['a directory', "import {readdirSync} from 'node:fs';", 'readdirSync'],
    ['a copy', "import {copyFileSync, lstatSync} from 'node:fs';", 'copyFileSync'],
    [
      'a function that comes with the next release',
      "import {slurpSync} from 'node:fs';",
      'slurpSync',
    ],
    ['the whole module', "import fs from 'node:fs';", 'everything'],
    ['the whole module as an object', "import * as fs from 'node:fs';", 'everything'],
    ['promises of it', "import {promises} from 'node:fs';", 'promises'],
    ['later', "const fs = await import('node:fs');", 'everything'],
    ['by require', "const {readFileSync} = require('fs');", 'everything'],
    ['built in', "const fs = process.getBuiltinModule('node:fs');", 'everything'],
    ['handed on', "export {readFileSync} from 'node:fs';", 'everything'],
  ];
  for (const [name, text, used] of ways) {
    test(name, () => {
      for (const room of ['daemon', 'workspace', 'tui', 'commands/app']) {
        const file = `${room}/peek.ts`;
        assert.deepEqual(
          rawFileAccess(new Map([[file, text]]), {}).map(({text: found}) => found.split(';')[0]),
          [`uses ${used} of node:fs`],
        );
        assert.deepEqual(
          rawFileAccess(new Map([[file, text]]), {[file]: {names: [used], why: 'it is planted'}}),
          [],
        );
      }

      assert.deepEqual(
        rawFileAccess(
          new Map([
            ['journal/peek.ts', text],
            ['files/peek.ts', text],
          ]),
          {},
        ),
        [],
      );
    });
  }

  test('what only looks, or is only a type, is not', () => {
    assert.deepEqual(
      rawFileAccess(
        new Map([
          [
            'daemon/a.ts',
            "import {lstatSync, type ReadStream} from 'node:fs';\nimport type {FileHandle} from 'node:fs/promises';",
          ],
        ]),
        {},
      ),
      [],
    );
  });

  test('an exception that nobody needs', () => {
    assert.deepEqual(
      rawFileAccess(new Map([['daemon/a.ts', '']]), {
        'daemon/a.ts': {names: ['openSync'], why: ''},
        'daemon/b.ts': {names: [], why: ''},
      }).map(({file, text}) => `${file} ${text}`),
      [
        'daemon/a.ts does not use openSync; take it out of test/support/file-law.ts',
        'daemon/b.ts is in test/support/file-law.ts and does not exist',
      ],
    );
  });
});

test('each package lives in one room, and zod in the two that read what is hostile', () => {
  const owners = new Map<string, string[]>();
  for (const [room, {owns}] of Object.entries(rooms)) {
    for (const name of owns.filter((owned) => !owned.startsWith('node:')))
      owners.set(name, [...(owners.get(name) ?? []), room]);
  }

  assert.deepEqual(
    [...owners].filter(([, where]) => where.length > 1),
    [['zod', ['documents', 'daemon']]],
  );
});

test('no source file is named on the machine that wrote it', () => {
  for (const [file, text] of readHouse())
    assert.doesNotMatch(text, /(?<![.\w])\/(?:home|Users)\/[a-z]/, file);
});

test('one way to run a program for a run: nobody but the launcher starts one', () => {
  const tree = readHouse();
  assert.deepEqual(processViolations(tree), []);
  assert.deepEqual(
    Object.keys(starters).filter((file) => !tree.has(file)),
    [],
    'the list names no file that is gone',
  );
});

describe('the law of processes fails on a planted violation:', () => {
  for (const [what, file, text] of [
    [
      'a performer that starts a program',
      'daemon/perform/capture.ts',
      "import {spawn} from 'node:child_process';\nspawn('sh');\n",
    ],
    [
      'one that loads it later',
      'daemon/perform/capture.ts',
      "const {spawn} = await import('node:child_process');\n",
    ],
    [
      'one that requires it',
      'workspace/change/diff-of.ts',
      "const {spawn} = createRequire(import.meta.url)('child_process');\n",
    ],
    [
      'one that uses a package for it',
      'workspace/change/diff-of.ts',
      "import {execa} from 'execa';\n",
    ],
    [
      'a performer that asks a program',
      'daemon/perform/capture.ts',
      "import {runProbe} from '../../machine/index.ts';\nawait runProbe('sh', [], {});\n",
    ],
    [
      'a sandbox of its own',
      'daemon/perform/capture.ts',
      'sandboxed({argv: []}, policy, tools);\n',
    ],
  ] as const) {
    test(what, () => {
      assert.equal(processViolations(new Map([[file, text]])).length, 1);
    });
  }
});

describe('the law fails on a planted violation:', () => {
  test('nothing planted, nothing found', () => {
    assert.deepEqual(planted(), []);
  });

  test('a room that enters one it may not', () => {
    assert.deepEqual(
      planted([
        'base/peek.ts',
        "import {two} from '../domain/index.ts';\nexport const peek = two;\n",
      ]),
      ['base/peek.ts: base may not enter domain'],
    );
  });

  test('a room entered by the window', () => {
    assert.deepEqual(
      planted(['documents/index.ts', `${door}export {two} from '../domain/two.ts';\n`]),
      ['documents/index.ts: enters domain through domain/two.ts, not through its door'],
    );
  });

  test('a dynamic import counts as well', () => {
    assert.deepEqual(
      planted(['base/late.ts', "export const late = import('../domain/index.ts');\n"]),
      ['base/late.ts: base may not enter domain'],
    );
  });

  test('a package used outside its room', () => {
    assert.deepEqual(
      planted(['domain/three.ts', "import {z} from 'zod';\nexport const three = z;\n"]),
      ['domain/three.ts: may not use zod: it does not live in domain'],
    );
  });

  test('Node in the pure core', () => {
    assert.deepEqual(
      planted([
        'domain/three.ts',
        "import {readFileSync} from 'node:fs';\nexport const three = readFileSync;\n",
      ]),
      ['domain/three.ts: may not use node:fs: it does not live in domain'],
    );
  });

  for (const word of ['Date', 'Math.random', 'Promise', 'async', 'setTimeout', 'process']) {
    test(`${word} in the pure core, but not in its comments and strings`, () => {
      assert.deepEqual(planted(['domain/three.ts', `export const three = ${word};\n`]), [
        `domain/three.ts: is pure and may not say ${word}`,
      ]);
      assert.deepEqual(
        planted(['domain/three.ts', `// ${word}\nexport const three = '${word}';\n`]),
        [],
      );
    });
  }

  test('a folder that is not in the table', () => {
    assert.deepEqual(planted(['utils/index.ts', door]), [
      'utils/index.ts: the folder utils/ is not a room of the house',
    ]);
  });

  test('a file beside the rooms', () => {
    assert.deepEqual(planted(['helper.ts', '']), [
      'helper.ts: stands beside the rooms, but is not one of cli.ts, launcher.ts',
    ]);
  });

  test('a room without a door', () => {
    assert.deepEqual(planted(['journal/append.ts', '']), [
      'journal/index.ts: the room has no door',
    ]);
  });

  test('a door without a charter', () => {
    assert.deepEqual(planted(['journal/index.ts', 'export const x = 1;\n']), [
      'journal/index.ts: the door does not begin with its charter',
    ]);
  });

  test('a charter that does not say what is absent', () => {
    assert.deepEqual(planted(['journal/index.ts', '/** What survives a crash. */\n']), [
      'journal/index.ts: the charter has no "Not here:" line',
    ]);
  });

  test('an import cycle inside a room', () => {
    assert.deepEqual(
      planted(
        ['domain/a.ts', "import {b} from './b.ts';\nexport const a = b;\n"],
        ['domain/b.ts', "import {a} from './a.ts';\nexport const b = a;\n"],
      ),
      ['domain/a.ts: import cycle: domain/a.ts → domain/b.ts → domain/a.ts'],
    );
  });

  test('an import of what does not exist', () => {
    assert.deepEqual(
      planted(['domain/a.ts', "import {b} from './nowhere.ts';\nexport const a = b;\n"]),
      ['domain/a.ts: imports ./nowhere.ts, which does not exist'],
    );
  });

  test('a room that imports the command line', () => {
    assert.deepEqual(
      planted(
        ['cli.ts', 'export const x = 1;\n'],
        ['domain/a.ts', "import {x} from '../cli.ts';\nexport const a = x;\n"],
      ),
      ['domain/a.ts: may not import cli.ts: nothing imports what stands beside the rooms'],
    );
  });
});
