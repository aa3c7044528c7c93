// `npm run test:unit`, `test:integration`, `test:e2e`, and all of them for `npm test`.
// Exit 1 when a test failed, and with ORCHESTRA_NO_SKIP=1 (as in CI) also when one was skipped.
import os from 'node:os';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {type Group, groupOf, groups} from './groups.ts';

const root = path.join(import.meta.dirname, '..', '..');
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !groups.some((group) => group === name));
if (unknown !== undefined)
  throw new Error(`there is no group "${unknown}"; the groups are ${groups.join(', ')}`);

const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-tests-'));
try {
  const counts = await runGroups(
    groups.filter((group) => asked.length === 0 || asked.includes(group)),
  );
  const sum = (name: 'passed' | 'failed'): number =>
    counts.reduce((total, count) => total + count[name], 0);
  const skipped = counts.flatMap((count) => count.skipped);
  const slowest = counts.flatMap((count) => count.seconds).toSorted((a, b) => b[1] - a[1]);
  for (const [file, seconds] of slowest.slice(0, 10))
    console.log(`${seconds.toFixed(0).padStart(5)} s  ${path.relative(root, file)}`);
  for (const {name, reason} of skipped) console.log(`skipped: ${name} (${reason})`);
  for (const name of counts.flatMap((count) => count.failures)) console.log(`failed: ${name}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${skipped.length} skipped`);
  const mayNotSkip = process.env['ORCHESTRA_NO_SKIP'] === '1' && skipped.length > 0;
  process.exitCode = counts.some(({isGreen}) => !isGreen) || mayNotSkip ? 1 : 0;
} finally {
  rmSync(directory, {recursive: true, force: true});
}

type Count = {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly skipped: readonly {readonly name: string; readonly reason: string}[];
  /** How long the tests of each file took. */
  readonly seconds: readonly (readonly [file: string, seconds: number])[];
  readonly isGreen: boolean;
};

/** The unit tests take one process, so they run beside the others, which mostly wait. */
async function runGroups(chosen: readonly Group[]): Promise<Count[]> {
  const others = chosen.filter((group) => group !== 'unit');
  const unit = chosen.includes('unit') ? runTests(['unit'], others.length > 0) : undefined;
  const counts = others.length === 0 ? [] : [await runTests(others, false)];
  return unit === undefined ? counts : [await unit, ...counts];
}

async function runTests(chosen: readonly Group[], isPrintedAtEnd: boolean): Promise<Count> {
  const isUnit = chosen.includes('unit');
  const name = chosen.join('-');
  const report = path.join(directory, `${name}.json`);
  const output = path.join(directory, `${name}.txt`);
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--test',
      ...(isUnit ? ['--test-isolation=none'] : ['--test-concurrency=3']),
      '--test-reporter=spec',
      `--test-reporter-destination=${isPrintedAtEnd ? output : 'stdout'}`,
      `--test-reporter=${path.join(import.meta.dirname, 'count-reporter.ts')}`,
      `--test-reporter-destination=${report}`,
      ...filesOf(chosen),
    ],
    {cwd: root, stdio: 'inherit', env: {...quickEnvironment(), ...process.env}},
  );
  const [status] = (await once(child, 'exit')) as [number | null];
  if (isPrintedAtEnd) console.log(readFileSync(output, 'utf8'));
  const counted = JSON.parse(readFileSync(report, 'utf8')) as Omit<Count, 'isGreen'>;
  return {...counted, isGreen: status === 0 && counted.failed === 0};
}

/** End-to-end tests first: they take the longest, and a long one at the end runs alone. */
function filesOf(chosen: readonly Group[]): readonly string[] {
  const files = globSync('test/**/*.test.{ts,tsx}', {cwd: root}).toSorted();
  return groups
    .toReversed()
    .filter((group) => chosen.includes(group))
    .flatMap((group) => files.filter((file) => groupOf(file) === group));
}

/** Unit tests alone are for the minute between two edits: random tests run a twentieth of their cases. */
function quickEnvironment(): NodeJS.ProcessEnv {
  return asked.length === 1 && asked[0] === 'unit' ? {TEST_SCALE: '0.05'} : {};
}
