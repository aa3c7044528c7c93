// Three small tasks of different kinds. The work of the model is scripted; the checks are real
// programs, and so are their logs.
import path from 'node:path';
import process from 'node:process';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import type {Check, PlannedTask} from '../../source/domain/index.ts';

export type ScriptedTask = {
  readonly kind: string;
  readonly objective: string;
  readonly task: PlannedTask;
  readonly check: Check;
  /** The files of the repository after the first, failing attempt. */
  readonly files: Readonly<Record<string, string>>;
  /** What the scripted model reads in each attempt. */
  readonly reads: string;
  readonly argv: readonly string[];
};

const modules = path.join(import.meta.dirname, '..', '..', 'node_modules');

/** Runs the check on what the first attempt left, and returns its whole log. */
export function readLog({files, argv}: ScriptedTask): {
  readonly log: string;
  readonly root: string;
} {
  const root = mkdtempSync(path.join(os.tmpdir(), 'orchestra-scripted-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, file)), {recursive: true});
      writeFileSync(path.join(root, file), text);
    }

    symlinkSync(modules, path.join(root, 'node_modules'));
    const {stdout, stderr, status} = spawnSync(process.execPath, argv, {
      cwd: root,
      encoding: 'utf8',
      env: {...process.env, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: '0'},
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status === 0) throw new Error(`expected ${argv.join(' ')} to fail, got exit code 0`);
    return {log: `${stdout}${stderr}`, root};
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

const numbers = (count: number): readonly number[] =>
  Array.from({length: count}, (_, index) => index + 1);

/** A suite of 240 tests in 30 files; a wrong rounding breaks one test in each of 12 files. */
const bug: ScriptedTask = {
  kind: 'a bug, found by tests',
  objective: 'Totals are a cent too low for some carts.',
  task: {
    id: 't1',
    title: 'Round half up',
    brief: 'Round in `total()` of src/total.mjs, so that half a cent goes up.',
    files: ['src/total.mjs'],
    after: [],
    services: [],
  },
  check: {name: 'test', command: 'npm test'},
  reads:
    'export function total(prices) {\n  return Math.trunc(prices.reduce((a, b) => a + b, 0) * 100) / 100;\n}\n',
  files: {
    'src/total.mjs':
      'export function total(prices) {\n  return Math.trunc(prices.reduce((a, b) => a + b, 0) * 100) / 100;\n}\n',
    ...Object.fromEntries(
      numbers(30).map((file) => [
        `test/cart-${file}.test.mjs`,
        [
          "import assert from 'node:assert/strict';",
          "import {describe, test} from 'node:test';",
          "import {total} from '../src/total.mjs';",
          `describe('cart ${file}', () => {`,
          ...numbers(8).map((number) => {
            const isBroken = number === 8 && file <= 12;
            const price = isBroken ? `${file}.125` : `${file}.25`;
            const sum = isBroken ? `${file}.13` : `${file}.25`;
            return `  test('adds ${number} prices for customer ${file}', () => {\n    assert.equal(total([${price}]), ${sum});\n  });`;
          }),
          '});\n',
        ].join('\n'),
      ]),
    ),
  },
  argv: ['--test', '--test-isolation=none', '--test-reporter=spec', 'test/*.test.mjs'],
};

/** A function gets another parameter: each of its 60 callers is an error of the compiler. */
const signature: ScriptedTask = {
  kind: 'a changed signature, found by the compiler',
  objective: 'Every message has a language.',
  task: {
    id: 't1',
    title: 'Give format() a language',
    brief: 'Add the parameter `language` to format() in src/format.ts and pass it everywhere.',
    files: ['src/**'],
    after: [],
    services: [],
  },
  check: {name: 'build', command: 'npx tsc'},
  reads:
    'export function format(text: string, language: string): string {\n  return `${language}: ${text}`;\n}\n',
  files: {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {strict: true, noEmit: true, module: 'nodenext', types: []},
      include: ['src'],
    }),
    'src/format.ts':
      'export function format(text: string, language: string): string {\n  return `${language}: ${text}`;\n}\n',
    ...Object.fromEntries(
      numbers(60).map((file) => [
        `src/messages/message-${file}.ts`,
        `import {format} from '../format.js';\n\n/** Message ${file} of the shop. */\nexport function message${file}(name: string): string {\n  return format(\`Dear \${name}, your order ${file} is on its way.\`);\n}\n`,
      ]),
    ),
  },
  argv: [path.join(modules, 'typescript', 'bin', 'tsc'), '--pretty', '-p', '.'],
};

/** A new rule of the linter: 40 files break it 4 times each. */
const chore: ScriptedTask = {
  kind: 'a chore, found by the linter',
  objective: 'Nothing is declared with var.',
  task: {
    id: 't1',
    title: 'Declare with const',
    brief: 'Replace var by const in src, or by let where it is assigned again.',
    files: ['src/**'],
    after: [],
    services: [],
  },
  check: {name: 'lint', command: 'npx eslint src'},
  reads: 'var one = 1;\nvar two = one;\nvar three = two;\nvar four = three;\nexport {four};\n',
  files: {
    'eslint.config.mjs':
      "export default [{files: ['src/*.mjs'], rules: {'no-var': 'error', 'prefer-const': 'error'}}];\n",
    ...Object.fromEntries(
      numbers(40).map((file) => [
        `src/module-${file}.mjs`,
        'var one = 1;\nvar two = one;\nvar three = two;\nvar four = three;\nexport {four};\n',
      ]),
    ),
  },
  argv: [path.join(modules, 'eslint', 'bin', 'eslint.js'), 'src'],
};

export const scriptedTasks: readonly ScriptedTask[] = [bug, signature, chore];
