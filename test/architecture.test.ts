import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, globSync, readdirSync, readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {type Group, groupOf} from '../scripts/test/groups.ts';
import {readModules, withModuleTable} from '../scripts/module-graph.ts';
import {exceptions, rawFileAccess} from './support/file-access-rules.ts';
import {getViolations, modules} from './support/module-rules.ts';
import {nameViolations, sharedNames} from './support/name-rules.ts';
import {processViolations, starters} from './support/process-rules.ts';

const source = path.join(import.meta.dirname, '..', 'source');

function readSourceTree(): Map<string, string> {
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

const entry = '/** A module.\n * Not here: anything. */\n';
const sound: readonly [string, string][] = [
  ['shared/index.ts', `${entry}export const one = 1;\n`],
  ['domain/index.ts', `${entry}export {two} from './two.ts';\n`],
  ['domain/two.ts', "import {one} from '../shared/index.ts';\nexport const two = one + one;\n"],
];

function planted(...files: readonly [string, string][]): string[] {
  return getViolations(new Map([...sound, ...files])).map(({file, text}) => `${file}: ${text}`);
}

test('source/ keeps the module rules', () => {
  assert.deepEqual(getViolations(readSourceTree()), []);
});

test('files are opened through one module, or it is said who can write there', () => {
  assert.deepEqual(rawFileAccess(readSourceTree()), []);
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
      for (const space of ['daemon', 'git', 'app', 'cli/app']) {
        const file = `${space}/peek.ts`;
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
        'daemon/a.ts does not use openSync; take it out of test/support/file-access-rules.ts',
        'daemon/b.ts is in test/support/file-access-rules.ts and does not exist',
      ],
    );
  });
});

test('each package belongs to one module; only execa, yaml and zod serve several', () => {
  const owners = new Map<string, string[]>();
  for (const [module, {owns}] of Object.entries(modules)) {
    for (const name of owns.filter((owned) => !owned.startsWith('node:')))
      owners.set(name, [...(owners.get(name) ?? []), module]);
  }

  assert.deepEqual(
    [...owners].filter(([, where]) => where.length > 1).map(([name]) => name),
    ['execa', 'yaml', 'zod'],
  );
});

test('no source file is named on the machine that wrote it', () => {
  for (const [file, text] of readSourceTree())
    assert.doesNotMatch(text, /(?<![.\w])\/(?:home|Users)\/[a-z]/, file);
});

test('one way to run a program for a run: nobody but the launcher starts one', () => {
  const tree = readSourceTree();
  assert.deepEqual(processViolations(tree), []);
  assert.deepEqual(
    Object.keys(starters).filter((file) => !tree.has(file)),
    [],
    'the list names no file that is gone',
  );
});

test('the whole context of the daemon is only where the daemon is wired together', () => {
  const naming = (type: string): string[] =>
    [...readSourceTree()]
      .filter(([, text]) => new RegExp(String.raw`\b${type}\b`).test(text))
      .map(([file]) => file)
      .toSorted();
  assert.deepEqual(naming('DaemonContext'), [
    'daemon/daemon-context.ts',
    'daemon/server/request-handler.ts',
    'daemon/startup/create-context.ts',
    'daemon/startup/run-daemon.ts',
    'daemon/startup/sockets.ts',
  ]);
  assert.deepEqual(naming('LaunchContext'), [
    'daemon/daemon-context.ts',
    'daemon/effects/capture.ts',
    'daemon/effects/effect-handler.ts',
    'daemon/effects/run-session.ts',
    'daemon/launch/agent-launch.ts',
    'daemon/launch/describe-launch.ts',
    'daemon/launch/run-confined.ts',
    'daemon/launch/sandbox-launch.ts',
    'daemon/sessions/start-keeper.ts',
  ]);
});

