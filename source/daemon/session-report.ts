import {entriesOf} from '../base/index.ts';
import {
  isAtPrompt,
  isLive,
  liveSessionsOf,
  sessionOf,
  type NoticedLoop,
  type Purpose,
  type Retrying,
  type Session,
  type SessionId,
  type Usage,
  type Waiting,
} from '../domain/index.ts';
import {
  portsOf,
  type HeldPort,
  type Kernel,
  type ProcessIdentity,
  type SessionRoot,
} from '../machine/index.ts';
import type {Meta} from '../protocol/index.ts';
import {isThere, keeperOf} from './meet-keeper.ts';
import {shownCommand} from './shown-command.ts';
import type {Workshop} from './workshop.ts';

/** One line of `orchestra sessions`; with `--json` this very shape. Times are wall clock, in milliseconds. */
export type SessionReport = {
  readonly session: SessionId;
  /** What a person calls it. */
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
  /** Its agent's service fails, and the agent asks it again. */
  readonly retrying?: Retrying;
  /** What its agent has used, so far or in all. */
  readonly tokens?: Usage;
  /** Signs that its agent goes in circles. */
  readonly loops?: readonly NoticedLoop[];
  readonly ports: readonly {
    readonly address: string;
    readonly port: number;
    readonly pid: number;
  }[];
};

export async function reportSessions(workshop: Workshop, kernel: Kernel): Promise<SessionReport[]> {
  const sessions = entriesOf(workshop.state().sessions);
  const held = await portsOf(rootsOf(workshop, sessions), kernel);
  return sessions.map((session) => reportOf(workshop, session, 'value' in held ? held.value : []));
}

export async function reportSession(
  workshop: Workshop,
  id: SessionId,
  kernel: Kernel,
): Promise<SessionReport | undefined> {
  const session = sessionOf(workshop.state(), id);
  if (session === undefined) return undefined;
  const held = await portsOf(rootsOf(workshop, [session]), kernel);
  return reportOf(workshop, session, 'value' in held ? held.value : []);
}

/** Sessions that live and that the journal does not know: it is another one, or damaged. They are shown and left alone. */
export async function reportStrangers(
  {state, store}: Workshop,
  kernel: Kernel,
): Promise<{readonly session: string; readonly directory: string; readonly pid: number | null}[]> {
  const strangers = store.strangers(entriesOf(state().sessions).map(({id}) => id));
  const areThere = await Promise.all(strangers.map(({meta}) => isThere(meta, kernel)));
  return strangers
    .filter((_, index) => areThere[index])
    .map(({directory, meta}) => ({session: meta.session, directory, pid: meta.child?.pid ?? null}));
}

/** What the kernel is asked about: every session that lives, by its cookie and its first process. */
export function rootsOf(
  {store, state}: Pick<Workshop, 'store' | 'state'>,
  sessions: readonly Session[],
): SessionRoot[] {
  const live = liveSessionsOf(state()).map(({id}) => ({id, meta: store.metaOf(id)}));
  return sessions.filter(isLive).map(({id}): SessionRoot => {
    const root = rootOf(live.find((one) => one.id === id)?.meta ?? store.metaOf(id));
    const apart = live
      .filter((other) => other.id !== id)
      .flatMap(({meta}) => [keeperOf(meta) ?? [], rootOf(meta) ?? []].flat());
    return {id, cookie: store.cookieOf(id), apart, ...(root !== undefined && {root})};
  });
}

/** The process that the session began with. */
export function rootOf(meta: Meta | undefined): ProcessIdentity | undefined {
  const {pid, startTime} = meta?.child ?? {};
  const bootId = meta?.bootId ?? undefined;
  return pid === undefined || startTime === undefined || startTime === null || bootId === undefined
    ? undefined
    : {pid, startTime, bootId};
}

function reportOf(workshop: Workshop, session: Session, held: readonly HeldPort[]): SessionReport {
  const {id, purpose, life, waiting, retrying, usage, loops} = session;
  const launch = workshop.store.launchOf(id);
  const pid = isLive(session) ? workshop.store.metaOf(id)?.child?.pid : undefined;
  return {
    session: id,
    name: nameOf(purpose),
    for: purpose.for,
    command:
      launch === undefined
        ? purpose.for === 'person'
          ? purpose.command
          : []
        : shownCommand(launch.argv),
    directory: launch?.cwd ?? (purpose.for === 'person' ? purpose.directory : workshop.root),
    status: statusOf(session),
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
    ports: held.flatMap(({session: owner, owner: {identity}, where}) =>
      owner === id && 'port' in where ? [{...where, pid: identity.pid}] : [],
    ),
  };
}

/** What a person calls it. */
function nameOf(purpose: Purpose): string {
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

function statusOf(session: Session): SessionReport['status'] {
  const {life, stop, waiting} = session;
  if (life.at === 'exited' || life.at === 'lost') return life.at;
  if (stop !== undefined) return 'stopping';
  if (life.at !== 'running') return 'starting';
  if (isAtPrompt(session)) return 'idle';
  return waiting === undefined ? 'running' : 'waiting';
}
