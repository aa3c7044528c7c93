import {formatFacts, type FactLine} from '../documents/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** What is so now: read from the kernel, git and the journal at this moment. */
export async function facts(
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const answer = (await daemon.ask({about: 'facts'})) as readonly FactLine[];
    surroundings.out(
      options.json === true ? `${JSON.stringify({facts: answer})}\n` : formatFacts(answer),
    );
    return 0;
  });
}
