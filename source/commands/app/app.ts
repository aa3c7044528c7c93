import path from 'node:path';
import {followState, type LiveState} from '../../client/index.ts';
import {runApp} from '../../tui/index.ts';
import {attach} from '../attach.ts';
import {findHere, Impossible, readToken, type Here} from '../here.ts';
import {editText} from '../loop/edit-text.ts';
import {replayFrom} from '../replay.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {version} from '../version.ts';
import {withDaemon} from '../with-daemon.ts';
import {createMemory} from './create-memory.ts';
import {createOpenPane} from './open-pane.ts';
import {prepareRepository} from './prepare-repository.ts';
import {readRepository, type RepositoryFacts} from './read-repository.ts';

/** What `orchestra` alone does: the app, on this repository, where the person left it. */
export async function app(surroundings: Surroundings): Promise<ExitCode> {
  const {terminal, env} = surroundings;
  if (terminal === undefined) throw new Impossible('the app needs a terminal');
  const repository = readRepository(surroundings);
  const place: {live?: LiveState; here?: Here} = {};
  const here = (): Here => (place.here ??= findHere(surroundings));
  const memory = createMemory(() => here().stateDirectory, repository.trouble === undefined);
  return runApp({
    connect: async (heard) => {
      // Starts a daemon if there is none; what follows talks to it on a connection of its own.
      await withDaemon(surroundings, () => Promise.resolve(0));
      place.live = await followState({socket: here().socket, token: () => readToken(here()), build: version}, heard);
      return place.live;
    },
    openPane: createOpenPane(() => {
      if (place.live === undefined) throw new Error('the daemon is not connected');
      return place.live.ask;
    }),
    terminal,
    handOver: async (session) => {
      await attach(session, surroundings);
    },
    edit: (text, name) => Promise.resolve(editText(text, name, surroundings)),
    replay: (session, at) => replayFrom(session, at, surroundings),
    prepareRepository: (what) => prepareRepository(what, surroundings),
    env,
    now: Date.now,
    memory,
    onSignal: terminal.onSignal,
    suspend: terminal.suspend,
    repository: {...repository, name: path.basename(repository.name), ...checkoutOf(repository, here)},
  });
}

/** In a worktree of the person's own a run begins there, and comes home there. */
function checkoutOf({trouble}: RepositoryFacts, here: () => Here): {readonly checkout?: string} {
  if (trouble === 'no-git') return {};
  const {root, commonDirectory} = here();
  return path.basename(commonDirectory) !== '.git' || path.dirname(commonDirectory) === root ? {} : {checkout: root};
}
