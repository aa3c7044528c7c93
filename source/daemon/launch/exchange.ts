import path from 'node:path';
import {rmSync} from 'node:fs';
import {type AgentRole, isLive, type Session, type SessionId} from '../../domain/index.ts';
import {
  listDirectory,
  type ListedEntry,
  makeDirectories,
  readRegularFile,
  writeFileAtomic,
} from '../../files/index.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  RunVariables,
  SessionFiles,
  SessionLaunching,
  SessionVariables,
  StateReader,
} from '../daemon-context.ts';
import {errorText, getMinuteMs, ledgerEntries} from '../../shared/index.ts';

/**
 * Files between daemon and agent. They have their own directory: that of the session has a token
 * that no agent may see.
 */
export type Exchange = {
  readonly directory: string;
  /**
   * The parent of all exchange directories: an agent without a sandbox could replace its own by a
   * link.
   */
  readonly below: string;
  /** The prompt. */
  readonly prompt: string;
  /** The outcome that the agent wrote. */
  readonly outcome: string;
  /** Exists if the prompt is to be typed: the text, or empty if it is the whole prompt. */
  readonly typed: string;
  /**
   * Where older versions kept the parts of the prompt; now a note of the session, because an agent
   * can write here.
   */
  readonly context: string;
  /** The socket and token for its tools. */
  readonly tools: string;
  /** Lines that the hooks of an agent in its own interface append. */
  readonly signals: string;
  /** The output of the check whose failure the agent repairs. */
  readonly checkLog: string;
  /** The directory of copies of the person's files. */
  readonly given: string;
  /** Messages of the person for the agent's runner, and its acknowledgements. */
  readonly inbox: string;
};

export function getExchange(
  {stateDirectory, store}: SessionFiles & DaemonDirectory,
  session: SessionId,
): Exchange {
  const directory = getExchangeDirectory({stateDirectory}, store.cookieOf(session));
  return {
    directory,
    below: stateDirectory,
    prompt: path.join(directory, 'prompt.md'),
    outcome: path.join(directory, 'outcome.json'),
    typed: path.join(directory, 'typed'),
    context: path.join(directory, 'context.json'),
    tools: path.join(directory, 'tools.json'),
    signals: path.join(directory, 'signals.jsonl'),
    checkLog: path.join(directory, 'check.log'),
    given: path.join(directory, 'given'),
    inbox: path.join(directory, 'inbox'),
  };
}

/** `name` is the cookie of a session or of another command that is run for a task. */
export function getExchangeDirectory({stateDirectory}: DaemonDirectory, name: string): string {
  return path.join(stateDirectory, 'exchange', name);
}

export function writePrompt({prompt, below}: Exchange, text: string): void {
  writeFileAtomic(prompt, text, {below});
}

const maxOutcomeBytes = 1024 * 1024;

/**
 * The agent wrote the file, so it may be anything, also a link. If it cannot be read, the outcome
 * is a failure with the reason.
 */
export function readOutcomeText({outcome, below}: Exchange): string | undefined {
  const reading = readRegularFile(outcome, {maxBytes: maxOutcomeBytes, below});
  if (reading.at === 'read') return reading.bytes.toString('utf8');
  return reading.why === 'missing'
    ? undefined
    : JSON.stringify({
        at: 'failed',
        words: `The outcome file of the agent is ignored: ${path.basename(outcome)} ${reading.message}.`,
      });
}

type SecretsContext = StateReader &
  SessionFiles &
  DaemonDirectory &
  Pick<SessionVariables, 'releaseEnvironment'> &
  DaemonLog;

/**
 * Called when the program runs: its keeper no longer needs the environment, and it is never started
 * twice.
 */
export function forgetEnvironment(
  {store, log, releaseEnvironment}: SecretsContext,
  id: SessionId,
): void {
  releaseEnvironment(id);
  try {
    store.forgetEnvironment(id);
  } catch (error) {
    // On a full disk it stays until the session ends or the next daemon starts.
    log(`${id}: its environment is still on disk: ${errorText(error)}`);
  }
}

/**
 * Called when the session has ended: deletes its environment, its tools token, the variables of its
 * tool servers, its copy of a check's output and its copies of the person's files.
 */
