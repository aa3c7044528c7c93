import {
  formatEnvironmentReport,
  formatExplanation,
  type EnvironmentReport,
  type ExplanationLines,
} from '../documents/index.ts';
import {
  isRunId,
  isSessionId,
  isTaskId,
  runIdIn,
  runIdOfSession,
  runOf,
  sessionOf,
  type RunId,
  type SessionId,
  type State,
  type TaskId,
} from '../domain/index.ts';
import {Impossible} from './here.ts';
import {shellEnvironment} from './loop/shell-environment.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

type Options = {readonly json?: boolean};

/** Why a session, a task or a run is in the state that it is shown in, with what that rests on, and which environment its sessions get. */
export async function explain(
  what: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (!isSessionId(what) && !isTaskId(what) && !isRunId(what))
    throw new Impossible(
      `expected a session, a task or a run such as s7, r1.t2 or r1, got ${JSON.stringify(what)}`,
    );
  return withDaemon(surroundings, async (daemon) => {
    const state = (await daemon.ask({about: 'state'})) as State;
    const env = environmentHere(state, what, surroundings);
    const environment =
      env === undefined
        ? undefined
        : ((await daemon.ask({about: 'environment', of: what, env})) as EnvironmentReport);
    const rest = environment === undefined ? '' : formatEnvironmentReport(environment, Date.now());
    const more = environment === undefined ? {} : {environment};
    if (isSessionId(what)) {
      const answer = (await daemon.ask({about: 'explain', session: what})) as ExplanationLines;
      surroundings.out(
        options.json === true
          ? `${JSON.stringify({...answer, ...more})}\n`
          : `${formatExplanation(answer, Date.now())}${rest}`,
      );
      return 0;
    }

    const {text} = (await daemon.ask({about: 'explanation', of: what})) as {readonly text: string};
    surroundings.out(
      options.json === true
        ? `${JSON.stringify({of: what, text, ...more})}\n`
        : `${text.endsWith('\n') ? text : `${text}\n`}${rest}`,
    );
    return 0;
  });
}

/** What of this shell counts for the run that it is about; nothing where it is about none. */
function environmentHere(
  state: State,
  what: SessionId | TaskId | RunId,
  surroundings: Surroundings,
): Record<string, string> | undefined {
  const session = isSessionId(what) ? sessionOf(state, what) : undefined;
  const id = isSessionId(what)
    ? session === undefined
      ? undefined
      : runIdOfSession(session)
    : runIdIn(what);
  const run = id === undefined ? undefined : runOf(state, id);
  return run === undefined ? undefined : shellEnvironment(state.project, run.request, surroundings);
}
