// Plants each mutation in a copy of the project and runs the tests of `domain` on it: `npm run mutate`.
// A mutation that no test catches is a hole in the tests; the script then ends with 1. A part of a path or of a meaning (`npm run mutate -- peer`) plants only those.
import {spawnSync} from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {mutations, type Mutation} from './mutations.ts';

const root = path.join(import.meta.dirname, '..', '..');
const copy = mkdtempSync(path.join(os.tmpdir(), 'orchestra-mutation-'));

try {
  for (const entry of ['source', 'test', 'package.json', 'tsconfig.json'])
    cpSync(path.join(root, entry), path.join(copy, entry), {recursive: true});
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const chosen = mutations.filter(({file, means}) =>
    process.argv.slice(2).every((words) => file.includes(words) || means.includes(words)),
  );
  const survivors = chosen.filter((mutation) => !isCaught(mutation));
  for (const {file, means} of survivors) console.log(`SURVIVED  ${file}: ${means}`);
  console.log(`${chosen.length} mutations, ${chosen.length - survivors.length} caught`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, {recursive: true, force: true});
}

function isCaught({file, find, replace, means, tests}: Mutation): boolean {
  const target = path.join(copy, file);
  const original = readFileSync(target, 'utf8');
  writeFileSync(
    target,
    original.replace(find, () => replace),
  );
  // The policy tests are quick; the random histories speak only when those are silent.
  const policy = globSync('test/domain/*.test.ts', {cwd: copy}).filter(
    (name) => !/random-histories|crash-anywhere/.test(name),
  );
  const isCaughtBy = (
    tests === undefined ? [policy, ['test/domain/random-histories.test.ts']] : [tests]
  ).find((files) => fails(files));
  writeFileSync(target, original);
  console.log(
    `${isCaughtBy === undefined ? 'survived ' : isCaughtBy === policy || isCaughtBy === tests ? 'policy   ' : 'histories'}  ${path.basename(file).padEnd(20)} ${means}`,
  );
  return isCaughtBy !== undefined;
}

function fails(files: readonly string[]): boolean {
  const {status} = spawnSync(process.execPath, ['--import', 'tsx', '--test', ...files], {
    cwd: copy,
    env: {...process.env, HISTORIES: '400'},
    stdio: 'ignore',
    timeout: 120_000,
  });
  return status !== 0;
}
