// How long the commands take that should feel like nothing, beside bare Node in the same run. `npm
// run build` first.
import path from 'node:path';
import {spawnSync} from 'node:child_process';

const root = path.join(import.meta.dirname, '..', '..');
const launcher = path.join(root, 'dist', 'orchestra.js');
const rounds = 15;

const cases: readonly [name: string, argv: readonly string[]][] = [
  ['node -e 0', ['-e', '0']],
  ['orchestra --version', [launcher, '--version']],
  ['orchestra --help', [launcher, '--help']],
  ['orchestra doctor', [launcher, 'doctor']],
  ['orchestra rules check', [launcher, 'rules', 'check', '.rulesfile.example.md']],
];

/** The cases take turns, so that a busy moment of the machine hits all of them. */
export function benchLauncher(): string {
  const times = cases.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, argv]] of cases.entries()) times[index]!.push(getTime(argv));
  }

  const medians = times.map(
    (list) => list.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!,
  );
  const rows = cases.map(
    ([name], index) =>
      `| \`${name}\` | ${medians[index]!.toFixed(0)} | ${(medians[index]! / medians[0]!).toFixed(2)} |`,
  );
  return [
    `| command | median of ${rounds} (ms) | ratio to \`node -e 0\` |`,
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function getTime(argv: readonly string[]): number {
  const start = performance.now();
  const {status, stderr} = spawnSync(process.execPath, argv, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0)
    throw new Error(
      `Expected exit code 0 from ${argv.join(' ')}, got ${status ?? 'a signal'}: ${stderr}`,
    );
  return performance.now() - start;
}

if (import.meta.main) process.stdout.write(benchLauncher());
