import {
  type EnvironmentReport,
  type ExplanationLines,
  type FactLine,
  formatEnvironmentReport,
  formatExplanation,
  formatFacts,
} from '../reports/index.ts';
import {
  isRunId,
  isSessionId,
  isTaskId,
  type RunId,
  runIdIn,
  runIdOfSession,
  selectRun,
  selectSession,
  type SessionId,
  type State,
  type TaskId,
} from '../domain/index.ts';
import {UsageError} from './repo-paths.ts';
import {shellEnvironment} from './runs/env.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {withDaemon} from './with-daemon.ts';

type Options = {readonly json?: boolean};

/**
 * Explains the state of a session, task or run with its evidence, and the environment of its
 * sessions.
 */
export async function explain(what: string, options: Options, cli: CliContext): Promise<ExitCode> {
  if (!isSessionId(what) && !isTaskId(what) && !isRunId(what))
    throw new UsageError(
      `expected a session, a task or a run such as s7, r1.t2 or r1, got ${JSON.stringify(what)}`,
    );
  return withDaemon(cli, async (daemon) => {
    const state = (await daemon.ask({about: 'state'})) as State;
    const env = shellEnvironmentFor(state, what, cli);
    const environment =
      env === undefined
        ? undefined
        : ((await daemon.ask({about: 'environment', of: what, env})) as EnvironmentReport);
    const rest = environment === undefined ? '' : formatEnvironmentReport(environment, Date.now());
    const more = environment === undefined ? {} : {environment};
    if (isSessionId(what)) {
      const answer = (await daemon.ask({about: 'explain', session: what})) as ExplanationLines;
      cli.out(
        options.json === true
          ? `${JSON.stringify({...answer, ...more})}\n`
          : `${formatExplanation(answer, Date.now())}${rest}`,
      );
      return 0;
    }

    const {text} = (await daemon.ask({about: 'explanation', of: what})) as {readonly text: string};
    cli.out(
      options.json === true
        ? `${JSON.stringify({of: what, text, ...more})}\n`
        : `${text.endsWith('\n') ? text : `${text}\n`}${rest}`,
    );
    return 0;
  });
}

/**
 * The variables of this shell that matter for the run in question; `undefined` if there is none.
 */
function shellEnvironmentFor(
  state: State,
  what: SessionId | TaskId | RunId,
  cli: CliContext,
): Record<string, string> | undefined {
  const session = isSessionId(what) ? selectSession(state, what) : undefined;
  const runOfSession = session === undefined ? undefined : runIdOfSession(session);
  const id = isSessionId(what) ? runOfSession : runIdIn(what);
  const run = id === undefined ? undefined : selectRun(state, id);
  return run === undefined ? undefined : shellEnvironment(state.project, run.request, cli);
}

/** Prints facts that are read from the kernel, git and the journal at this moment. */
export async function facts(
  options: {readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    const answer = (await daemon.ask({about: 'facts'})) as readonly FactLine[];
    cli.out(options.json === true ? `${JSON.stringify({facts: answer})}\n` : formatFacts(answer));
    return 0;
  });
}
