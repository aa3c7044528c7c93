import {ledgerEntries} from '../../shared/index.ts';
import {
  isAtPrompt,
  isLive,
  type NoticedLoop,
  type Purpose,
  type Retrying,
  selectLiveSessions,
  selectSession,
  type Session,
  type SessionId,
  type Usage,
  type Waiting,
} from '../../domain/index.ts';
import {
  type HeldPort,
  type Kernel,
  type ProcessKey,
  readHeldPorts,
  type SessionRoot,
} from '../../system/index.ts';
import {readPulse} from '../../keeper/index.ts';
import type {Launch, Meta} from '../../protocol/index.ts';
import {isMetaAlive, toKeeperIdentity} from './keeper-link.ts';
import {shownCommand} from './session-store.ts';
import type {DaemonClock, RepositoryAccess, SessionFiles, StateReader} from '../daemon-context.ts';

type ReportContext = StateReader & SessionFiles & Pick<RepositoryAccess, 'root'> & DaemonClock;

/**
 * One line of `orchestra sessions`, and its `--json` shape. Times are wall clock, in milliseconds.
 */
export type SessionReport = {
  readonly session: SessionId;
  /** Its name for people. */
  readonly name: string;
  readonly for: Purpose['for'];
  readonly command: readonly string[];
  readonly directory: string;
  readonly status: 'starting' | 'running' | 'waiting' | 'idle' | 'stopping' | 'exited' | 'lost';
  readonly pid?: number;
  readonly since?: number;
  readonly ended?: {
    readonly at: number;
    readonly code: number | null;
    readonly signal: string | null;
    readonly why?: string;
  };
  readonly waiting?: Waiting;
  /** Its agent is retrying a failing service. */
  readonly retrying?: Retrying;
  /** The tokens that its agent has used so far. */
  readonly tokens?: Usage;
  /** Signs that its agent is in a loop. */
  readonly loops?: readonly NoticedLoop[];
  /** The bytes that its terminal printed in the last eight intervals of 5 s; of live sessions. */
  readonly pulse?: readonly number[];
  readonly ports: readonly {
    readonly address: string;
    readonly port: number;
    readonly pid: number;
  }[];
};

export async function reportSessions(
  context: ReportContext,
  kernel: Kernel,
): Promise<SessionReport[]> {
  const sessions = ledgerEntries(context.state().sessions);
  const held = await readHeldPorts(selectRoots(context, sessions), kernel);
  return sessions.map((session) =>
    buildReport(context, session, 'value' in held ? held.value : []),
  );
}

export async function reportSession(
  context: ReportContext,
  id: SessionId,
  kernel: Kernel,
): Promise<SessionReport | undefined> {
  const session = selectSession(context.state(), id);
  if (session === undefined) return undefined;
  const held = await readHeldPorts(selectRoots(context, [session]), kernel);
  return buildReport(context, session, 'value' in held ? held.value : []);
}

/**
 * Live sessions that the journal does not know, because it is another one or damaged. They are
 * listed and left alone.
 */
export async function reportOrphans(
  {state, store}: StateReader & SessionFiles,
  kernel: Kernel,
): Promise<{readonly session: string; readonly directory: string; readonly pid: number | null}[]> {
  const orphans = store.orphans(ledgerEntries(state().sessions).map(({id}) => id));
  const isAlive = await Promise.all(orphans.map(({meta}) => isMetaAlive(meta, kernel)));
  return orphans
    .filter((_, index) => isAlive[index])
    .map(({directory, meta}) => ({session: meta.session, directory, pid: meta.child?.pid ?? null}));
}

