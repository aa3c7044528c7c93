import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {type SpawnSyncReturns, execFileSync, spawnSync} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {after, before, describe, test} from 'node:test';
import {eventually} from './support/eventually.ts';

const root = path.join(import.meta.dirname, '..');
const {name, version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};

describe('the package that npm would publish', () => {
  let home: string;
  let files: readonly string[];
  let installed: string;

  before(() => {
    assert.ok(
      existsSync(path.join(root, 'dist', 'orchestra.js')),
      'expected dist/, got nothing: run `npm run build` first (`npm test` does)',
    );
    home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-package-')));
    const consumer = path.join(home, 'consumer');
    mkdirSync(consumer);
    writeFileSync(path.join(consumer, 'package.json'), '{"private": true}\n');
    const own = pack(root);
    files = own.files;
    // The terminal is the one thing that comes along, and is built there. It is packed from here,
    // so that nobody has to be asked for it.
    const brought = ['node-pty', 'node-addon-api'].map(
      (one) => pack(path.join(root, 'node_modules', one)).tarball,
    );
    npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', own.tarball, ...brought);
    installed = path.join(consumer, 'node_modules', name);
  });

  after(() => {
    rmSync(home, {recursive: true, force: true});
  });

  function npm(cwd: string, ...argv: readonly string[]): string {
    return execFileSync('npm', argv, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    });
  }

  /**
   * Scripts are ignored because `prepack` builds, under the feet of the tests that run beside this
   * one.
   */
  function pack(directory: string): {readonly tarball: string; readonly files: readonly string[]} {
    const [packed] = JSON.parse(
      npm(directory, 'pack', '--json', '--ignore-scripts', '--pack-destination', home),
    ) as [{filename: string; files: {path: string}[]}];
    return {
      tarball: path.join(home, packed.filename),
      files: packed.files.map((file) => file.path),
    };
  }

  /**
   * The Node that runs the tests comes first, and the machine's own npm settings hold; nothing that
   * `npm run` has set is there.
   */
  function environment(): Record<string, string> {
    const {HOME = home, PATH = ''} = process.env;
    return {
      PATH: `${path.dirname(process.execPath)}:${PATH}`,
      HOME,
      npm_config_update_notifier: 'false',
      XDG_STATE_HOME: path.join(home, 'state'),
      XDG_RUNTIME_DIR: path.join(home, 'run'),
    };
  }

  function orchestra(...argv: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(path.join(path.dirname(installed), '.bin', 'orchestra'), argv, {
      cwd: installed,
      encoding: 'utf8',
      env: environment(),
    });
  }

  /** Dead, whether its parent has noticed or not. */
  function hasEnded(pid: number): boolean {
    try {
      return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return true;
    }
  }

  test('holds the program, its example and its papers, and nothing else', () => {
    const papers = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      '.rulesfile.example.md',
    ];
    assert.deepEqual(
      files.filter(
        (file) => !papers.includes(file) && !/^dist\/[\w.-]+\.(?:c?js|LEGAL\.txt)$/.test(file),
      ),
      [],
    );
    for (const file of [
      'dist/orchestra.js',
      'dist/cli.js',
      'LICENSE',
      'package.json',
      '.rulesfile.example.md',
      'CHANGELOG.md',
    ])
      assert.ok(files.includes(file), file);
  });

  test('does not know the machine that built it', () => {
    for (const file of files) {
      const text = readFileSync(path.join(installed, file), 'utf8');
      assert.ok(!text.includes(root), `${file} contains ${root}`);
      assert.ok(!/^\/\/# sourceMappingURL=/m.test(text), `${file} names a source map`);
    }
  });

  test('brings nothing along but the terminal', () => {
    assert.deepEqual(
      readdirSync(path.dirname(installed))
        .filter((entry) => !entry.startsWith('.'))
        .toSorted(),
      ['node-addon-api', 'node-pty', name],
    );
    const {dependencies} = JSON.parse(
      readFileSync(path.join(installed, 'package.json'), 'utf8'),
    ) as {dependencies: Record<string, string>};
    assert.deepEqual(Object.keys(dependencies), ['node-pty']);
    // What stands there is what it asks for, not only of that name.
    npm(path.dirname(path.dirname(installed)), 'ls', '--all');
  });

  test('runs where it is installed', () => {
    const {status, stdout, stderr} = orchestra('--version');
    assert.deepEqual({status, stdout, stderr}, {status: 0, stdout: `${version}\n`, stderr: ''});
  });

  test('finds nothing wrong with the example that it ships', () => {
    const {status, stdout, stderr} = orchestra('rules', 'check', '.rulesfile.example.md');
    assert.equal(status, 0, stdout + stderr);
  });

  test('runs sessions', async () => {
    const repository = path.join(home, 'repository');
    mkdirSync(path.join(home, 'run'), {mode: 0o700});
    execFileSync('git', ['init', '--quiet', repository]);
    const current = (...argv: readonly string[]): SpawnSyncReturns<string> =>
      spawnSync(path.join(path.dirname(installed), '.bin', 'orchestra'), argv, {
        cwd: repository,
        encoding: 'utf8',
        env: environment(),
      });
    try {
      assert.equal(current('start', '--', 'echo', 'it works').stdout, 's1\n');
      await eventually('the session has ended', () =>
        current('sessions', '--all').stdout.includes('exit 0'),
      );
      assert.equal(current('logs', 's1').stdout, 'it works\r\n');
    } finally {
      const {pid} = JSON.parse(current('daemon', 'status', '--json').stdout) as {pid?: number};
      current('daemon', 'stop');
      // It hangs up before it has put everything away, and would write where `after` removes.
      await eventually('the daemon has ended', () => pid === undefined || hasEnded(pid));
    }
  });

  test('has a doctor', () => {
    const {status, stdout} = orchestra('doctor', '--json');
    const {ok, findings} = JSON.parse(stdout) as {
      ok: boolean;
      findings: {name: string; level: string}[];
    };
    assert.equal(status, ok ? 0 : 1);
    assert.equal(findings.find((finding) => finding.name === 'node')?.level, 'ok');
  });
});
