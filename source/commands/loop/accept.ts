import path from 'node:path';
import {findProgram} from '../../machine/index.ts';
import {formatJson} from '../../documents/index.ts';
import {isReady, type Run} from '../../domain/index.ts';
import {openPullRequest, openWorkspace, type PullRequest} from '../../workspace/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {branchOf} from './follow-run.ts';
import {accept as acceptHere} from './steer.ts';
import {withLive} from './with-live.ts';

/** Into the person's branch, or as a pull request. */
export async function accept(id: string | undefined, options: {readonly json?: boolean; readonly pullRequest?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  if (options.pullRequest !== true) return acceptHere(id, options, surroundings);
  return withLive(surroundings, async (live, here) => {
    const run = findRun(live.state(), id);
    if (!isReady(run)) throw new Impossible(`${run.id} is not ready; it is ${run.stage.at}. See: orchestra status ${run.id}`);
    const made = await propose(run, here, surroundings);
    if ('refused' in made) {
      surroundings.err(`orchestra: ${made.refused}\n`);
      return 1;
    }

    surroundings.out(options.json === true ? formatJson({run: run.id, ...made}) : `${made.url}\n`);
    return 0;
  });
}

async function propose(run: Run, {root, commonDirectory, stateDirectory}: Here, {env: given}: Surroundings): Promise<PullRequest> {
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
