import {followState, Refused, type LiveState} from '../../client/index.ts';
import type {Event, State} from '../../domain/index.ts';
import {Impossible, readToken, type Here} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {version} from '../version.ts';
import {withDaemon} from '../with-daemon.ts';

/** Runs a command on a live copy of what the daemon knows. `lost` says what to do when the daemon ends in the middle of it. */
export async function withLive(
  surroundings: Surroundings,
  act: (live: LiveState, here: Here) => Promise<ExitCode>,
  heard?: (event: Event, state: State) => void,
  lost: () => Promise<ExitCode> = () => tellLost(surroundings),
): Promise<ExitCode> {
  return withDaemon(surroundings, async (_daemon, here) => {
    const live = await followState({socket: here.socket, token: () => readToken(here), build: version}, heard);
    const link = {isLost: false};
    void live.ended.then(() => { link.isLost = true; });
    try {
      return await act(live, here);
    } catch (error) {
      if (link.isLost && !(error instanceof Impossible) && !(error instanceof Refused)) return await lost();
      if (!(error instanceof Refused)) throw error;
      surroundings.err(`orchestra: ${error.message}\n`);
      return 1;
    } finally {
      live.close();
    }
  });
}

export function tellLost({err}: Surroundings): Promise<ExitCode> {
  err('orchestra: the daemon ended in the middle of it. Nothing that was written down is lost; the next command starts another: orchestra status\n');
  return Promise.resolve(1);
}
