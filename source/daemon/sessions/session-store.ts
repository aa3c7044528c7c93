import path from 'node:path';
import {existsSync, mkdirSync, rmSync} from 'node:fs';
import {isSessionId, type SessionId} from '../../domain/index.ts';
import {
  type ExitRecord,
  type Launch,
  type Meta,
  parseLaunch,
  parseMeta,
  sessionFiles,
} from '../../protocol/index.ts';
import {writeFileAtomic} from '../../files/index.ts';
import {readExit, readSessionFile} from './read-session-file.ts';
import {createScreenCache, type ScreenCache} from './screen-cache.ts';
import {listOwnNames} from '../directories.ts';
import {unbridged, unsupervised} from '../../network/index.ts';
import {unsandboxed} from '../../sandbox/index.ts';

/**
 * The directories of sessions. Their names include the journal's, so that sessions of another
 * journal are never mistaken for ours.
 */
export type SessionStore = {
  /** The name of the journal. */
  readonly name: string;
  readonly directoryOf: (session: SessionId) => string;
  readonly cookieOf: (session: SessionId) => string;
  readonly socketOf: (session: SessionId) => string;
  /** Writes the directory with the launch file for the keeper, durably. */
  readonly prepare: (
    session: SessionId,
    launch: Omit<Launch, 'protocol' | 'session' | 'cookie' | 'socket'>,
  ) => string;
  /** Removes the files of a keeper that died before its program ran; the launch file stays. */
  readonly clear: (session: SessionId) => void;
  /**
   * Empties the environment in the launch file, durably. Only for a session that nobody will start
   * any more.
   */
  readonly forgetEnvironment: (session: SessionId) => void;
  /** The same for sessions of other journals whose program has been started. */
  readonly forgetOrphans: () => void;
  /** For a keeper that died without removing its socket. */
  readonly removeSocket: (session: SessionId) => void;
  /**
   * The earliest start of these sessions in this boot, in kernel ticks: processes that they left
   * may still run.
   */
  readonly leftSince: (ended: readonly SessionId[], bootId: string) => number | undefined;
  /** Whether its program runs in the sandbox. */
  readonly isConfined: (session: SessionId) => boolean;
  /** Whether its program was started in this boot; true if that is unknown. */
  readonly isOfBoot: (session: SessionId, bootId: string) => boolean;
  /** Sessions whose keeper may still run. */
  readonly withSocket: () => readonly SessionId[];
  readonly launchOf: (session: SessionId) => Launch | undefined;
  readonly metaOf: (session: SessionId) => Meta | undefined;
  readonly exitOf: (session: SessionId) => ExitRecord | undefined;
  /**
   * The daemon's own note about a session, out of reach of agents; survives a crash. Undefined if
   * there is none.
   */
  readonly noteOf: (session: SessionId, name: NoteName) => unknown;
  readonly writeNote: (session: SessionId, name: NoteName, value: object) => void;
  readonly removeNote: (session: SessionId, name: NoteName) => void;
  /** Removes temporary files of a daemon that was killed while it wrote a note. */
  readonly removeHalfNotes: (session: SessionId) => void;
  /** The screens that their logs draw. */
  readonly screens: ScreenCache;
  /** Directories of other sessions that have no exit record, with their keepers. */
  readonly orphans: (
    known: readonly SessionId[],
  ) => readonly {readonly directory: string; readonly meta: Meta}[];
};

export type NoteName = (typeof noteNames)[number];

const noteNames = [
  // The parts of its prompt.
  'context',
  // Hashes of what its prompt told, for a session that continues its conversation.
  'given',
  // The hash of the environment that it was started with.
  'environment',
  // The environment and terminal size that it was requested with, until it runs.
  'request',
  // The reports that existed before a check started.
  'reports',
  // Which part of the network it may reach.
  'network',
  // The token for the agents' socket.
  'tools-key',
  // The plan or report that the agent submitted through its tools.
  'tools-plan',
  'tools-report',
  // The call that a shell is working on.
  'shell-call',
  // How messages of a person reach its agent.
  'messages',
  // The tree of the worktree when a person took the task over.
  'takeover',
] as const;

