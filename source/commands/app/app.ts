import {flushCompileCache} from 'node:module';
import path from 'node:path';
import {followState, type LiveState} from '../../client/index.ts';
import {runOf} from '../../domain/index.ts';
import {releaseSequence, runApp, type AppOptions, type KeptFrame} from '../../tui/index.ts';
import {attach} from '../attach.ts';
import {findHere, Impossible, readToken, type Here} from '../here.ts';
import {editText} from '../loop/edit-text.ts';
import {replayFrom} from '../replay.ts';
import {preferencesDirectory, preferencesProblem, readAccount} from '../../settings/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {version} from '../version.ts';
import {isAbsent, withDaemon} from '../with-daemon.ts';
import {createMemory} from './create-memory.ts';
import {writeLastFrame} from './last-frame.ts';
import {createOpenPane} from './open-pane.ts';
import {prepareRepository} from './prepare-repository.ts';
import {readRepository, type RepositoryFacts} from './read-repository.ts';

/** The last frame, which is on the terminal already. The terminal is taken; by `handOver` it becomes the app's to give back. */
export type Painted = {readonly frame: KeptFrame; readonly handOver: () => void};

/** The app, on this repository, where the person left it. */
export async function app(surroundings: Surroundings, painted?: Painted): Promise<ExitCode> {
  const {terminal, env} = surroundings;
  if (terminal === undefined) throw new Impossible('the app needs a terminal');
  const repository = readRepository(surroundings);
  /** The window may have been resized since the process began; and what is said beside the screen would stand on it. */
  const asItIsNow = (): Surroundings => ({
    ...surroundings,
    ...terminal.size(),
    err: () => undefined,
  });
  /** What the person's shell has printed stays as it is. */
  const onOwnScreen = async (use: () => Promise<unknown>): Promise<void> => {
    terminal.write('\u001B[?1049h\u001B[m\u001B[H\u001B[2J');
    try {
      await use();
    } finally {
      terminal.write(releaseSequence);
    }
  };

  const place: {live?: LiveState; here?: Here} = {};
  const here = (): Here => (place.here ??= findHere(surroundings));
  const memory = createMemory(
    () => here().stateDirectory,
    preferencesDirectory(readAccount(env), env),
    repository.trouble === undefined,
  );
  const options: AppOptions = {
    connect: async (heard, journal) => {
      const follow = (): Promise<LiveState> =>
        followState(
          {socket: here().socket, token: () => readToken(here()), build: version},
          heard,
          journal,
        );
      place.live = await follow().catch(async (error: unknown) => {
        if (!isAbsent(error)) throw error;
        // Starts a daemon, and talks to it on a connection of its own.
        await withDaemon(surroundings, () => Promise.resolve(0));
        return follow();
      });
      return place.live;
    },
    openPane: createOpenPane(() => {
      if (place.live === undefined) throw new Error('the daemon is not connected');
      return place.live.ask;
    }),
    terminal,
    handOver: (session) => onOwnScreen(() => attach(session, asItIsNow())),
    edit: (text, name) => Promise.resolve(editText(text, name, surroundings)),
    replay: (session, at) => onOwnScreen(() => replayFrom(session, at, asItIsNow())),
    propose: async (id) => {
      const run = place.live === undefined ? undefined : runOf(place.live.state(), id);
      if (run === undefined) throw new Error(`there is no run ${id} now`);
      const made = await (await import('../loop/propose.ts')).propose(run, here(), surroundings);
      if ('refused' in made) throw new Error(made.refused);
      return made.url;
    },
    prepareRepository: (what) => prepareRepository(what, surroundings),
    env,
    now: Date.now,
    memory,
    frames: {
      painted: painted?.frame,
      keep: (frame) => {
        if (repository.trouble === undefined)
          writeLastFrame(here().stateDirectory, frame, surroundings);
        // Also what was compiled, for a client that will be killed: Node would write it at the end.
        flushCompileCache();
      },
    },
    onSignal: terminal.onSignal,
    suspend: terminal.suspend,
    repository: {
      name: path.basename(repository.name),
      agents: repository.agents,
      ...(repository.trouble === undefined ? {} : {trouble: repository.trouble}),
      ...checkoutOf(repository, here),
      shell: {program: shellOf(env), directory: surroundings.cwd},
      // Read when it is shown.
      get rules() {
        return repository.rules;
      },
      get project() {
        return repository.project;
      },
      get settingsProblem() {
        return preferencesProblem(preferencesDirectory(readAccount(env), env));
      },
    },
  };
  painted?.handOver();
  return runApp(options);
}

/** What the person types into elsewhere. */
function shellOf(env: Surroundings['env']): string {
  const shell = env['SHELL'] ?? '';
  return path.isAbsolute(shell) ? shell : '/bin/sh';
}

/** In a worktree of the person's own a run begins there, and comes home there. */
function checkoutOf({trouble}: RepositoryFacts, here: () => Here): {readonly checkout?: string} {
  if (trouble === 'no-git') return {};
  const {root, commonDirectory} = here();
  return path.basename(commonDirectory) !== '.git' || path.dirname(commonDirectory) === root
    ? {}
    : {checkout: root};
}
