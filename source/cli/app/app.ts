import path from 'node:path';
import {flushCompileCache} from 'node:module';
import {followState, type LiveState} from '../../client/index.ts';
import {selectRun} from '../../domain/index.ts';
import {type AppOptions, type CachedFrame, leaveSequence, runApp} from '../../app/index.ts';
import {attach} from '../attach.ts';
import {saveTemporarily} from '../give-files.ts';
import {readToken, type RepoPaths, resolveRepoPaths, UsageError} from '../repo-paths.ts';
import type {Demo} from '../demo/make-demo.ts';
import {editText} from '../runs/edit-text.ts';
import {replayFrom} from '../replay.ts';
import {preferencesDirectory, preferencesProblem, readAccount} from '../../config/index.ts';
import {type CliContext, type ExitCode, version} from '../cli-context.ts';
import {isAbsent, withDaemon} from '../with-daemon.ts';
import {createUiStateStore} from './create-ui-state-store.ts';
import {writeLastFrame} from './last-frame.ts';
import {writeStarterRules} from './starter-rules.ts';
import {createOpenPane} from './open-pane.ts';
import {prepareRepository, readRepository, type AppRepositoryFacts} from './repository.ts';

/**
 * The last frame, already painted. `handOver` makes the app responsible for restoring the terminal.
 */
type PaintedFrame = {readonly frame: CachedFrame; readonly handOver: () => void};

/**
 * Opens the app on this repository, where the person left it. A demo that they ask for is opened in
 * its place; leaving the demo leads back here.
 */
export async function app(cli: CliContext, painted?: PaintedFrame): Promise<ExitCode> {
  const demos: Demo[] = [];
  let left = await openRepository(cli, painted);
  while (left.demo !== undefined) {
    demos.push(left.demo);
    const inDemo = await openRepository({...cli, cwd: left.demo.root});
    // A signal ends all of it.
    if (inDemo.code !== 0) left = {code: inDemo.code};
    else left = inDemo.demo === undefined ? await openRepository(cli) : inDemo;
  }

  await leaveDemos(demos, cli);
  return left.code;
}

async function leaveDemos(demos: readonly Demo[], cli: CliContext): Promise<void> {
  if (demos.length === 0) return;
  const {leaveDemo} = await import('../demo/start-demo.ts');
  for (const demo of demos) await leaveDemo(demo, cli);
}

/** How the app was left: with an exit code, or for a demo that was made. */
type Left = {readonly code: ExitCode; readonly demo?: Demo};

async function openRepository(cli: CliContext, painted?: PaintedFrame): Promise<Left> {
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

  const place: {
    live?: LiveState;
    repoPaths?: RepoPaths;
    making?: Promise<Demo>;
    demo?: Demo;
  } = {};
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
    writeRules: (text) =>
      new Promise((resolve) => {
        writeStarterRules(repository.name, text);
        resolve();
      }),
    prepareDemo: async () => {
      const {makeAndStartDemo} = await import('../demo/start-demo.ts');
      place.making = makeAndStartDemo(withoutMessages());
      place.demo = await place.making;
    },
    readClipboardImage: async () =>
      (await import('../read-clipboard.ts')).readClipboardImage(cli, repository.name),
    saveTemporarily,
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
      interfaces: repository.interfaces,
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
      get starter() {
        return repository.starter;
      },
      get settingsProblem() {
        return preferencesProblem(preferencesDirectory(readAccount(env), env));
      },
    },
  };
  painted?.handOver();
  const code = await runApp(options);
  if (place.demo !== undefined) return {code, demo: place.demo};
  // The person left while it was being made: it is there all the same, and must be known.
  const late = await place.making?.catch(() => undefined);
  if (late !== undefined) await leaveDemos([late], cli);
  return {code};
}

/** The person's shell. */
function chooseShell(env: CliContext['env']): string {
  const shell = env['SHELL'] ?? '';
  return path.isAbsolute(shell) ? shell : '/bin/sh';
}

/** In a linked worktree of the person, a run starts from its branch and is accepted into it. */
function linkedCheckout(
  {trouble}: AppRepositoryFacts,
  repoPaths: () => RepoPaths,
): {readonly checkout?: string} {
  if (trouble === 'no-git') return {};
  const {root, commonDirectory} = repoPaths();
  return path.basename(commonDirectory) !== '.git' || path.dirname(commonDirectory) === root
    ? {}
    : {checkout: root};
}
