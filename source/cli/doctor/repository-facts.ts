import path from 'node:path';
import {existsSync, realpathSync} from 'node:fs';
import {errorText} from '../../shared/index.ts';
import {headQuestion, parseRepositoryFacts, repositoryQuestion} from '../../config/index.ts';
import {readProjectFile} from '../../daemon/index.ts';
import {createGit, detectDependencies, getSharePath} from '../../git/index.ts';
import type {DoctorFacts} from '../../reports/index.ts';
import {askProgram, type AskProgramOptions, findProgram, gitProgram} from '../../system/index.ts';
import {type CliContext, variablesIn} from '../cli-context.ts';
import {repositoryAt} from '../repo-paths.ts';

/**
 * The checkout in which git is asked: never an agent's worktree, whose contents the agent controls.
 */
export function findCheckoutRoot(cli: Pick<CliContext, 'cwd' | 'env'>): {
  readonly root?: string;
  readonly said?: string;
} {
  try {
    const root = repositoryAt(cli)?.root;
    return root === undefined ? {} : {root};
  } catch (error) {
    return {said: errorText(error)};
  }
}

export async function askRepository(asking: AskProgramOptions): Promise<DoctorFacts['repository']> {
  const [place, head] = await Promise.all([
    askProgram(gitProgram.command, repositoryQuestion, asking),
    askProgram(gitProgram.command, headQuestion, asking),
  ]);
  if (place.outcome === undefined) return {at: 'unknown', said: 'git was not found'};
  if (place.outcome.at !== 'exited') return {at: 'unknown', said: 'git did not answer'};
  const repository = parseRepositoryFacts(
    place.outcome,
    head.outcome?.at === 'exited' && head.outcome.code === 0,
  );
  if (repository.at !== 'repository') return repository;
  const hasSubmodules =
    repository.topLevel !== undefined && existsSync(path.join(repository.topLevel, '.gitmodules'));
  return {...repository, commonDirectory: realpathSync(repository.commonDirectory), hasSubmodules};
}

export function projectFacts(repository: DoctorFacts['repository']): Pick<DoctorFacts, 'project'> {
  if (repository.at !== 'repository' || repository.topLevel === undefined) return {};
  const file = path.join(repository.topLevel, '.orchestra', 'project.yaml');
  if (!existsSync(file)) return {};
  const {
    value: {sandbox, network},
    problems,
  } = readProjectFile(repository.topLevel);
  return {
    project: {
      file,
      problems,
      ...(sandbox === undefined ? {} : {sandbox}),
      ...(network === undefined ? {} : {network}),
    },
  };
}

/** The variables that the project file gives to agents. */
export function projectEnvironment(repository: DoctorFacts['repository']): readonly string[] {
  if (repository.at !== 'repository' || repository.topLevel === undefined) return [];
  return readProjectFile(repository.topLevel).value.environment ?? [];
}

/** Asks git as the daemon does, so that nothing runs which the repository's configuration names. */
export async function sharingFacts(
  repository: DoctorFacts['repository'],
  {env, outside}: AskProgramOptions,
): Promise<Pick<DoctorFacts, 'unshared'>> {
  if (repository.at !== 'repository' || repository.topLevel === undefined || repository.isBare)
    return {};
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside});
  if (file === undefined) return {};
  const {
    value: {share = [], setup},
  } = readProjectFile(repository.topLevel);
  if (setup !== undefined) return {};
  const shared = new Set(share.map(getSharePath));
  const found = await detectDependencies({
    root: realpathSync(repository.topLevel),
    git: createGit({program: file, env: variablesIn({env})}),
  }).catch(() => []);
  return {unshared: found.filter(({path: name}) => !shared.has(name))};
}