describe('the process rules fail on a planted violation:', () => {
  for (const [what, file, text] of [
    [
      'a performer that starts a program',
      'daemon/effects/capture.ts',
      "import {spawn} from 'node:child_process';\nspawn('sh');\n",
    ],
    [
      'one that loads it later',
      'daemon/effects/capture.ts',
      "const {spawn} = await import('node:child_process');\n",
    ],
    [
      'one that requires it',
      'git/changes/differences.ts',
      "const {spawn} = createRequire(import.meta.url)('child_process');\n",
    ],
    [
      'one that uses a package for it',
      'git/changes/differences.ts',
      "import {execa} from 'execa';\n",
    ],
    [
      'a performer that asks a program',
      'daemon/effects/capture.ts',
      "import {runProbe} from '../../system/index.ts';\nawait runProbe('sh', [], {});\n",
    ],
    [
      'a sandbox of its own',
      'daemon/effects/capture.ts',
      'sandboxed({argv: []}, policy, tools);\n',
    ],
  ] as const) {
    test(what, () => {
      assert.equal(processViolations(new Map([[file, text]])).length, 1);
    });
  }
});

describe('the module rules fail on a planted violation:', () => {
  test('nothing planted, nothing found', () => {
    assert.deepEqual(planted(), []);
  });

  test('a module that imports one it may not', () => {
    assert.deepEqual(
      planted([
        'shared/peek.ts',
        "import {two} from '../domain/index.ts';\nexport const peek = two;\n",
      ]),
      ['shared/peek.ts: shared may not import domain'],
    );
  });

  test('a module that is not imported through its index', () => {
    assert.deepEqual(
      planted(['plan/index.ts', `${entry}export {two} from '../domain/two.ts';\n`]),
      ['plan/index.ts: imports domain through domain/two.ts, not through its index.ts'],
    );
  });

  test('a dynamic import counts as well', () => {
    assert.deepEqual(
      planted(['shared/late.ts', "export const late = import('../domain/index.ts');\n"]),
      ['shared/late.ts: shared may not import domain'],
    );
  });

  test('a package used outside its module', () => {
    assert.deepEqual(
      planted(['domain/three.ts', "import {z} from 'zod';\nexport const three = z;\n"]),
      ['domain/three.ts: may not use zod: it does not belong to domain'],
    );
  });

  test('Node in the pure core', () => {
    assert.deepEqual(
      planted([
        'domain/three.ts',
        "import {readFileSync} from 'node:fs';\nexport const three = readFileSync;\n",
      ]),
      ['domain/three.ts: may not use node:fs: it does not belong to domain'],
    );
  });

  for (const word of ['Date', 'Math.random', 'Promise', 'async', 'setTimeout', 'process']) {
    test(`${word} in the pure core, but not in its comments and strings`, () => {
      assert.deepEqual(planted(['domain/three.ts', `export const three = ${word};\n`]), [
        `domain/three.ts: is pure and may not use ${word}`,
      ]);
      assert.deepEqual(
        planted(['domain/three.ts', `// ${word}\nexport const three = '${word}';\n`]),
        [],
      );
    });
  }

  test('a folder that is not in the table', () => {
    assert.deepEqual(planted(['utils/index.ts', entry]), [
      'utils/index.ts: the folder utils/ is not in the table of modules',
    ]);
  });

  test('a file in no module', () => {
    assert.deepEqual(planted(['helper.ts', '']), [
      'helper.ts: is in no module, and is not launcher.ts',
    ]);
  });

  test('a module without an index', () => {
    assert.deepEqual(planted(['journal/append.ts', '']), [
      'journal/index.ts: the module has no index.ts',
    ]);
  });

  test('an index without a charter', () => {
    assert.deepEqual(planted(['journal/index.ts', 'export const x = 1;\n']), [
      'journal/index.ts: the index does not begin with its charter',
    ]);
  });

  test('a charter that does not say what is absent', () => {
    assert.deepEqual(planted(['journal/index.ts', '/** What survives a crash. */\n']), [
      'journal/index.ts: the charter has no "Not here:" line',
    ]);
  });

  test('an import cycle inside a module', () => {
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

  test('a module that imports the launcher', () => {
    assert.deepEqual(
      planted(
        ['launcher.ts', 'export const x = 1;\n'],
        ['domain/a.ts', "import {x} from '../launcher.ts';\nexport const a = x;\n"],
      ),
      ['domain/a.ts: may not import launcher.ts: it is in no module'],
    );
  });
});

test('an exported name means one thing in all of source/', () => {
  assert.deepEqual(nameViolations(readSourceTree(), sharedNames), []);
});

describe('the name rules fail on a planted violation:', () => {
  const names = (...files: readonly [string, string][]): string[] =>
    nameViolations(new Map(files)).map(({file, text}) => `${file} ${text}`);

  for (const [what, text] of [
    ['a type', 'export type Row = {readonly a: 1};'],
    ['an interface', 'export interface Row {}'],
    ['a class', 'export class Row {}'],
    ['a function', 'export function Row() {}'],
    ['an arrow function', 'export const Row = () => 1;'],
  ] as const) {
    test(`${what} with the name of another file's type`, () => {
      assert.deepEqual(names(['git/a.ts', 'export type Row = 1;'], ['cli/b.ts', text]), [
        'cli/b.ts exports Row, which is another thing in git/a.ts',
      ]);
    });
  }

  test('two components with one name', () => {
    const text = 'export function Row() {}';
    assert.deepEqual(names(['app/a/Row.tsx', text], ['app/b/Row.tsx', text]), [
      'app/b/Row.tsx exports <Row>, which is another thing in app/a/Row.tsx',
    ]);
  });

  test('an exception that nobody needs', () => {
    assert.equal(nameViolations(new Map(), {Row: 'planted'}).length, 1);
  });

  test('but not on a re-export, a private type, a constant, or a component and its data', () => {
    assert.deepEqual(
      names(
        ['git/a.ts', 'export type Row = 1; export const max = 1;'],
        ['git/index.ts', "export {type Row} from './a.ts';"],
        ['cli/b.ts', 'type Row = 2; export const max = 2;'],
        ['app/Row.tsx', 'export function Row() {}'],
      ),
      [],
    );
  });
});

test('ARCHITECTURE.md shows the modules as they are; `npm run module-graph` writes them', () => {
  const page = readFileSync(path.join(source, '..', 'ARCHITECTURE.md'), 'utf8');
  assert.equal(page, withModuleTable(page, readModules()));
});

test('no page names a file that is gone', () => {
  const root = path.join(source, '..');
  // Decisions and the changelog speak of the tree of their time.
  const pages = ['ARCHITECTURE.md', 'README.md', ...globSync('docs/*.md', {cwd: root})];
  const named = pages.flatMap((page) =>
    [
      ...readFileSync(path.join(root, page), 'utf8').matchAll(
        /`((?:source|test|docs|scripts)\/[\w./-]+)`/g,
      ),
    ].map(([, file]) => ({page, file: file ?? ''})),
  );
  assert.ok(named.length > 60);
  assert.deepEqual(
    named.filter(({file}) => !existsSync(path.join(root, file))),
    [],
  );
});

describe('every test file is in one group:', () => {
  const cases: readonly (readonly [string, Group])[] = [
    ['test/domain/attempts.test.ts', 'unit'],
    ['test/app/model/update.test.ts', 'unit'],
    ['test/syntax/growth.test.ts', 'integration'],
    ['test/git/merge/build-merge.test.ts', 'integration'],
    ['test/app/runtime/driver.test.ts', 'integration'],
    ['test/e2e/loop/accept.test.ts', 'e2e'],
    ['test/package.test.ts', 'e2e'],
  ];
  for (const [file, group] of cases)
    test(`${file}: ${group}`, () => {
      assert.equal(groupOf(file), group);
    });
});