/** The cookie and root process of each live session, for questions to the kernel. */
export function selectRoots(
  {store, state}: StateReader & SessionFiles,
  sessions: readonly Session[],
): SessionRoot[] {
  const live = selectLiveSessions(state()).map(({id}) => ({id, meta: store.metaOf(id)}));
  return sessions.filter(isLive).map(({id}): SessionRoot => {
    const root = toRootProcess(live.find((one) => one.id === id)?.meta ?? store.metaOf(id));
    const apart = live
      .filter((other) => other.id !== id)
      .flatMap(({meta}) => [toKeeperIdentity(meta) ?? [], toRootProcess(meta) ?? []].flat());
    return {id, cookie: store.cookieOf(id), apart, ...(root !== undefined && {root})};
  });
}

/** The first process of a session. */
export function toRootProcess(meta: Meta | undefined): ProcessKey | undefined {
  const {pid, startTime} = meta?.child ?? {};
  const bootId = meta?.bootId ?? undefined;
  return pid === undefined || startTime === undefined || startTime === null || bootId === undefined
    ? undefined
    : {pid, startTime, bootId};
}

function buildReport(
  context: SessionFiles & Pick<RepositoryAccess, 'root'> & DaemonClock,
  session: Session,
  held: readonly HeldPort[],
): SessionReport {
  const {id, purpose, life, waiting, retrying, usage, loops} = session;
  const launch = context.store.launchOf(id);
  const pid = isLive(session) ? context.store.metaOf(id)?.child?.pid : undefined;
  return {
    session: id,
    name: formatSessionName(purpose),
    for: purpose.for,
    command: selectCommand(purpose, launch),
    directory: launch?.cwd ?? (purpose.for === 'person' ? purpose.directory : context.root),
    status: selectStatus(session),
    ...(pid === undefined ? {} : {pid}),
    ...(life.at === 'running' ? {since: life.since} : {}),
    ...(life.at === 'exited' ? {ended: {at: life.when, code: life.code, signal: life.signal}} : {}),
    ...(life.at === 'lost'
      ? {ended: {at: life.when, code: null, signal: null, why: life.why}}
      : {}),
    ...(waiting === undefined ? {} : {waiting}),
    ...(retrying === undefined ? {} : {retrying}),
    ...(usage.input + usage.output === 0 ? {} : {tokens: usage}),
    ...(loops === undefined ? {} : {loops}),
    ...(isLive(session) ? {pulse: readPulse(context.store.directoryOf(id), context.now())} : {}),
    ports: held.flatMap(({session: owner, owner: {identity}, where}) =>
      owner === id && 'port' in where ? [{...where, pid: identity.pid}] : [],
    ),
  };
}

function selectCommand(purpose: Purpose, launch: Launch | undefined): readonly string[] {
  if (launch !== undefined) return shownCommand(launch.argv);
  return purpose.for === 'person' ? purpose.command : [];
}

function formatSessionName(purpose: Purpose): string {
  switch (purpose.for) {
    case 'person':
      return purpose.name;
    case 'service':
      return purpose.service;
    case 'plan':
      return `${purpose.run} plan`;
    case 'attempt':
      return `${purpose.task} attempt ${purpose.attempt}`;
    case 'check':
      return `${purpose.task} ${purpose.check}${purpose.on === 'merge' ? ' after merging' : ''}`;
    case 'shell':
      return `shell ${purpose.name} of ${purpose.task}`;
    case 'baseline':
      return `${purpose.run} ${purpose.check} on the base`;
    case 'worktree-setup':
      return `${purpose.owner} setup`;
    case 'setup':
      return `${purpose.task} setup${purpose.on === 'merge' ? ' after merging' : ''}`;
    case 'takeover':
      return `${purpose.task} ${purpose.for}`;
  }
}

function selectStatus(session: Session): SessionReport['status'] {
  const {life, stop, waiting} = session;
  if (life.at === 'exited' || life.at === 'lost') return life.at;
  if (stop !== undefined) return 'stopping';
  if (life.at !== 'running') return 'starting';
  if (isAtPrompt(session)) return 'idle';
  return waiting === undefined ? 'running' : 'waiting';
}
