import path from 'node:path';
import {entriesOf} from '../base/index.ts';
import {
  isLive,
  isSessionId,
  liveSessionsOf,
  sessionOf,
  type Actor,
  type Session,
  type SessionId,
} from '../domain/index.ts';
import {findPeer, type Peer, type PeerSession, type UnknownPeer} from '../machine/index.ts';
import type {Asked, Authority} from './authority.ts';
import type {Codes} from './create-codes.ts';
import {describeDoubt, waysOutOfDoubt, type DescribedDoubt} from './describe-doubt.ts';
import {keeperOf} from './meet-keeper.ts';
import {Refusal} from './refusal.ts';
import type {Client} from './serve.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

/** Who asks, as far as the kernel tells. */
export type Speaker =
  /** `doubt` says why it may be somebody else. */
  | {readonly who: 'person'; readonly doubt?: DescribedDoubt}
  /** From inside of a session that a person opened through us. */
  | {readonly who: 'inside'; readonly session: SessionId}
  | {readonly who: 'agent'; readonly session: SessionId; readonly words?: string}
  /** A program of the person's that the daemon itself started. */
  | {readonly who: 'hook'}
  | {
      readonly who: 'unknown';
      readonly words: string;
      readonly hasLeft: boolean;
      /** The kernel could not be asked: that says nothing of whoever asks. */ readonly isBlind: boolean;
    };

/** Writes down what was asked from where it may not be, or from inside of a session. */
export type WriteDown = (
  kind: 'refused' | 'taken',
  session: SessionId,
  intent: string,
  words?: string,
) => Promise<void>;

/** No session has this number: it stands for somebody of whom no session is known. */
const nobody: SessionId = 's0';

/**
 * In whose name somebody asks, or an error whose message is the refusal. The kernel is asked, not the client (faults 3.12.1).
 * Where it can't be, as on macOS, the token in a private directory is all there is.
 */
