import path from 'node:path';
import {entriesOf} from '../base/index.ts';
import {isLive, isSessionId, liveSessionsOf, sessionOf, type Actor, type Session, type SessionId} from '../domain/index.ts';
import {findPeer, type Doubt, type Peer, type PeerSession, type UnknownPeer} from '../machine/index.ts';
import type {Asked, Authority} from './authority.ts';
import {keeperOf} from './meet-keeper.ts';
import type {Client} from './serve.ts';
import {rootsOf} from './session-report.ts';
import {shownCommand} from './shown-command.ts';
import type {Workshop} from './workshop.ts';

/** Who asks, as far as the kernel tells. */
export type Speaker =
  /** `doubt` says why it may be somebody else. */
  | {readonly who: 'person'; readonly doubt?: string}
  /** From inside of a session that a person opened through us. */
  | {readonly who: 'inside'; readonly session: SessionId}
  | {readonly who: 'agent'; readonly session: SessionId; readonly words?: string}
  /** A program of the person's that the daemon itself started. */
  | {readonly who: 'hook'}
  | {readonly who: 'unknown'; readonly words: string; readonly hasLeft: boolean; /** The kernel could not be asked: that says nothing of whoever asks. */ readonly isBlind: boolean};

/** Writes down what was asked from where it may not be, or from inside of a session. */
export type WriteDown = (kind: 'refused' | 'taken', session: SessionId, intent: string, words?: string) => Promise<void>;

/** No session has this number: it stands for somebody of whom no session is known. */
const nobody: SessionId = 's0';

/**
 * In whose name somebody asks, or an error whose message is the refusal. The kernel is asked, not the client (faults 3.12.1).
 * Where it can't be, as on macOS, the token in a private directory is all there is.
 */
export async function authorize(workshop: Workshop, client: Client, {authority, intent}: Asked, writeDown: WriteDown): Promise<Actor> {
  const person: Actor = {kind: 'person', client: workshop.env['USER'] ?? 'you'};
  if (authority === 'anyone' || workshop.kernel.platform !== 'linux') return person;
  const speaker = await whoSpeaks(workshop, client, authority);
  if (speaker.who === 'agent') return {kind: 'agent', session: speaker.session, ...(speaker.words !== undefined && {words: speaker.words})};
  // A session of the person's is no place to decide from: an agent may run in it.
  if (speaker.who === 'inside' && authority === 'person') return {kind: 'agent', session: speaker.session};
  const refusal = refusalOf(speaker, authority, intent);
  if (refusal !== undefined) {
    workshop.log(`${intent} was refused: ${refusal.words}`);
    if (refusal.isWritten) await writeDown('refused', nobody, intent, refusal.words);
    throw new Error(refusal.text);
  }

  if (speaker.who === 'inside') await writeDown('taken', speaker.session, intent);
  if (speaker.who === 'person' && speaker.doubt !== undefined) await writeDown('taken', nobody, intent, speaker.doubt);
  // Who has left meanwhile gets no answer, so nothing is done for it.
  if (client.fd() === undefined) throw new Error(leftText(intent));
  return person;
}

/** Whether it is a person who looks. Agents look as well, and so do hooks; what they saw the person has not seen. */
export async function isPersonHere(workshop: Workshop, client: Client): Promise<boolean> {
  if (workshop.kernel.platform !== 'linux') return true;
  const {who} = await whoSpeaks(workshop, client, 'not-an-agent');
  return who === 'person' || who === 'inside';
}

async function whoSpeaks(workshop: Workshop, client: Client, authority: Authority): Promise<Speaker> {
  const fd = client.fd();
  if (fd === undefined) return {who: 'unknown', words: 'the connection is closed', hasLeft: true, isBlind: false};
  const since = authority === 'person' ? workshop.store.leftSince(endedAgents(workshop), workshop.bootId) : undefined;
  const peer = await findPeer({fd, since, sessions: sessionsOf(workshop, authority), isClient}, workshop.kernel);
  return speakerOf(workshop, peer);
}

