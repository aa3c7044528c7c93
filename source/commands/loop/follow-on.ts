import type {Event, RunId, State} from '../../domain/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {tellLost} from '../with-daemon.ts';
import {followRun, type FollowOptions} from './follow-run.ts';
import type {Story} from './story.ts';
import {withLive} from './with-live.ts';

/** A daemon that ends again and again does so for a reason that a person should see. */
const mostTimes = 10;

/** Goes on following a run when the daemon has ended: another one takes the run up where it was. */
export async function followOn(
  id: RunId | undefined,
  options: FollowOptions,
  surroundings: Surroundings,
  story: Story,
  heard: (event: Event, state: State) => void,
  times = 1,
): Promise<ExitCode> {
  if (id === undefined || times > mostTimes) return tellLost(surroundings);
  if (options.json !== true) story.say(`the daemon ended; another one takes up ${id}\n`);
  return withLive(
    surroundings,
    (live) => followRun(live, id, options, surroundings, story),
    heard,
    () => followOn(id, options, surroundings, story, heard, times + 1),
  );
}
