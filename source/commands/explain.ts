import {formatExplanation, type ExplanationLines} from '../documents/index.ts';
import {isSessionId} from '../domain/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** Why a session is in the state that it is shown in, with what that rests on. */
export async function explain(session: string, options: {readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  if (!isSessionId(session)) throw new Impossible(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return withDaemon(surroundings, async (daemon) => {
    const answer = (await daemon.ask({about: 'explain', session})) as ExplanationLines;
    surroundings.out(options.json === true ? `${JSON.stringify(answer)}\n` : formatExplanation(answer, Date.now()));
    return 0;
  });
}
