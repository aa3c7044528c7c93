import assert from 'node:assert/strict';
import path from 'node:path';
import {type SpawnSyncReturns, spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync} from 'node:fs';
import {before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {temporaryDirectory} from './system/fixtures.ts';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const launcher = path.join(dist, 'orchestra.js');
const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};

/**
 * Node claims to be an old one before the launcher looks; a machine without an old Node tests the
 * same.
 */
const asOldNode = [
  '--import',
  `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'versions', {value: {...process.versions, node: '20.19.0'}})")}`,
];

function run(
  argv: readonly string[],
  options: {env?: Record<string, string>; node?: readonly string[]; file?: string} = {},
): SpawnSyncReturns<string> {
  const {env = {}, node = [], file = launcher} = options;
  // stdin is not a terminal, whatever runs the tests.
  return spawnSync(process.execPath, [...node, file, ...argv], {
    encoding: 'utf8',
    input: '',
    env: {PATH: process.env['PATH'], HOME: '/nonexistent', ...env},
  });
}

before(() => {
  assert.ok(
    existsSync(launcher),
    `expected the built program at ${launcher}, got nothing: run \`npm run build\` first (\`npm test\` does)`,
  );
});

test('--version prints the version of the package', () => {
  const {status, stdout, stderr} = run(['--version']);
  assert.deepEqual({status, stdout, stderr}, {status: 0, stdout: `${version}\n`, stderr: ''});
});

test('--help lists the commands', () => {
  const {status, stdout, stderr} = run(['--help']);
  assert.deepEqual({status, stderr}, {status: 0, stderr: ''});
  for (const command of ['doctor', 'rules'])
    assert.match(stdout, new RegExp(`^ +${command}\\b`, 'm'));
});

for (const [argv, text] of [
  [['doctr'], /unknown command 'doctr'[^]*doctor/],
  [['doctor', '--jsn'], /unknown option '--jsn'[^]*--json/],
  [['doctor', 'too', 'many'], /too many arguments/],
  [['--unheard-of'], /unknown option/],
] as const) {
  test(`wrong use is exit code 2 and a hint: orchestra ${argv.join(' ')}`, () => {
    const {status, stdout, stderr} = run(argv);
    assert.deepEqual({status, stdout}, {status: 2, stdout: ''});
    assert.match(stderr, text);
    assert.doesNotMatch(stderr, /\n {4}at /, 'no stack trace');
  });
}

test('without arguments and without a terminal it says what to do and exits with 2', () => {
  const {status, stdout, stderr} = run([]);
  assert.deepEqual({status, stdout}, {status: 2, stdout: ''});
  assert.match(
    stderr,
    /^orchestra: the app needs a terminal[^\n]*`orchestra --help` lists all commands\.\n$/,
  );
});

test('output that is closed early is quiet', async () => {
  const child = spawn(process.execPath, [launcher, '--help'], {stdio: ['ignore', 'pipe', 'pipe']});
  // Long before Node has started: every write of it meets a closed pipe.
  child.stdout.destroy();
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
  });
  assert.deepEqual({code, said: text}, {code: 0, said: ''});
});

describe('--version and --help load nothing that they do not need:', () => {
  // The version alone does not need the parser of arguments either.
  for (const [option, known, unknown] of [
    ['--version', '@noble/hashes', ['commander']],
    ['--help', 'commander', []],
  ] as const) {
    test(option, (t) => {
      const coverage = temporaryDirectory(t);
      assert.equal(run([option], {env: {NODE_V8_COVERAGE: coverage}}).status, 0);
      const loaded = loadedFiles(coverage);
      const packages = loaded.flatMap((file) => packagesIn(file));
      assert.ok(packages.includes(known), 'the packages of what was loaded are seen');
      for (const heavy of [
        'ink',
        'react',
        'node-pty',
        'gpt-tokenizer',
        'zod',
        '@xterm/headless',
        ...unknown,
      ])
        assert.ok(!packages.includes(heavy), heavy);
      assert.deepEqual(
        loaded.filter((file) => !file.startsWith(dist)),
        [],
      );
    });
  }

  /** Node names there every script that it ran. */
  function loadedFiles(coverage: string): string[] {
    const reports = readdirSync(coverage).map(
      (name) =>
        JSON.parse(readFileSync(path.join(coverage, name), 'utf8')) as {result: {url: string}[]},
    );
    return reports
      .flatMap(({result}) => result.map(({url}) => url))
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
  }

  /** esbuild writes the path of each module above its code. */
  function packagesIn(file: string): string[] {
    return Array.from(
      readFileSync(file, 'utf8').matchAll(
        /^ *\/\/ (?:\S*\/)?node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//gm,
      ),
      ({groups}) => groups?.['name'] ?? '',
    );
  }
});

describe('on an old Node', () => {
  test('it hands over to the newer one in its own node_modules', (t) => {
    const home = temporaryDirectory(t);
    const file = path.join(home, 'dist', 'orchestra.js');
    cpSync(dist, path.dirname(file), {recursive: true});
    mkdirSync(path.join(home, 'node_modules', 'node', 'bin'), {recursive: true});
    symlinkSync(process.execPath, path.join(home, 'node_modules', 'node', 'bin', 'node'));
    const {status, stdout, stderr} = run(['--version'], {node: asOldNode, file});
    assert.deepEqual({status, stdout, stderr}, {status: 0, stdout: `${version}\n`, stderr: ''});
    assert.equal(run(['doctr'], {node: asOldNode, file}).status, 2, 'the exit code is handed back');
  });

  test('it hands over to one that is installed beside it', (t) => {
    const modules = path.join(temporaryDirectory(t), 'node_modules');
    const file = path.join(modules, 'orchestra-tui', 'dist', 'orchestra.js');
    cpSync(dist, path.dirname(file), {recursive: true});
    mkdirSync(path.join(modules, 'node', 'bin'), {recursive: true});
    symlinkSync(process.execPath, path.join(modules, 'node', 'bin', 'node'));
    assert.equal(run(['--version'], {node: asOldNode, file}).stdout, `${version}\n`);
  });

  test('without a newer one it says what is needed and how to get it', (t) => {
    const file = path.join(temporaryDirectory(t), 'package', 'dist', 'orchestra.js');
    cpSync(dist, path.dirname(file), {recursive: true});
    const {status, stdout, stderr} = run(['--version'], {node: asOldNode, file});
    assert.deepEqual({status, stdout}, {status: 2, stdout: ''});
    assert.match(
      stderr,
      /^orchestra needs Node\.js 22\.12 or newer; this is v\S+ \(\/.*\)\.\nInstall a newer Node\.js \(https:\/\/nodejs\.org\), or put one beside orchestra: npm install --global node@24\n$/,
    );
  });

  test('it does not hand over for ever', () => {
    assert.equal(
      run(['--version'], {node: asOldNode, env: {ORCHESTRA_HANDED_OVER: '1'}}).status,
      2,
    );
  });

  test('the launcher parses there: no syntax and no import that is newer', () => {
    const text = readFileSync(launcher, 'utf8');
    assert.doesNotMatch(text, /\?\?|\?\.|\|\|=|^await /m);
    assert.deepEqual(
      Array.from(text.matchAll(/from "(?<name>[^"]+)"/g), ({groups}) => groups?.['name']),
      [],
    );
    assert.deepEqual(
      Array.from(
        text.matchAll(/import\("(?<name>[^"]+)"\)/g),
        ({groups}) => groups?.['name'],
      ).toSorted(),
      ['node:child_process', 'node:fs', 'node:path', 'node:url'],
    );
  });
});
