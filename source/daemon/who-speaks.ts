import {entriesOf} from '../base/index.ts';
import {isSessionId, liveSessionsOf, sessionOf, type Actor, type SessionId, type Wish} from '../domain/index.ts';
import {findPeer, type PeerSession} from '../machine/index.ts';
import {keeperOf} from './meet-keeper.ts';
import type {Client} from './serve.ts';
import {toldCookie} from './run-told.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

/** Whoever can run programs here gains nothing by these. */
const harmless: ReadonlySet<Wish['type']> = new Set(['start-session', 'declare-service', 'start-service', 'add-note']);

/** What decides over agents is never said from inside a session, not even from a person's own: an agent may run in it. */
const decisive: ReadonlySet<Wish['type']> = new Set([
  'approve-plan', 'edit-plan', 'comment-plan', 'reject-plan', 'plan-again', 'grant-attempt', 'take-over', 'hand-back', 'accept-run', 'adopt-branch', 'restore-branch', 'discard', 'extend-budget', 'tidy-worktree', 'resume', 'acknowledge-intrusion', 'answer-question',
]);

/**
 * Who asks: a person at a terminal, or something inside a session. The kernel is asked, not the client (faults 3.12.1).
 * Where it can't tell, as on macOS, the token in a private directory is all there is.
 */
export async function whoSpeaks(workshop: Workshop, client: Client, wish: Wish): Promise<Actor> {
  const person: Actor = {kind: 'person', client: workshop.env['USER'] ?? 'you'};
  const fd = client.fd();
  if (harmless.has(wish.type) || fd === undefined || (liveSessionsOf(workshop.state()).length === 0 && !decisive.has(wish.type))) return person;
  const peer = await findPeer({fd, sessions: sessionsOf(workshop)}, workshop.kernel);
  if ('unknown' in peer) return person;
  if (peer.session === toldCookie) {
    if (!decisive.has(wish.type)) return person;
    workshop.log(`${wish.type} was refused: a hook or a notification asked for it`);
    throw new Error(`only a person may ${wish.type}: a hook or a command for notifications is told what happens, and decides nothing. Ask from a terminal of your own.`);
  }

  if (peer.session !== undefined) {
    const id = idOf(workshop, peer.session);
    const session = id === undefined ? undefined : sessionOf(workshop.state(), id);
    // A shell that a person opened through us is theirs, as long as nothing is decided.
    if (session?.purpose.for === 'person' && !decisive.has(wish.type)) return person;
    return {kind: 'agent', session: id ?? 's0'};
  }

  if (peer.doubts.length > 0 && decisive.has(wish.type)) {
    workshop.log(`${wish.type} was refused: pid ${peer.pid} is in doubt (${peer.doubts.join(', ')})`);
    throw new Error(`only a person may ${wish.type}, and it can't be told that a person asks: pid ${peer.pid} has left the terminal that it was started in. Ask from a terminal of your own.`);
  }

  return person;
}

/** Whether it is a person who looks, as far as the kernel can tell. Agents look as well, and so do hooks; what they saw the person has not seen. */
export async function isPersonHere(workshop: Workshop, client: Client): Promise<boolean> {
  const fd = client.fd();
  if (fd === undefined) return true;
  const peer = await findPeer({fd, sessions: sessionsOf(workshop)}, workshop.kernel);
  if ('unknown' in peer || peer.session === undefined) return true;
  const id = idOf(workshop, peer.session);
  return id !== undefined && sessionOf(workshop.state(), id)?.purpose.for === 'person';
}

function sessionsOf(workshop: Workshop): PeerSession[] {
  return rootsOf(workshop, liveSessionsOf(workshop.state())).map(({id, cookie, root}) => {
    const keeper = keeperOf(workshop.store.metaOf(id));
    return {cookie, ...(root === undefined ? {} : {root}), ...(keeper === undefined ? {} : {keeper}), directory: workshop.store.launchOf(id)?.cwd ?? workshop.root};
  });
}

function idOf({state, store}: Workshop, cookie: string): SessionId | undefined {
  const known = entriesOf(state().sessions).find(({id}) => store.cookieOf(id) === cookie)?.id;
  const [, named] = /-(s\d+)$/.exec(cookie) ?? [];
  return known ?? (named !== undefined && isSessionId(named) ? named : undefined);
}