/** What the kernel said, as who it is here. */
export function speakerOf(workshop: Pick<Workshop, 'state' | 'store' | 'hookMark'>, peer: Peer | UnknownPeer): Speaker {
  if ('unknown' in peer) return {who: 'unknown', words: peer.unknown, hasLeft: peer.hasLeft === true, isBlind: peer.isBlind === true};
  const named = `pid ${peer.pid} (${peer.process.name})`;
  const doubt = peer.doubts.length === 0 ? undefined : `${named} ${peer.doubts.map((one) => doubtTexts[one]).join(', ')}`;
  const isOurChild = [peer.process, ...peer.ancestors].some(({identity}) => identity.pid === process.pid);
  if (peer.session !== undefined && peer.isClaimed !== true) return insideOf(workshop, peer.session);
  // Before its mark is read: it may have taken that off.
  if (isOurChild) return {who: 'hook'};
  if (peer.session === undefined) return {who: 'person', ...(doubt !== undefined && {doubt})};
  if (peer.session === workshop.hookMark && doubt === undefined) return {who: 'hook'};
  const id = idOf(workshop, peer.session);
  if (id === undefined) return {who: 'agent', session: nobody, words: `${named} carries the mark of a session that this daemon does not know`};
  const inside = insideOf(workshop, peer.session);
  // Any process can give itself the mark of the person's own shell.
  return inside.who === 'inside' && doubt !== undefined ? {who: 'agent', session: nobody, words: `${doubt}, and carries the mark of ${id}`} : inside;
}

function insideOf(workshop: Pick<Workshop, 'state' | 'store'>, cookie: string): Extract<Speaker, {readonly who: 'inside' | 'agent'}> {
  const id = idOf(workshop, cookie);
  const session = id === undefined ? undefined : sessionOf(workshop.state(), id);
  return session?.purpose.for === 'person' ? {who: 'inside', session: session.id} : {who: 'agent', session: id ?? nobody};
}

const doubtTexts: Readonly<Record<Doubt, string>> = {
  orphan: 'has left whoever started it',
  terminal: 'holds the terminal of a session',
  directory: 'works in the directory of a session without a terminal of its own',
  hidden: 'hides what it was started with',
  relay: 'is no orchestra but passes on what somebody else says',
  user: 'runs as another user',
};

type Refusal = {readonly words: string; readonly text: string; readonly isWritten: boolean};

function refusalOf(speaker: Speaker, authority: Authority, intent: string): Refusal | undefined {
  if (speaker.who === 'unknown') {
    const {words, hasLeft, isBlind} = speaker;
    const text = `only a person may ${intent}, and it can't be told who asks: ${words}. ${isBlind ? 'Once that is settled, ask again.' : 'Ask again, and wait for the answer.'}`;
    return {words, isWritten: !isBlind, text: hasLeft ? leftText(intent) : text};
  }

  if (speaker.who === 'hook' && authority === 'person') {
    const words = 'a hook or a notification asked for it';
    return {words, isWritten: false, text: `only a person may ${intent}: a hook or a command for notifications is told what happens, and decides nothing. Ask from a terminal of your own.`};
  }

  if (speaker.who !== 'person' || speaker.doubt === undefined || authority === 'not-an-agent') return undefined;
  const {doubt} = speaker;
  return {words: doubt, isWritten: true, text: `only a person may ${intent}, and it can't be told that a person asks: ${doubt}. Ask from the app, or from a terminal that was open before the agents began; agents in the sandbox cast no doubt on others.`};
}

function leftText(intent: string): string {
  return `only a person may ${intent}, and nobody is there any more to be asked who it was. Ask again, and wait for the answer.`;
}

/** Our clients run on Node. Whatever else has the connection passes it on: socat, sshd, a bus that was handed it. */
function isClient(program: string): boolean {
  return program === 'node' || program === path.basename(process.execPath);
}

/** Who could have left somebody that asks. Who is confined cannot reach the socket; a person's own session may ask for all that decides nothing. */
function sessionsOf(workshop: Workshop, authority: Authority): PeerSession[] {
  const {store} = workshop;
  const live = liveSessionsOf(workshop.state());
  return rootsOf(workshop, live).map(({id, ...root}) => {
    const keeper = keeperOf(store.metaOf(id));
    const session = live.find((one) => one.id === id);
    const isHarmless = authority !== 'person' && (session?.purpose.for === 'person' || isConfined(workshop, id));
    return {...root, isHarmless, ...(keeper === undefined ? {} : {keeper}), directory: store.launchOf(id)?.cwd ?? workshop.root};
  });
}

function isConfined({store}: Pick<Workshop, 'store'>, id: SessionId): boolean {
  const argv = store.launchOf(id)?.argv ?? [];
  return shownCommand(argv) !== argv;
}

/** Sessions of agents that have ended. */
function endedAgents(workshop: Workshop): SessionId[] {
  const isOver = (session: Session): boolean => !isLive(session) && session.purpose.for !== 'person';
  return entriesOf(workshop.state().sessions).filter(isOver).map(({id}) => id);
}

function idOf({state, store}: Pick<Workshop, 'state' | 'store'>, cookie: string): SessionId | undefined {
  const [, named] = /-(s\d+)$/.exec(cookie) ?? [];
  if (named === undefined || !isSessionId(named)) return undefined;
  return store.cookieOf(named) === cookie && sessionOf(state(), named) !== undefined ? named : undefined;
}