export async function authorize(
  workshop: Workshop,
  client: Client,
  asked: Asked,
  writeDown: WriteDown,
): Promise<Actor> {
  const {authority, intent} = asked;
  const person: Actor = {kind: 'person', client: workshop.env['USER'] ?? 'you'};
  if (authority === 'anyone' || workshop.kernel.platform !== 'linux') return person;
  const speaker = await whoSpeaks(workshop, client, authority);
  if (speaker.who === 'agent')
    return {
      kind: 'agent',
      session: speaker.session,
      ...(speaker.words !== undefined && {words: speaker.words}),
    };
  // A session of the person's is no place to decide from: an agent may run in it.
  if (speaker.who === 'inside' && authority === 'person')
    return {kind: 'agent', session: speaker.session};
  const settled =
    speaker.who === 'person' && speaker.doubt !== undefined && authority !== 'not-an-agent'
      ? settle(workshop.codes, client, asked, speaker.doubt)
      : undefined;
  const refusal = settled?.refusal ?? refusalOf(speaker, authority, intent);
  if (refusal !== undefined) {
    workshop.log(`${intent} was refused: ${refusal.words}`);
    if (refusal.isWritten) await writeDown('refused', nobody, intent, refusal.words);
    throw new Refusal(refusal.text, refusal.reason);
  }

  if (speaker.who === 'inside') await writeDown('taken', speaker.session, intent);
  if (speaker.who === 'person' && speaker.doubt !== undefined)
    await writeDown(
      'taken',
      nobody,
      intent,
      `${speaker.doubt.words}${settled === undefined ? '' : '; it brought the one-time code that was shown to the person'}`,
    );
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

async function whoSpeaks(
  workshop: Workshop,
  client: Client,
  authority: Authority,
): Promise<Speaker> {
  const fd = client.fd();
  if (fd === undefined)
    return {who: 'unknown', words: 'the connection is closed', hasLeft: true, isBlind: false};
  const {adopters, logins, trustsServices} = await workshop.origins();
  const isHarmless = createHarmless(workshop, authority, trustsServices);
  const sessions = sessionsOf(workshop, isHarmless);
  const ended = entriesOf(workshop.state().sessions)
    .filter((session) => !isLive(session) && !isHarmless(session))
    .map(({id}) => id);
  // Who is only doubted may ask for what needs no more than not to be an agent; only who is there now can be proved to be one.
  const since =
    authority === 'not-an-agent' ? undefined : workshop.store.leftSince(ended, workshop.bootId);
  return speakerOf(
    workshop,
    await findPeer({fd, since, adopters, logins, sessions, isClient}, workshop.kernel),
    sessions,
  );
}

/** What the kernel said, as who it is here. */
export function speakerOf(
  workshop: Pick<Workshop, 'state' | 'store' | 'hookMark'>,
  peer: Peer | UnknownPeer,
  sessions: readonly PeerSession[] = [],
): Speaker {
  if ('unknown' in peer)
    return {
      who: 'unknown',
      words: peer.unknown,
      hasLeft: peer.hasLeft === true,
      isBlind: peer.isBlind === true,
    };
  const named = `pid ${peer.pid} (${peer.process.name})`;
  const doubt = describeDoubt(peer, leftBy(workshop, peer, sessions));
  const isOurChild = [peer.process, ...peer.ancestors].some(
    ({identity}) => identity.pid === process.pid,
  );
  if (peer.session !== undefined && peer.isClaimed !== true)
    return insideOf(workshop, peer.session);
  // Before its mark is read: it may have taken that off.
  if (isOurChild) return {who: 'hook'};
  if (peer.session === undefined) return {who: 'person', ...(doubt !== undefined && {doubt})};
  if (peer.session === workshop.hookMark && doubt === undefined) return {who: 'hook'};
  const id = idOf(workshop, peer.session);
  if (id === undefined)
    return {
      who: 'agent',
      session: nobody,
      words: `${named} carries the mark of a session that this daemon does not know`,
    };
  const inside = insideOf(workshop, peer.session);
  // Any process can give itself the mark of the person's own shell.
  return inside.who === 'inside' && doubt !== undefined
    ? {who: 'agent', session: nobody, words: `${doubt.words}; it carries the mark of ${id}`}
    : inside;
}

function insideOf(
  workshop: Pick<Workshop, 'state' | 'store'>,
  cookie: string,
): Extract<Speaker, {readonly who: 'inside' | 'agent'}> {
  const id = idOf(workshop, cookie);
  const session = id === undefined ? undefined : sessionOf(workshop.state(), id);
  return session?.purpose.for === 'person'
    ? {who: 'inside', session: session.id}
    : {who: 'agent', session: id ?? nobody};
}

/** The living sessions that it may have left. */
function leftBy(
  workshop: Pick<Workshop, 'state' | 'store'>,
  {origin}: Peer,
  sessions: readonly PeerSession[],
): SessionId[] {
  if (origin?.isProved !== false) return [];
  const {startTime} = origin.process.identity;
  return sessions.flatMap(({cookie, root, isHarmless}) =>
    isHarmless === true || root === undefined || root.startTime > startTime
      ? []
      : (idOf(workshop, cookie) ?? []),
  );
}

type Refused = {
  readonly words: string;
  readonly text: string;
  readonly isWritten: boolean;
  readonly reason: Refusal['reason'];
};

/** Somebody in doubt may bring the code that was shown to the person for this very command; without one, it is made now. */
function settle(
  codes: Codes,
  {code}: Client,
  {intent, digest, what = intent}: Asked,
  {words, report}: DescribedDoubt,
): {readonly refusal?: Refused} {
  const used = code === undefined || digest === undefined ? 'none' : codes.use(digest, code);
  if (used === 'right') return {};
  if (used === 'wrong') {
    const text = `the one-time code is not the one for this command: a code is for one command, with what was shown when it was asked for, once, and for some minutes. Read it again in the app or by \`orchestra codes\` there.`;
    return {
      refusal: {
        words: `${words}; it brought a wrong one-time code`,
        text,
        isWritten: true,
        reason: {code: 'wrong-code', doubt: {...report, hasCode: true}},
      },
    };
  }

  const hasCode =
    digest !== undefined && codes.request({digest, intent, what, words}) !== undefined;
  const late =
    code === undefined ? '' : ' The one-time code is used up, too old, or for another command.';
  const text = `only a person may ${intent}, and it can't be told that a person asks: ${words}.${late} ${waysOutOfDoubt(hasCode)}`;
  return {
    refusal: {
      words,
      isWritten: true,
      text,
      reason: {code: 'in-doubt', doubt: {...report, hasCode}},
    },
  };
}

function refusalOf(speaker: Speaker, authority: Authority, intent: string): Refused | undefined {
  if (speaker.who === 'unknown') {
    const {words, hasLeft, isBlind} = speaker;
    const text = `only a person may ${intent}, and it can't be told who asks: ${words}. ${isBlind ? 'Once that is settled, ask again.' : 'Ask again, and wait for the answer.'}`;
    return {
      words,
      isWritten: !isBlind,
      text: hasLeft ? leftText(intent) : text,
      reason: {code: 'unknown'},
    };
  }

  if (speaker.who !== 'hook' || authority !== 'person') return undefined;
  const words = 'a hook or a notification asked for it';
  const text = `only a person may ${intent}: a hook or a command for notifications is told what happens, and decides nothing. Ask from a terminal of your own.`;
  return {words, isWritten: false, text, reason: {code: 'hook'}};
}

function leftText(intent: string): string {
  return `only a person may ${intent}, and nobody is there any more to be asked who it was. Ask again, and wait for the answer.`;
}

/** Our clients run on Node. Whatever else has the connection passes it on: socat, sshd, a bus that was handed it. */
function isClient(program: string): boolean {
  return program === 'node' || program === path.basename(process.execPath);
}

/** Who could have left somebody that asks. */
function sessionsOf(workshop: Workshop, isHarmless: (session: Session) => boolean): PeerSession[] {
  const {store} = workshop;
  const live = liveSessionsOf(workshop.state());
  return rootsOf(workshop, live).map(({id, ...root}) => {
    const keeper = keeperOf(store.metaOf(id));
    const session = live.find((one) => one.id === id);
    return {
      ...root,
      isHarmless: session !== undefined && isHarmless(session),
      ...(keeper === undefined ? {} : {keeper}),
      directory: store.launchOf(id)?.cwd ?? workshop.root,
    };
  });
}

/**
 * Whether nobody is doubted because of a session. An agent in the sandbox cannot reach the socket, and nothing of it outlives it.
 * A person's own session may ask for all that decides nothing. Services and a person's own sessions count for nothing where the
 * person trusted them from the beginning, as long as no agent ran without a sandbox: it could have changed what they run.
 */
function createHarmless(
  workshop: Workshop,
  authority: Authority,
  trustsServices: boolean,
): (session: Session) => boolean {
  const isOfPerson = ({purpose}: Session): boolean =>
    purpose.for === 'person' || purpose.for === 'service';
  const isConfined = (session: Session): boolean =>
    !isOfPerson(session) && workshop.store.isConfined(session.id);
  const isTrusted =
    trustsServices &&
    entriesOf(workshop.state().sessions).every(
      (session) =>
        isOfPerson(session) ||
        isConfined(session) ||
        !workshop.store.isOfBoot(session.id, workshop.bootId),
    );
  return (session) =>
    isConfined(session) ||
    (isTrusted && isOfPerson(session)) ||
    (authority !== 'person' && session.purpose.for === 'person');
}

function idOf(
  {state, store}: Pick<Workshop, 'state' | 'store'>,
  cookie: string,
): SessionId | undefined {
  const [, named] = /-(s\d+)$/.exec(cookie) ?? [];
  if (named === undefined || !isSessionId(named)) return undefined;
  return store.cookieOf(named) === cookie && sessionOf(state(), named) !== undefined
    ? named
    : undefined;
}
