// Records what real tools print when they fail: the recipes of projects/ into
// test/failures/goldens, those of held-out/ into test/failures/held-out.
//
//   node --import tsx scripts/failure-goldens/record.ts [tool …]
//
// The tools of npm are installed into a temporary directory. The others have to be there already.
// Recipes name them (`debian:`); those that don't need, on Debian:
// apt-get install python3-pytest mypy golang-go cargo ruby-rspec ruby-minitest phpunit gcc g++
// clang make
// default-jdk-headless junit4 junit5 maven gradle libsurefire-java libmaven-compiler-plugin-java
//                   libmaven-resources-plugin-java
// A tool that is not there leaves its old recordings as they are. Run the tests with
// UPDATE_GOLDENS=1 afterwards, and read each change.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawnSync} from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {readRecipe, type Recipe} from './read-recipe.ts';

const current = import.meta.dirname;
const tests = path.join(current, '..', '..', 'test', 'failures');
/** Folders of recipes, and where their logs go. */
const halves = [
  {recipes: path.join(current, 'projects'), logs: path.join(tests, 'goldens')},
  {recipes: path.join(current, 'held-out'), logs: path.join(tests, 'held-out')},
];
const packages = [
  'vitest@4',
  'jest@30',
  'mocha@12',
  'ava@7',
  'tap@21',
  'chai@6',
  'eslint@9',
  'eslint-formatter-compact@9',
  'eslint-formatter-unix@9',
  'typescript@5.9',
  'esbuild@0.28',
];

const temporary = mkdtempSync(path.join(os.tmpdir(), 'failure-goldens-'));
const project = path.join(temporary, 'project');
const home = path.join(temporary, 'home');
const wanted = process.argv.slice(2);

try {
  mkdirSync(home);
  mkdirSync(project);
  for (const {recipes, logs} of halves) {
    for (const file of readdirSync(recipes).toSorted()) {
      const tool = path.basename(file, '.txt');
      if (wanted.length === 0 || wanted.includes(tool))
        record(path.join(logs, tool), readRecipe(readFileSync(path.join(recipes, file), 'utf8')));
    }
  }
} finally {
  rmSync(temporary, {recursive: true, force: true});
}

function install(wantedPackages: readonly string[]): void {
  for (const name of readdirSync(project))
    rmSync(path.join(project, name), {recursive: true, force: true});
  if (wantedPackages.length === 0) return;
  writeFileSync(path.join(project, 'package.json'), '{"private": true}');
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wantedPackages],
    {cwd: project, stdio: 'inherit'},
  );
  rmSync(path.join(project, 'package.json'));
  rmSync(path.join(project, 'package-lock.json'));
}

function record(folder: string, {npm, debian, setup, cases, files, truths}: Recipe): void {
  const tool = path.basename(folder);
  try {
    install(npm ?? (debian === undefined ? packages : []));
  } catch {
    console.log(`${tool}: npm could not install its packages, nothing recorded`);
    return;
  }

  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(project, file)), {recursive: true});
    writeFileSync(path.join(project, file), text);
    if (/^[^.]+$|\.sh$/.test(file)) chmodSync(path.join(project, file), 0o755);
  }

  if (setup !== undefined) run(setup);
  mkdirSync(folder, {recursive: true});
  for (const [name, command] of cases) {
    const {output, status} = run(command);
    const isThere = status !== 127 || tool === 'shell';
    console.log(
      `${tool}/${name}: exit ${status}, ${output.length} bytes${isThere ? '' : `; the tool is not there (${debian?.join(' ') ?? 'see the first lines'}), nothing recorded`}`,
    );
    if (status === 0) console.log('  did not fail; change the recipe');
    if (!isThere || status === 0) continue;
    writeFileSync(path.join(folder, `${name}.log`), withoutThisMachine(output), 'latin1');
    const truth = truths.get(name);
    if (truth !== undefined) writeFileSync(path.join(folder, `${name}.truth`), truth);
  }
}

/**
 * In a bare environment, so that nothing of the developer's settings is recorded. Bytes are kept as
 * they are.
 */
function run(command: string): {readonly output: string; readonly status: number} {
  const {stdout, status} = spawnSync('bash', ['-c', `exec 2>&1; ${command}`], {
    cwd: project,
    encoding: 'latin1',
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: [
        project,
        path.join(project, 'node_modules', '.bin'),
        path.dirname(process.execPath),
        process.env['PATH'],
      ].join(':'),
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      // Directories of rustup and Go, because the home directory is empty.
      CARGO_HOME: process.env['CARGO_HOME'] ?? path.join(os.homedir(), '.cargo'),
      RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? path.join(os.homedir(), '.rustup'),
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
      PYTHONDONTWRITEBYTECODE: '1',
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
  return {output: stdout, status: status ?? 137};
}

function withoutThisMachine(output: string): string {
  const replacements: readonly (readonly [string, string])[] = [
    [project, '/project'],
    [home, '/home/dev'],
    [temporary, '/tmp/build'],
    [os.homedir(), '/home/dev'],
    [path.dirname(process.execPath), '/usr/bin'],
    [path.join(current, '..', '..'), '/home/dev/orchestra'],
    [`hostname="${os.hostname()}"`, 'hostname="localhost"'],
  ];
  let text = output;
  // JavaScript escapes and file URLs of the same paths need no care: the paths are plain ASCII.
  for (const [from, to] of replacements) text = text.replaceAll(from, to);
  return text;
}
