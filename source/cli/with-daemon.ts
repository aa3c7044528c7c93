import {errorCode, errorText, sanitizeText} from '../shared/index.ts';
import {
  connectDaemon,
  ConnectionLostError,
  createEventSequence,
  type DaemonAddress,
  type DaemonConnection,
  followState,
  type LiveState,
  RequestRejectedError,
} from '../client/index.ts';
import {readToken, type RepoPaths, resolveRepoPaths, UsageError} from './repo-paths.ts';
import {type CliContext, type ExitCode, version} from './cli-context.ts';
import type {Event, State} from '../domain/index.ts';

type Asker = Pick<DaemonAddress, 'code' | 'isTyped'>;

/**
 * Connects a command to the daemon of this repository, which is started if none runs. Exit 1 if the
 * daemon rejects a request or ends before it answers.
 */
export async function withDaemon(
  cli: CliContext,
  act: (daemon: DaemonConnection, repoPaths: RepoPaths) => Promise<ExitCode>,
): Promise<ExitCode> {
  const repoPaths = resolveRepoPaths(cli);
  const daemon =
    (await connectIfRunning(repoPaths, undefined, toAsker(cli))) ??
    (await startAndConnect(repoPaths, cli, {isAsked: false}));
  try {
    return await printErrors(cli, () => act(daemon, repoPaths));
  } finally {
    daemon.close();
  }
}

/**
 * Runs a command on a live copy of the daemon's state. `onLost` replaces the message when the
 * daemon ends meanwhile.
 */
export async function withLive(
  cli: CliContext,
  act: (live: LiveState, repoPaths: RepoPaths) => Promise<ExitCode>,
  onEvent?: (event: Event, state: State) => void,
  onLost?: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const repoPaths = resolveRepoPaths(cli);
  return printErrors(cli, async () => {
    const live =
      (await followIfRunning(repoPaths, cli, onEvent)) ??
      (await startAndFollow(repoPaths, cli, onEvent));
    try {
      return await act(live, repoPaths);
    } catch (error) {
      if (onLost === undefined || !(error instanceof ConnectionLostError)) throw error;
      return await onLost();
    } finally {
      live.close();
    }
  });
}

async function printErrors(cli: CliContext, act: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ConnectionLostError || isAbsent(error)) return printConnectionLost(cli);
    if (!(error instanceof RequestRejectedError)) throw error;
    printRejected(error, cli);
    return 1;
  }
}

async function followIfRunning(
  repoPaths: RepoPaths,
  cli: CliContext,
  onEvent?: (event: Event, state: State) => void,
): Promise<LiveState | undefined> {
  try {
    return await followState(toAddress(repoPaths, toAsker(cli)), onEvent);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    if (error instanceof ConnectionLostError) throw error;
    throw new UsageError(errorText(error));
  }
}

async function startAndFollow(
  repoPaths: RepoPaths,
  cli: CliContext,
  onEvent?: (event: Event, state: State) => void,
): Promise<LiveState> {
  const daemon = await startAndConnect(repoPaths, cli, {isAsked: false});
  try {
    const live = await followIfRunning(repoPaths, cli, onEvent);
    if (live === undefined) throw new ConnectionLostError();
    return live;
  } finally {
    daemon.close();
  }
}

function toAddress(repoPaths: RepoPaths, asker: Asker): DaemonAddress {
  return {
    socket: repoPaths.socket,
    token: () => readToken(repoPaths),
    build: version,
    ...asker,
  };
}

/** What the daemon learns about the caller. */
export function toAsker({asked, isTerminal}: Pick<CliContext, 'asked' | 'isTerminal'>): Asker {
  return {code: asked?.().code, isTyped: isTerminal};
}

/** With `--json` the rejection is also printed as JSON, if the daemon gave a code for it. */
export function printRejected(
  {message, reason: {code, doubt}}: RequestRejectedError,
  {out, err, asked}: Pick<CliContext, 'out' | 'err' | 'asked'>,
): void {
  err(`orchestra: ${sanitizeText(message)}\n`);
  if (code !== undefined && asked?.().json === true)
    out(
      `${JSON.stringify({refused: {code, text: message, ...(doubt !== undefined && {doubt})}})}\n`,
    );
}

export function printConnectionLost({err}: Pick<CliContext, 'err'>): ExitCode {
  err(
    'orchestra: the daemon exited before answering. No data was lost. The next command ' +
      'starts another daemon: orchestra status\n',
  );
  return 1;
}

/** Connects to the daemon; `undefined` if none runs. */
export async function connectIfRunning(
  repoPaths: RepoPaths,
  facts?: Parameters<typeof connectDaemon>[1],
  asker: Asker = {},
): Promise<DaemonConnection | undefined> {
  try {
    return await connectDaemon(toAddress(repoPaths, asker), facts);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw new UsageError(errorText(error));
  }
}

/**
 * Starts a daemon; after repeated crashes only if the person asked for it. The module is loaded
 * late because a daemon usually runs already.
 */
export async function startAndConnect(
  repoPaths: RepoPaths,
  cli: Pick<CliContext, 'env'>,
  {isAsked}: {readonly isAsked: boolean},
): Promise<DaemonConnection> {
  return (await import('./start-daemon.ts')).startDaemon(repoPaths, cli, {
    connectIfRunning: () => connectIfRunning(repoPaths),
    isAsked,
  });
}

/** Whether nothing listens on the socket: there is no daemon, or it is about to end. */
export function isAbsent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}

export type EventStream = {
  /** The first event since `from` for which the predicate holds. */
  readonly until: (matches: (event: Event) => boolean) => Promise<Event>;
  readonly close: () => void;
};

/** Receives every event after `from`, each once and without gaps, on a connection of its own. */
export async function followEvents(repoPaths: RepoPaths, from: number): Promise<EventStream> {
  const received: Event[] = [];
  let waiting: {
    readonly matches: (event: Event) => boolean;
    readonly found: PromiseWithResolvers<Event>;
  }[] = [];
  const sequence = createEventSequence({
    last: () => from + received.length,
    onNext: ({event}) => {
      received.push(event);
      for (const {matches, found} of waiting) if (matches(event)) found.resolve(event);
    },
    refollow: (after) =>
      daemon?.ask({about: 'events', from: after}) ?? Promise.reject(new ConnectionLostError()),
    onGap: () => daemon?.close(),
  });
  const daemon = await connectIfRunning(repoPaths, {facts: sequence.receive});
  if (daemon === undefined) throw new ConnectionLostError();
  await daemon.ask({about: 'events', from});
  let hasEnded = false;
  void daemon.ended.then(() => {
    hasEnded = true;
    for (const {found} of waiting) found.reject(new ConnectionLostError());
  });
  return {
    until: (matches) => {
      const found = Promise.withResolvers<Event>();
      const past = received.find(matches);
      if (past !== undefined) return Promise.resolve(past);
      if (hasEnded) return Promise.reject(new ConnectionLostError());
      waiting = [...waiting, {matches, found}];
      return found.promise;
    },
    close: daemon.close,
  };
}