export function createSessionStore({
  state,
  runtime,
  journal,
}: {
  readonly state: string;
  readonly runtime: string;
  readonly journal: string;
}): SessionStore {
  const sessions = path.join(state, 'sessions');
  const getName = (session: SessionId): string => `${journal}-${session}`;
  const getDirectory = (session: SessionId): string => path.join(sessions, getName(session));
  const getSocket = (session: SessionId): string => path.join(runtime, `${getName(session)}.sock`);
  const getLaunch = (session: SessionId): Launch | undefined =>
    readSessionFile(getDirectory(session), sessionFiles.launch, parseLaunch);
  const getMeta = (session: SessionId): Meta | undefined =>
    readSessionFile(getDirectory(session), sessionFiles.meta, parseMeta);
  // Cached, because an ended session does not change and there may be thousands.
  const begun = new Map<SessionId, number>();
  const confined = new Map<SessionId, boolean>();
  const isConfined = (session: SessionId): boolean => {
    const known = confined.get(session);
    if (known !== undefined) return known;
    const argv = getLaunch(session)?.argv;
    if (argv === undefined) return false;
    const found = shownCommand(argv) !== argv;
    confined.set(session, found);
    return found;
  };
  const boots = new Map<SessionId, string | null>();
  const getBoot = (session: SessionId): string | null | undefined => {
    const known = boots.get(session);
    const found = known === undefined ? getMeta(session)?.bootId : known;
    if (known === undefined && found !== undefined) boots.set(session, found);
    return found;
  };
  const begunAt = (session: SessionId, boot: string): number => {
    const {bootId, child} = getMeta(session) ?? {};
    return bootId === boot ? (child?.startTime ?? Infinity) : Infinity;
  };

  return {
    name: journal,
    directoryOf: getDirectory,
    cookieOf: getName,
    socketOf: getSocket,
    prepare: (session, launch) => {
      const directory = getDirectory(session);
      mkdirSync(directory, {recursive: true, mode: 0o700});
      writeDurably(path.join(directory, sessionFiles.launch), {
        protocol: 1,
        session,
        cookie: getName(session),
        socket: getSocket(session),
        ...launch,
      });
      return directory;
    },
    clear: (session) => {
      const {meta, exit, input, output} = sessionFiles;
      for (const name of [meta, exit, input, output])
        rmSync(path.join(getDirectory(session), name), {recursive: true, force: true});
      rmSync(getSocket(session), {force: true});
    },
    forgetEnvironment: (session) => {
      emptyEnvironment(getDirectory(session));
    },
    forgetOrphans: () => {
      const others = listOwnNames(sessions)
        .filter((name) => !name.startsWith(`${journal}-`))
        .map((name) => path.join(sessions, name));
      const hasStarted = (directory: string): boolean =>
        existsSync(path.join(directory, sessionFiles.exit)) ||
        readSessionFile(directory, sessionFiles.meta, parseMeta)?.went !== undefined;
      for (const directory of others) if (hasStarted(directory)) emptyEnvironment(directory);
    },
    removeSocket: (session) => {
      rmSync(getSocket(session), {force: true});
    },
    withSocket: () =>
      listOwnNames(runtime)
        .filter((name) => name.startsWith(`${journal}-`))
        .map((name) => path.basename(name, '.sock').slice(journal.length + 1))
        .filter(isSessionId),
    launchOf: getLaunch,
    metaOf: getMeta,
    isConfined,
    isOfBoot: (session, boot) => {
      const found = getBoot(session);
      return found === undefined || found === boot;
    },
    leftSince: (ended, bootId) => {
      for (const session of ended)
        if (!begun.has(session)) begun.set(session, begunAt(session, bootId));
      const first = ended.reduce(
        (min, session) => Math.min(min, begun.get(session) ?? Infinity),
        Infinity,
      );
      return first === Infinity ? undefined : first;
    },
    noteOf: (session, name) =>
      readSessionFile(getDirectory(session), `${name}.json`, (value) => ({fields: value})),
    writeNote: (session, name, value) => {
      mkdirSync(getDirectory(session), {recursive: true, mode: 0o700});
      writeDurably(path.join(getDirectory(session), `${name}.json`), value);
    },
    removeNote: (session, name) => {
      rmSync(path.join(getDirectory(session), `${name}.json`), {force: true});
    },
    removeHalfNotes: (session) => {
      for (const name of noteNames)
        rmSync(path.join(getDirectory(session), `.${name}.json.tmp`), {force: true});
    },
    screens: createScreenCache(),
    exitOf: (session) => readExit(getDirectory(session)),
    orphans: (known) => {
      const names = new Set(known.map(getName));
      return listOwnNames(sessions)
        .filter(
          (name) => !names.has(name) && !existsSync(path.join(sessions, name, sessionFiles.exit)),
        )
        .map((name) => ({
          directory: path.join(sessions, name),
          meta: readSessionFile(path.join(sessions, name), sessionFiles.meta, parseMeta),
        }))
        .flatMap(({directory, meta}) => (meta === undefined ? [] : [{directory, meta}]));
    },
  };
}

/** Changes nothing else: the token and the socket of the keeper are still read from the file. */
function emptyEnvironment(directory: string): void {
  const file = path.join(directory, sessionFiles.launch);
  const launch = readSessionFile(directory, sessionFiles.launch, parseLaunch);
  // A killed daemon may have left a temporary file with the environment.
  rmSync(`${file}.tmp`, {force: true});
  if (launch === undefined || Object.keys(launch.env).length === 0) return;
  writeDurably(file, {...launch, env: {}});
}

/** Only the owner may read the file: the environment may have secrets. */
function writeDurably(file: string, value: object): void {
  writeFileAtomic(file, JSON.stringify(value), {mode: 0o600, isDurable: true});
}

/**
 * The command of a session without sandbox and network wrappers. For people to read, not to run.
 */
export function shownCommand(argv: readonly string[]): readonly string[] {
  return unbridged(unsandboxed(unsupervised(argv)));
}
