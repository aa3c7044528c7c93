import {formatJson} from '../../documents/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {propose} from './propose.ts';
import {accept as acceptHere} from './steer.ts';
import {withLive} from './with-live.ts';

/** Into the person's branch, or as a pull request. */
export async function accept(id: string | undefined, options: {readonly json?: boolean; readonly pullRequest?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  if (options.pullRequest !== true) return acceptHere(id, options, surroundings);
  return withLive(surroundings, async (live, here) => {
    const run = findRun(live.state(), id);
    const made = await propose(run, here, surroundings);
    if ('refused' in made) {
      surroundings.err(`orchestra: ${made.refused}\n`);
      return 1;
    }

    surroundings.out(options.json === true ? formatJson({run: run.id, ...made}) : `${made.url}\n`);
    return 0;
  });
}
