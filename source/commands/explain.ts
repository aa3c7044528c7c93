import {formatExplanation, type ExplanationLines} from '../documents/index.ts';
import {isRunId, isSessionId, isTaskId} from '../domain/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** Why a session is in the state that it is shown in, with what that rests on. */
export async function explain(session: string, options: {readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  if (isRunId(session) || isTaskId(session)) return explainWork(session, options, surroundings);
  if (!isSessionId(session)) throw new Impossible(`expected a session, a run or a task, such as s7, r1 or r1.t2, got ${JSON.stringify(session)}`);
  return withDaemon(surroundings, async (daemon) => {
    const answer = (await daemon.ask({about: 'explain', session})) as ExplanationLines;
    surroundings.out(options.json === true ? `${JSON.stringify(answer)}\n` : formatExplanation(answer, Date.now()));
    return 0;
  });
}

/** Where a run or a task stands, why, and what can be done. */
async function explainWork(of: string, options: {readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const answer = (await daemon.ask({about: 'explanation', of})) as {readonly text: string};
    surroundings.out(options.json === true ? `${JSON.stringify({of, text: answer.text})}\n` : answer.text);
    return 0;
  });
}
