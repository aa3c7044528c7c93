import {followState, Refused, type LiveState} from '../../client/index.ts';
import type {Event, State} from '../../domain/index.ts';
import {readToken, type Here} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {version} from '../version.ts';
import {withDaemon} from '../with-daemon.ts';

/** Runs a command on a live copy of what the daemon knows. */
export async function withLive(
  surroundings: Surroundings,
  act: (live: LiveState, here: Here) => Promise<ExitCode>,
  heard?: (event: Event, state: State) => void,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (_daemon, here) => {
    const live = await followState({socket: here.socket, token: () => readToken(here), build: version}, heard);
    try {
      return await act(live, here);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      surroundings.err(`orchestra: ${error.message}\n`);
      return 1;
    } finally {
      live.close();
    }
  });
}
