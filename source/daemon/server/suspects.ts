import {ledgerEntries} from '../../shared/index.ts';
import {
  isSessionId,
  selectLiveSessions,
  selectSession,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {Peer, PeerSession} from '../../system/index.ts';
import {toKeeperIdentity} from '../sessions/keeper-link.ts';
import {selectRoots} from '../sessions/session-report.ts';
import type {KernelAccess, RepositoryAccess, SessionFiles, StateReader} from '../daemon-context.ts';
import type {Authority} from './authority.ts';

/** The live sessions that a client may have been started from. */
export function selectSuspectSessions(
  context: StateReader & SessionFiles & Pick<RepositoryAccess, 'root'>,
  isHarmless: (session: Session) => boolean,
): PeerSession[] {
  const {store} = context;
  const live = selectLiveSessions(context.state());
  return selectRoots(context, live).map(({id, ...root}) => {
    const keeper = toKeeperIdentity(store.metaOf(id));
    const session = live.find((candidate) => candidate.id === id);
    return {
      ...root,
      isHarmless: session !== undefined && isHarmless(session),
      ...(keeper === undefined ? {} : {keeper}),
      directory: store.launchOf(id)?.cwd ?? context.root,
    };
  });
}

/**
 * Whether a session casts no doubt on a client. A sandboxed agent cannot reach the socket, and
 * nothing of it outlives it. A person's own session may request everything that decides nothing.
 * Services and a person's own sessions are harmless if the person trusted them from the start and
 * no agent ran without a sandbox: such an agent could have changed what they run.
 */
export function createHarmless(
  context: StateReader & SessionFiles & Pick<KernelAccess, 'bootId'>,
  authority: Authority,
  trustsServices: boolean,
): (session: Session) => boolean {
  const isOfPerson = ({purpose}: Session): boolean =>
    purpose.for === 'person' || purpose.for === 'service';
  const isConfined = (session: Session): boolean =>
    !isOfPerson(session) && context.store.isConfined(session.id);
  const isTrusted =
    trustsServices &&
    ledgerEntries(context.state().sessions).every(
      (session) =>
        isOfPerson(session) ||
        isConfined(session) ||
        !context.store.isOfBoot(session.id, context.bootId),
    );
  return (session) =>
    isConfined(session) ||
    (isTrusted && isOfPerson(session)) ||
    (authority !== 'person' && session.purpose.for === 'person');
}

/**
 * The live sessions without a sandbox that an unproven client may have left by detaching from them.
 */
export function selectLeftSessions(
  context: StateReader & SessionFiles,
  {origin}: Peer,
  sessions: readonly PeerSession[],
): SessionId[] {
  if (origin?.isProved !== false) return [];
  const {startTime} = origin.process.identity;
  return sessions.flatMap(({cookie, root, isHarmless}) =>
    isHarmless === true || root === undefined || root.startTime > startTime
      ? []
      : (findSessionByCookie(context, cookie) ?? []),
  );
}

/**
 * A cookie ends with the id of its session; the store confirms that the cookie is that session's.
 */
export function findSessionByCookie(
  {state, store}: StateReader & SessionFiles,
  cookie: string,
): SessionId | undefined {
  const [, named] = /-(s\d+)$/.exec(cookie) ?? [];
  if (named === undefined || !isSessionId(named)) return undefined;
  return store.cookieOf(named) === cookie && selectSession(state(), named) !== undefined
    ? named
    : undefined;
}