export function forgetSecrets(context: SecretsContext, id: SessionId): void {
  forgetEnvironment(context, id);
  const {tools, checkLog, given, below} = getExchange(context, id);
  for (const file of [tools, `${tools}.new`, checkLog]) rmSync(file, {force: true});
  for (const {name, kind} of listGiven(given, below))
    if (kind === 'file') rmSync(path.join(given, name), {force: true});
  context.store.removeNote(id, 'tools-key');
}

/** Nothing if there are none, or if an agent has put a link in the way. */
function listGiven(given: string, below: string): readonly ListedEntry[] {
  const listing = listDirectory(given, {maxEntries: maxGivenListed, below});
  return listing.at === 'read' ? listing.entries : [];
}

const maxGivenListed = 10_000;

/**
 * Deletes what earlier daemons have kept, for all sessions and for directories of other journals.
 */
export async function forgetOld(context: SecretsContext, signal: AbortSignal): Promise<void> {
  const forget = (session: Session): void => {
    if (!isLive(session)) forgetSecrets(context, session.id);
    else if (session.life.at === 'running') forgetEnvironment(context, session.id);
  };

  for (const session of ledgerEntries(context.state().sessions)) {
    if (signal.aborted) return;
    forget(session);
    await new Promise((resolve) => setImmediate(resolve));
  }

  context.store.forgetOrphans();
}

/** Tool servers of the project, and the size limit of their results. */
export type GrantExtras = {
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly capTokens?: number;
};

/**
 * How long a tool call waits for a person or a command before it answers: less than an agent's own
 * timeout.
 */
export function parseToolWaitMs(env: Readonly<Record<string, string>>): number {
  return 0.75 * getMinuteMs(env);
}

/**
 * Writes the file with which an agent calls its tools, and returns its path. The token is the
 * session's own.
 */
export function writeToolsGrant(
  context: SessionFiles &
    DaemonDirectory &
    Pick<SessionLaunching, 'randomToken' | 'agentsSocket'> &
    RunVariables,
  session: SessionId,
  role: AgentRole,
  {servers = {}, ...more}: GrantExtras = {},
): string {
  const {tools, below} = getExchange(context, session);
  const grant = {
    socket: context.agentsSocket,
    token: ensureToolsKey(context, session),
    session,
    role,
    waitMs: parseToolWaitMs(context.env),
    servers,
    ...more,
  };
  writeFileAtomic(tools, JSON.stringify(grant), {below});
  return tools;
}

/**
 * How messages of a person reach the agent of a session: through the inbox of its runner, or typed
 * into its own interface. `unknown`: what runs in the terminal may not be an agent's prompt.
 */
export type MessageWay = 'inbox' | 'typed' | 'unknown';

/** Prepares the way. Without one, a message waits for the next prompt. */
export function openMessageWay(
  context: SessionFiles & DaemonDirectory,
  session: SessionId,
  way: MessageWay | undefined,
): void {
  const {inbox, below} = getExchange(context, session);
  if (way === 'inbox') makeDirectories(inbox, {below});
  context.store.writeNote(session, 'messages', way === undefined ? {} : {way});
}

export function readMessageWay({store}: SessionFiles, session: SessionId): MessageWay | undefined {
  const {way} = (store.noteOf(session, 'messages') ?? {}) as {readonly way?: unknown};
  return way === 'inbox' || way === 'typed' || way === 'unknown' ? way : undefined;
}

/**
 * The file that is made before anything of a message is typed. In the session's own directory, which
 * its agent cannot write.
 */
export function getMessageStart({store}: SessionFiles, session: SessionId, number: number): string {
  return path.join(store.directoryOf(session), `message-${number}.begun`);
}

/** The same token after a crash, since a running agent may have read it. */
function ensureToolsKey(
  {store, randomToken}: SessionFiles & Pick<SessionLaunching, 'randomToken'>,
  session: SessionId,
): string {
  const saved = readToolsKey(store, session);
  if (saved !== undefined) return saved;
  const token = randomToken();
  store.writeNote(session, 'tools-key', {token});
  return token;
}

export function readToolsKey(store: SessionFiles['store'], session: SessionId): string | undefined {
  const {token} = (store.noteOf(session, 'tools-key') ?? {}) as {readonly token?: unknown};
  return typeof token === 'string' && token !== '' ? token : undefined;
}
