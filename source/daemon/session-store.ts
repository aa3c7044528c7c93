import {existsSync, mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {isSessionId, type SessionId} from '../domain/index.ts';
import {
  readExitRecord,
  readLaunch,
  readMeta,
  sessionFiles,
  type ExitRecord,
  type FieldsReading,
  type Launch,
  type Meta,
} from '../protocol/index.ts';
import {tryReadText, writeWhole} from '../files/index.ts';
import {createScreenMemory, type ScreenMemory} from './create-screen-memory.ts';
import {namesIn} from './names-in.ts';
import {shownCommand} from './shown-command.ts';

/** The directories of sessions, named after the journal that knows them: another journal's are never mistaken for ours. */
export type SessionStore = {
  /** Of the journal. */
  readonly name: string;
  readonly directoryOf: (session: SessionId) => string;
  readonly cookieOf: (session: SessionId) => string;
  readonly socketOf: (session: SessionId) => string;
  /** Makes the directory with what the keeper shall run, durably. */
  readonly prepare: (
    session: SessionId,
    launch: Omit<Launch, 'protocol' | 'session' | 'cookie' | 'socket'>,
  ) => string;
  /** Removes what a keeper left that died before its program ran; what it was to run stays. */
  readonly clear: (session: SessionId) => void;
  /** Empties the environment that its program was started with, durably. Only for what nobody will start any more. */
  readonly forgetEnvironment: (session: SessionId) => void;
  /** The same in directories of other journals, where the program has been started. */
  readonly forgetStrangers: () => void;
  /** For a keeper that died without removing it. */
  readonly removeSocket: (session: SessionId) => void;
  /** When the first of these began in this boot, in the kernel's unit: what it left may still be there. */
  readonly leftSince: (ended: readonly SessionId[], bootId: string) => number | undefined;
  /** Whether its program runs in the sandbox. */
  readonly isConfined: (session: SessionId) => boolean;
  /** Whether its program was started in this boot; also when that is not known. */
  readonly isOfBoot: (session: SessionId, bootId: string) => boolean;
  /** Those whose keeper may still be there. */
  readonly withSocket: () => readonly SessionId[];
  readonly launchOf: (session: SessionId) => Launch | undefined;
  readonly metaOf: (session: SessionId) => Meta | undefined;
  readonly exitOf: (session: SessionId) => ExitRecord | undefined;
  /** What the daemon itself noted about a session, where no agent can read it; it survives a crash. Nothing if there is none. */
  readonly noteOf: (session: SessionId, name: NoteName) => unknown;
  readonly writeNote: (session: SessionId, name: NoteName, value: object) => void;
  readonly removeNote: (session: SessionId, name: NoteName) => void;
  /** What a daemon that was killed while it wrote a note has left beside it. */
  readonly removeHalfNotes: (session: SessionId) => void;
  /** What their logs draw. */
  readonly screens: ScreenMemory;
  /** Directories of other sessions than these, of which no end is written down, with who keeps them. */
  readonly strangers: (
    known: readonly SessionId[],
  ) => readonly {readonly directory: string; readonly meta: Meta}[];
};

/** The key to the tools; what an agent handed in through them; what is under way in a shell; what its prompt is made of; what of the network it may reach; which environment it got; what it was asked for with, until it runs; what is told to whom a task is given back. */
export type NoteName = (typeof noteNames)[number];

const noteNames = [
  'context',
  'environment',
  'request',
  'network',
  'tools-key',
  'tools-plan',
  'tools-report',
  'shell-call',
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
  const home = path.join(state, 'sessions');
  const nameOf = (session: SessionId): string => `${journal}-${session}`;
  const directoryOf = (session: SessionId): string => path.join(home, nameOf(session));
  const socketOf = (session: SessionId): string => path.join(runtime, `${nameOf(session)}.sock`);
  const launchOf = (session: SessionId): Launch | undefined =>
    read(directoryOf(session), sessionFiles.launch, readLaunch);
  const metaOf = (session: SessionId): Meta | undefined =>
    read(directoryOf(session), sessionFiles.meta, readMeta);
  // What has ended does not change any more; there may be thousands.
  const begun = new Map<SessionId, number>();
  const confined = new Map<SessionId, boolean>();
  const isConfined = (session: SessionId): boolean => {
    const known = confined.get(session);
    if (known !== undefined) return known;
    const argv = launchOf(session)?.argv;
    if (argv === undefined) return false;
    const found = shownCommand(argv) !== argv;
    confined.set(session, found);
    return found;
  };
  const boots = new Map<SessionId, string | null>();
  const bootOf = (session: SessionId): string | null | undefined => {
    const known = boots.get(session);
    const found = known === undefined ? metaOf(session)?.bootId : known;
    if (known === undefined && found !== undefined) boots.set(session, found);
    return found;
  };
  const begunAt = (session: SessionId, boot: string): number => {
    const {bootId, child} = metaOf(session) ?? {};
    return bootId === boot ? (child?.startTime ?? Infinity) : Infinity;
  };

  return {
    name: journal,
    directoryOf,
    cookieOf: nameOf,
    socketOf,
    prepare: (session, launch) => {
      const directory = directoryOf(session);
      mkdirSync(directory, {recursive: true, mode: 0o700});
      writeDurably(path.join(directory, sessionFiles.launch), {
        protocol: 1,
        session,
        cookie: nameOf(session),
        socket: socketOf(session),
        ...launch,
      });
      return directory;
    },
    clear: (session) => {
      const {meta, exit, input, output} = sessionFiles;
      for (const name of [meta, exit, input, output])
        rmSync(path.join(directoryOf(session), name), {recursive: true, force: true});
      rmSync(socketOf(session), {force: true});
    },
    forgetEnvironment: (session) => {
      emptyEnvironment(directoryOf(session));
    },
    forgetStrangers: () => {
      const others = namesIn(home)
        .filter((name) => !name.startsWith(`${journal}-`))
        .map((name) => path.join(home, name));
      const hasStarted = (directory: string): boolean =>
        existsSync(path.join(directory, sessionFiles.exit)) ||
        read(directory, sessionFiles.meta, readMeta)?.went !== undefined;
      for (const directory of others) if (hasStarted(directory)) emptyEnvironment(directory);
    },
    removeSocket: (session) => {
      rmSync(socketOf(session), {force: true});
    },
    withSocket: () =>
      namesIn(runtime)
        .filter((name) => name.startsWith(`${journal}-`))
        .map((name) => path.basename(name, '.sock').slice(journal.length + 1))
        .filter(isSessionId),
    launchOf,
    metaOf,
    isConfined,
    isOfBoot: (session, boot) => {
      const found = bootOf(session);
      return found === undefined || found === boot;
    },
    leftSince: (ended, bootId) => {
      for (const session of ended)
        if (!begun.has(session)) begun.set(session, begunAt(session, bootId));
      const first = ended.reduce(
        (least, session) => Math.min(least, begun.get(session) ?? Infinity),
        Infinity,
      );
      return first === Infinity ? undefined : first;
    },
    noteOf: (session, name) =>
      read(directoryOf(session), `${name}.json`, (value) => ({fields: value})),
    writeNote: (session, name, value) => {
      mkdirSync(directoryOf(session), {recursive: true, mode: 0o700});
      writeDurably(path.join(directoryOf(session), `${name}.json`), value);
    },
    removeNote: (session, name) => {
      rmSync(path.join(directoryOf(session), `${name}.json`), {force: true});
    },
    removeHalfNotes: (session) => {
      for (const name of noteNames)
        rmSync(path.join(directoryOf(session), `.${name}.json.tmp`), {force: true});
    },
    screens: createScreenMemory(),
    exitOf: (session) => read(directoryOf(session), sessionFiles.exit, readExitRecord),
    strangers: (known) => {
      const names = new Set(known.map(nameOf));
      return namesIn(home)
        .filter((name) => !names.has(name) && !existsSync(path.join(home, name, sessionFiles.exit)))
        .map((name) => ({
          directory: path.join(home, name),
          meta: read(path.join(home, name), sessionFiles.meta, readMeta),
        }))
        .flatMap(({directory, meta}) => (meta === undefined ? [] : [{directory, meta}]));
    },
  };
}

function read<T>(
  directory: string,
  file: string,
  reader: (value: unknown) => FieldsReading<T>,
): T | undefined {
  try {
    const reading = reader(
      JSON.parse(tryReadText(path.join(directory, file), {maxBytes: mostBytes}) ?? ''),
    );
    return 'fields' in reading ? reading.fields : undefined;
  } catch {
    return undefined;
  }
}

/** An environment and a command may have some megabytes. */
const mostBytes = 64 * 1024 * 1024;

/** The file stays what it was but for that: who keeps the session, and how to reach it, is still read from it. */
function emptyEnvironment(directory: string): void {
  const file = path.join(directory, sessionFiles.launch);
  const launch = read(directory, sessionFiles.launch, readLaunch);
  // The half of one that a killed daemon left, too.
  rmSync(`${file}.tmp`, {force: true});
  if (launch === undefined || Object.keys(launch.env).length === 0) return;
  writeDurably(file, {...launch, env: {}});
}

/** The environment in it may hold what only its owner may read. */
function writeDurably(file: string, value: object): void {
  writeWhole(file, JSON.stringify(value), {mode: 0o600, isDurable: true});
}
