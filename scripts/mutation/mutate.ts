// Plants each mutation in a copy of the project and runs the tests of `domain` on it: `npm run
// mutate`.
// A mutation that no test catches is a hole in the tests; the script then ends with 1. A part of a
// path or of a meaning (`npm run mutate -- peer`) plants only those.
import os from 'node:os';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {transformSync} from 'esbuild';
import type {Mutation} from './mutation.ts';
import {mutations} from './mutations.ts';
import {plant} from './plant.ts';

/** A run that does not end counts as red: the same tests end in time without the mutation. */
type Answer = 'green' | 'red' | 'endless';

const root = path.join(import.meta.dirname, '..', '..');
const copies = 2;
const limitMs = 120_000;
// The policy tests are quick; the random histories run only when those stay green.
const policy = globSync('test/domain/*.test.ts', {cwd: root})
  .filter((name) => !/random-histories|crash-anywhere/.test(name))
  .toSorted();
const histories = ['test/domain/random-histories.test.ts'];
/** The result of each set of files without a mutation, asked once. */
const baselines = new Map<string, Promise<Answer>>();

const chosen = mutations.filter(({file, means}) =>
  process.argv.slice(2).every((text) => file.includes(text) || means.includes(text)),
);
const misplaced = chosen.flatMap((mutation) => findProblem(mutation) ?? []);
for (const problem of misplaced) console.log(`MISPLACED ${problem}`);
const waiting = chosen.filter((mutation) => findProblem(mutation) === undefined);
const planted = waiting.length;
const survivors: Mutation[] = [];
await Promise.all(Array.from({length: Math.min(copies, waiting.length)}, plantInCopy));
for (const {file, means} of survivors) console.log(`SURVIVED  ${file}: ${means}`);
console.log(
  `${chosen.length} mutations, ${planted - survivors.length} caught, ${survivors.length} survived, ${misplaced.length} misplaced`,
);
process.exitCode = survivors.length + misplaced.length === 0 ? 0 : 1;

/**
 * A mutation that changes nothing, that fits more than one place, or that breaks the syntax proves
 * nothing.
 */
function findProblem(mutation: Mutation): string | undefined {
  const {file, means} = mutation;
  const {count, planted} = plant(readFileSync(path.join(root, file), 'utf8'), mutation);
  if (count !== 1) return `${file}: ${means}: its text occurs ${count} times`;
  try {
    transformSync(planted, {loader: 'ts'});
    return undefined;
  } catch {
    return `${file}: ${means}: the result does not parse`;
  }
}

/** Takes one mutation after the other until none is left. */
async function plantInCopy(): Promise<void> {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'orchestra-mutation-'));
  try {
    for (const entry of ['source', 'test', 'package.json', 'tsconfig.json'])
      cpSync(path.join(root, entry), path.join(copy, entry), {recursive: true});
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      if (!(await isCaught(copy, next))) survivors.push(next);
  } finally {
    rmSync(copy, {recursive: true, force: true});
  }
}

async function isCaught(copy: string, mutation: Mutation): Promise<boolean> {
  const {file, means, tests} = mutation;
  const sets = tests === undefined ? [policy, histories] : [tests];
  const target = path.join(copy, file);
  const original = readFileSync(target, 'utf8');
  for (const files of sets) {
    await assertGreen(copy, files);
    writeFileSync(target, plant(original, mutation).planted);
    const answer = await askTests(copy, files);
    writeFileSync(target, original);
    if (answer === 'green') continue;
    const kind = files === histories ? 'histories' : 'policy';
    const caughtBy = answer === 'endless' ? answer : kind;
    console.log(`${caughtBy.padEnd(9)}  ${path.basename(file).padEnd(20)} ${means}`);
    return true;
  }

  console.log(`survived   ${path.basename(file).padEnd(20)} ${means}`);
  return false;
}

/** Tests that fail anyway catch nothing. */
async function assertGreen(copy: string, files: readonly string[]): Promise<void> {
  const key = files.join(' ');
  if (!baselines.has(key)) baselines.set(key, askTests(copy, files));
  if ((await baselines.get(key)) !== 'green')
    throw new Error(`without a mutation these are not green: ${key}`);
}

/** All files in one process: they share nothing but what they import. */
async function askTests(cwd: string, files: readonly string[]): Promise<Answer> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', '--test-isolation=none', ...files],
    {cwd, env: {...process.env, HISTORIES: '400'}, stdio: 'ignore'},
  );
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
    }, limitMs);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      if (signal === 'SIGKILL') resolve('endless');
      else resolve(code === 0 ? 'green' : 'red');
    });
  });
}
