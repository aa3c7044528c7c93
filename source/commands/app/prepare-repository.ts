import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {findProgram} from '../../machine/index.ts';
import {repositoryAt} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';

/** At the person's word: a repository where there is none, a first commit where there is none. Their files are only read. */
export function prepareRepository(
  what: 'no-git' | 'no-commits',
  {cwd, env}: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<void> {
  const reason = reasonAgainst({cwd, env});
  if (reason !== undefined) return Promise.reject(new Error(reason));
  try {
    const directory = repositoryAt({cwd, env})?.root ?? cwd;
    const {file} = findProgram('git', {path: env['PATH'] ?? '', outside: directory});
    if (file === undefined) throw new Error('git is not on PATH; install it');
    const git = (...argv: readonly string[]): void =>
      void execFileSync(file, argv, {cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe']});
    if (what === 'no-git') git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    return Promise.resolve();
  } catch (error) {
    const said =
      error instanceof Error && 'stderr' in error
        ? String(error.stderr).trim()
        : error instanceof Error
          ? error.message
          : String(error);
    return Promise.reject(new Error(said));
  }
}

/** Where a commit of everything would do harm, or cannot be. */
function reasonAgainst({cwd, env}: Pick<Surroundings, 'cwd' | 'env'>): string | undefined {
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(cwd, name))))
    return 'this is a bare repository, without files to work on: clone it, and start orchestra in the clone';
  const isAbove = [env['HOME'], '/'].some(
    (directory) =>
      directory !== undefined && directory !== '' && path.resolve(cwd) === path.resolve(directory),
  );
  return isAbove
    ? 'this directory holds everything that you have, not one project: start orchestra in the directory of a project'
    : undefined;
}
