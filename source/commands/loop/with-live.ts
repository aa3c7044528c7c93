import {followState, Lost, type LiveState} from '../../client/index.ts';
import type {Event, State} from '../../domain/index.ts';
import {readToken, type Here} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {version} from '../version.ts';
import {askerOf, withDaemon} from '../with-daemon.ts';

/** Runs a command on a live copy of what the daemon knows. `lost` says what to do when the daemon ends in the middle of it. */
export async function withLive(
  surroundings: Surroundings,
  act: (live: LiveState, here: Here) => Promise<ExitCode>,
  heard?: (event: Event, state: State) => void,
  lost?: () => Promise<ExitCode>,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (_daemon, here) => {
    const live = await followState(
      {socket: here.socket, token: () => readToken(here), build: version, ...askerOf(surroundings)},
      heard,
    );
    try {
      return await act(live, here);
    } catch (error) {
      if (lost === undefined || !(error instanceof Lost)) throw error;
      return await lost();
    } finally {
      live.close();
    }
  });
}
