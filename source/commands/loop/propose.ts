import path from 'node:path';
import {isReady, type Run} from '../../domain/index.ts';
import {findProgram} from '../../machine/index.ts';
import {openPullRequest, openWorkspace, type PullRequest} from '../../workspace/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';
import {branchOf} from './follow-run.ts';

/** Pushes the branch of a run that is ready, and has gh open a pull request for it. */
export async function propose(run: Run, {root, commonDirectory, stateDirectory}: Here, {env: given}: Pick<Surroundings, 'env'>): Promise<PullRequest> {
  if (!isReady(run)) throw new Impossible(`${run.id} is not ready; it is ${run.stage.at}. See: orchestra status ${run.id}`);
  const env = Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const search = {path: env['PATH'] ?? '', outside: root};
  const git = findProgram('git', search).file;
  if (git === undefined) throw new Impossible('git is not on PATH; install it');
  const into = 'ground' in run.stage ? run.stage.ground.branch : null;
  if (into === null) throw new Impossible(`you were on no branch when ${run.id} began, so there is none that a pull request could go into`);
  const workspace = openWorkspace({root, commonDirectory, private: path.join(stateDirectory, 'workspace'), program: git, env, now: Date.now});
  return openPullRequest(workspace, {
    branch: branchOf(run), into, title: run.request.objective, body: `Run ${run.id}: ${run.tasks.map(({planned}) => planned.title).join('; ')}.\n`,
    remote: 'origin', push: true, programs: {git, gh: findProgram('gh', search).file ?? null}, env,
  });
}
