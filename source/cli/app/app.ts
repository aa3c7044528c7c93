import path from 'node:path';
import {flushCompileCache} from 'node:module';
import {followState, type LiveState} from '../../client/index.ts';
import {selectRun} from '../../domain/index.ts';
import {type AppOptions, type CachedFrame, leaveSequence, runApp} from '../../app/index.ts';
import {attach} from '../attach.ts';
import {readToken, type RepoPaths, resolveRepoPaths, UsageError} from '../repo-paths.ts';
import {editText} from '../runs/edit-text.ts';
import {replayFrom} from '../replay.ts';
import {preferencesDirectory, preferencesProblem, readAccount} from '../../config/index.ts';
import {type CliContext, type ExitCode, version} from '../cli-context.ts';
import {isAbsent, withDaemon} from '../with-daemon.ts';
import {createUiStateStore} from './create-ui-state-store.ts';
import {writeLastFrame} from './last-frame.ts';
import {createOpenPane} from './open-pane.ts';
import {prepareRepository, readRepository, type RepositoryFacts} from './repository.ts';

/**
 * The last frame, already painted. `handOver` makes the app responsible for restoring the terminal.
 */
export type Painted = {readonly frame: CachedFrame; readonly handOver: () => void};

/** Opens the app on this repository, where the person left it. */
export async function app(cli: CliContext, painted?: Painted): Promise<ExitCode> {
  const {terminal, env} = cli;
  if (terminal === undefined) throw new UsageError('the app needs a terminal');
  const repository = readRepository(cli);
  /**
   * The window may have been resized since the start; messages on stderr would overwrite the
   * screen.
   */
  const withoutMessages = (): CliContext => ({
    ...cli,
    ...terminal.size(),
    err: () => undefined,
  });
  /** Leaves the output of the person's shell unchanged. */
  const onOwnScreen = async (use: () => Promise<unknown>): Promise<void> => {
    terminal.write('\u001B[?1049h\u001B[m\u001B[H\u001B[2J');
    try {
      await use();
    } finally {
      terminal.write(leaveSequence);
    }
  };

  const place: {live?: LiveState; repoPaths?: RepoPaths} = {};
  const repoPaths = (): RepoPaths => (place.repoPaths ??= resolveRepoPaths(cli));
  const uiState = createUiStateStore(
    () => repoPaths().stateDirectory,
    preferencesDirectory(readAccount(env), env),
    repository.trouble === undefined,
  );
  const options: AppOptions = {
    connect: async (onEvent, journal) => {
      const follow = (): Promise<LiveState> =>
        followState(
          {socket: repoPaths().socket, token: () => readToken(repoPaths()), build: version},
          onEvent,
          journal,
        );
      place.live = await follow().catch(async (error: unknown) => {
        if (!isAbsent(error)) throw error;
        // Starts a daemon; the connection that this opens is closed again.
        await withDaemon(cli, () => Promise.resolve(0));
        return follow();
      });
      return place.live;
    },
    openPane: createOpenPane(() => {
      if (place.live === undefined) throw new Error('the daemon is not connected');
      return place.live.ask;
    }),
    terminal,
    handOver: (session) => onOwnScreen(() => attach(session, withoutMessages())),
    edit: (text, name) => Promise.resolve(editText(text, name, cli)),
    replay: (session, at) => onOwnScreen(() => replayFrom(session, at, withoutMessages())),
    propose: async (id) => {
      const run = place.live === undefined ? undefined : selectRun(place.live.state(), id);
      if (run === undefined) throw new Error(`there is no run ${id}`);
      const made = await (await import('../runs/propose.ts')).propose(run, repoPaths(), cli);
      if ('rejected' in made) throw new Error(made.rejected);
      return made.url;
    },
    prepareRepository: (what) => prepareRepository(what, cli),
    env,
    now: Date.now,
    uiState,
    frames: {
      painted: painted?.frame,
      save: (frame) => {
        if (repository.trouble === undefined)
          writeLastFrame(repoPaths().stateDirectory, frame, cli);
        // Node writes the compile cache at its exit, but a client may be killed.
        flushCompileCache();
      },
    },
    onSignal: terminal.onSignal,
    suspend: terminal.suspend,
    repository: {
      name: path.basename(repository.name),
      ...(repository.head === undefined ? {} : {head: repository.head}),
      ...(repository.trouble === undefined ? {} : {trouble: repository.trouble}),
      ...linkedCheckout(repository, repoPaths),
      shell: {program: chooseShell(env), directory: cli.cwd},
      // Read when shown.
      get agents() {
        return repository.agents;
      },
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

/** The person's shell. */
function chooseShell(env: CliContext['env']): string {
  const shell = env['SHELL'] ?? '';
  return path.isAbsolute(shell) ? shell : '/bin/sh';
}

/** In a linked worktree of the person, a run starts from its branch and is accepted into it. */
function linkedCheckout(
  {trouble}: RepositoryFacts,
  repoPaths: () => RepoPaths,
): {readonly checkout?: string} {
  if (trouble === 'no-git') return {};
  const {root, commonDirectory} = repoPaths();
  return path.basename(commonDirectory) !== '.git' || path.dirname(commonDirectory) === root
    ? {}
    : {checkout: root};
}
