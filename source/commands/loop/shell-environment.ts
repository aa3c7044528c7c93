import {neededVariables} from '../../agents/index.ts';
import {countingVariables} from '../../documents/index.ts';
import type {Project, RunRequest} from '../../domain/index.ts';
import type {Surroundings} from '../surroundings.ts';

/** What of this shell's environment counts for a run; nothing else leaves the shell. */
export function shellEnvironment(
  project: Project,
  request: Pick<RunRequest, 'worker' | 'planner'>,
  {env}: Pick<Surroundings, 'env'>,
): Record<string, string> {
  return countingVariables(env, {
    allow: project.environment ?? [],
    needs: neededVariables(project, request),
  });
}
