import {execFileSync} from 'node:child_process';
import type {Surroundings} from '../surroundings.ts';

/** At the person's word: a repository where there is none, a first commit where there is none. Their files are only read. */
export function prepareRepository(what: 'no-git' | 'no-commits', {cwd, env}: Pick<Surroundings, 'cwd' | 'env'>): Promise<void> {
  const git = (...argv: readonly string[]): void => void execFileSync('git', argv, {cwd, env, stdio: ['ignore', 'ignore', 'pipe']});
  try {
    if (what === 'no-git') git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    return Promise.resolve();
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    return Promise.reject(new Error(said));
  }
}
