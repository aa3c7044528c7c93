import {sanitizeText} from '../../shared/index.ts';
import {type EnvironmentReport, formatEnvironmentReport, formatJson} from '../../reports/index.ts';
import type {Event, Project, RunRequest} from '../../domain/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findRun} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';
import {neededVariables} from '../../agents/index.ts';
import {findAgentsOnPath} from './task-agents.ts';
import {selectAllowedVariables} from '../../secrets/index.ts';

type Options = {readonly json?: boolean};

/** Shows the environment of a run's sessions, and how this shell differs. */
export async function env(
  id: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    const report = (await live.ask({
      about: 'environment',
      of: run.id,
      env: shellEnvironment(live.state().project, run.request, cli),
    })) as EnvironmentReport;
    cli.out(
      options.json === true ? formatJson(report) : formatEnvironmentReport(report, Date.now()),
    );
    return 0;
  });
}

/** Gives this shell's environment to sessions of the run that start from now on. */
export async function refreshEnv(
  id: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    const {events} = (await live.ask({
      about: 'wish',
      wish: {type: 'refresh-environment', run: run.id},
      env: shellEnvironment(live.state().project, run.request, cli),
    })) as {readonly events: readonly Event[]};
    const changed = events.flatMap((event) =>
      event.type === 'environment-refreshed' ? event.changed : [],
    );
    const text =
      `${run.id} has this shell's environment: ` +
      `${changed.length === 0 ? 'nothing changed' : `${changed.join(', ')} changed`}. New ` +
      'sessions get it; running ones keep theirs.';
    cli.out(options.json === true ? formatJson({run: run.id, changed}) : `${sanitizeText(text)}\n`);
    return 0;
  });
}

/**
 * The variables of this shell that matter for a run, also those of other agents that its tasks may
 * name; no others leave the shell.
 */
export function shellEnvironment(
  project: Project,
  request: Pick<RunRequest, 'worker' | 'planner'>,
  {env, cwd}: Pick<CliContext, 'env' | 'cwd'>,
): Record<string, string> {
  return selectAllowedVariables(env, {
    allow: project.environment ?? [],
    needs: neededVariables(project, [
      request.worker,
      request.planner,
      ...findAgentsOnPath(project, {env, cwd}).installed,
    ]),
  });
}
