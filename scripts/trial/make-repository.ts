import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import type {LoopFixture} from '../../test/e2e/loop/support/loop-fixture.ts';
import type {Sizes} from './sizes.ts';

export type Made = {
  readonly files: number;
  readonly modules: number;
  readonly hasVirtualenv: boolean;
};

const filesPerDirectory = 100;
/** Most files of a node_modules are small. */
const moduleBytes = 8 * 1024;

/**
 * Sources that are committed, and dependencies that are not: many small files, as real ones are.
 */
export function makeRepository(
  {root, git}: LoopFixture,
  {files, modulesMb, hasVirtualenv}: Sizes,
): Made {
  appendFileSync(path.join(root, '.gitignore'), 'node_modules/\n.venv/\n');
  writeMany(path.join(root, 'src'), files, (index) => `export const value${index} = ${index};\n`);
  const modules = Math.floor((modulesMb * 1024 * 1024) / moduleBytes);
  const text = "// a line of somebody else's code, as there are many\n"
    .repeat(Math.ceil(moduleBytes / 52))
    .slice(0, moduleBytes);
  writeMany(path.join(root, 'node_modules'), modules, () => text);
  const venv =
    hasVirtualenv &&
    spawnSync('python3', ['-m', 'venv', path.join(root, '.venv')], {stdio: 'ignore'}).status === 0;
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A repository of realistic size');
  return {files, modules, hasVirtualenv: venv};
}

function writeMany(directory: string, count: number, textOf: (index: number) => string): void {
  for (let index = 0; index < count; index++) {
    const place = path.join(directory, `part-${Math.floor(index / filesPerDirectory)}`);
    if (index % filesPerDirectory === 0) mkdirSync(place, {recursive: true});
    writeFileSync(path.join(place, `file-${index}.js`), textOf(index));
  }
}
