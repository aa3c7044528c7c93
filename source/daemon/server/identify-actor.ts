import path from 'node:path';
import {ledgerEntries} from '../../shared/index.ts';
import {type Actor, isLive, selectSession, type SessionId} from '../../domain/index.ts';
import {findPeer, type Peer, type PeerSession, type UnknownPeer} from '../../system/index.ts';
import type {Authority, Requirement} from './authority.ts';
import {type Codes, type DescribedDoubt, describeDoubt, formatWaysOut} from './one-time-codes.ts';
import {type Client, RejectRequestError} from './service.ts';
import {
  createHarmless,
  findSessionByCookie,
  selectLeftSessions,
  selectSuspectSessions,
} from './suspects.ts';
import type {
  ActorProof,
  DaemonLog,
  KernelAccess,
  RepositoryAccess,
  RunVariables,
  SessionFiles,
  SessionLaunching,
  StateReader,
} from '../daemon-context.ts';

type ActorContext = StateReader &
  SessionFiles &
  RepositoryAccess &
  Pick<SessionLaunching, 'hookMark'> &
  KernelAccess &
  ActorProof;

/** Who a client is, as far as the kernel can tell. */
export type Speaker =
  /** `doubt`: why it may be somebody else. */
  | {readonly who: 'person'; readonly doubt?: DescribedDoubt}
  /** Inside a session that a person opened with orchestra. */
  | {readonly who: 'inside'; readonly session: SessionId}
  | {readonly who: 'agent'; readonly session: SessionId; readonly words?: string}
  /** A hook or notification command, which the daemon started. */
  | {readonly who: 'hook'}
  | {
      readonly who: 'unknown';
      readonly words: string;
      readonly hasLeft: boolean;
      /** The kernel gave no answer, which says nothing about the client. */
      readonly isBlind: boolean;
    };

/** Journals a request that was rejected, or that came from inside a session. */
export type WriteDown = (
  kind: 'refused' | 'taken',
  session: SessionId,
  intent: string,
  text?: string,
) => Promise<void>;

const leftText = 'the process that asked has ended';

/** No session has this id: it stands for a client of no known session. */
const unknownSession: SessionId = 's0';

/**
 * The actor behind a request, or an error whose message is the refusal. The kernel identifies the
 * client, not the client itself (faults 3.12.1). Where the kernel cannot, as on macOS, the token in
 * a private directory is the only proof.
 */
export async function authorize(
  context: StateReader &
    SessionFiles &
    RepositoryAccess &
    Pick<SessionLaunching, 'hookMark'> &
    RunVariables &
    KernelAccess &
    DaemonLog &
    ActorProof,
  client: Client,
  asked: Requirement,
  writeDown: WriteDown,
): Promise<Actor> {
  const {authority, intent} = asked;
  const person: Actor = {kind: 'person', client: context.env['USER'] ?? 'you'};
  if (authority === 'anyone' || context.kernel.platform !== 'linux') return person;
  const speaker = await identifyActor(context, client, authority);
  if (speaker.who === 'agent')
    return {
      kind: 'agent',
      session: speaker.session,
      ...(speaker.words !== undefined && {words: speaker.words}),
    };
  // An agent may run in a person's own session, so nothing is decided from there.
  if (speaker.who === 'inside' && authority === 'person')
    return {kind: 'agent', session: speaker.session};
  const codeCheck =
    speaker.who === 'person' && speaker.doubt !== undefined && authority !== 'not-an-agent'
      ? settleDoubt(context.codes, client, asked, speaker.doubt)
      : undefined;
  const refusal = codeCheck?.refusal ?? refuseSpeaker(speaker, authority, intent);
  if (refusal !== undefined) {
    context.log(`${intent} was refused: ${refusal.words}`);
    if (refusal.isWritten) await writeDown('refused', unknownSession, intent, refusal.words);
    throw new RejectRequestError(refusal.text, refusal.reason);
  }

  if (speaker.who === 'inside') await writeDown('taken', speaker.session, intent);
  if (speaker.who === 'person' && speaker.doubt !== undefined)
    await writeDown(
      'taken',
      unknownSession,
      intent,
      `${speaker.doubt.words}${codeCheck === undefined ? '' : '; it had the one-time code that orchestra showed to the person'}`,
    );
  // A client that has disconnected gets no answer, so nothing is done for it. A process that is
  // ending no longer shows whose it is, so this is written down like any client that cannot be told.
  if (client.fd() === undefined) {
    context.log(`${intent} was refused: ${leftText}`);
    if (speaker.who === 'person' && speaker.doubt === undefined)
      await writeDown('refused', unknownSession, intent, leftText);
    throw new Error(formatLeft(intent));
  }

  return person;
}

/** Whether a person looks: what agents and hooks have read, the person has not seen. */
export async function isHumanClient(context: ActorContext, client: Client): Promise<boolean> {
  if (context.kernel.platform !== 'linux') return true;
  const {who} = await identifyActor(context, client, 'not-an-agent');
  return who === 'person' || who === 'inside';
}

async function identifyActor(
  context: ActorContext,
  client: Client,
  authority: Authority,
): Promise<Speaker> {
  const fd = client.fd();
  if (fd === undefined)
    return {who: 'unknown', words: 'the connection is closed', hasLeft: true, isBlind: false};
  const {adopters, logins, trustsServices} = await context.origins();
  const isHarmless = createHarmless(context, authority, trustsServices);
  const sessions = selectSuspectSessions(context, isHarmless);
  const ended = ledgerEntries(context.state().sessions)
    .filter((session) => !isLive(session) && !isHarmless(session))
    .map(({id}) => id);
  // `not-an-agent` admits clients in doubt, so sessions that have ended do not matter for it.
  const since =
    authority === 'not-an-agent' ? undefined : context.store.leftSince(ended, context.bootId);
  return toSpeaker(
    context,
    await findPeer({fd, since, adopters, logins, sessions, isClient}, context.kernel),
    sessions,
  );
}

/** Turns the kernel's answer into a speaker. */
export function toSpeaker(
  context: StateReader & SessionFiles & Pick<SessionLaunching, 'hookMark'>,
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
  const doubt = describeDoubt(peer, selectLeftSessions(context, peer, sessions));
  const isOurChild = [peer.process, ...peer.ancestors].some(
    ({identity}) => identity.pid === process.pid,
  );
  if (peer.session !== undefined && peer.isClaimed !== true)
    return toInsideSpeaker(context, peer.session);
  // Before the cookie is checked: a child of ours may have removed its own.
  if (isOurChild) return {who: 'hook'};
  if (peer.session === undefined) return {who: 'person', ...(doubt !== undefined && {doubt})};
  if (peer.session === context.hookMark && doubt === undefined) return {who: 'hook'};
  const id = findSessionByCookie(context, peer.session);
  if (id === undefined)
    return {
      who: 'agent',
      session: unknownSession,
      words: `${named} carries the mark of a session that this daemon does not know`,
    };
  const inside = toInsideSpeaker(context, peer.session);
  // Any process can set the cookie of the person's own shell.
  return inside.who === 'inside' && doubt !== undefined
    ? {who: 'agent', session: unknownSession, words: `${doubt.words}; it carries the mark of ${id}`}
    : inside;
}

function toInsideSpeaker(
  context: StateReader & SessionFiles,
  cookie: string,
): Extract<Speaker, {readonly who: 'inside' | 'agent'}> {
  const id = findSessionByCookie(context, cookie);
  const session = id === undefined ? undefined : selectSession(context.state(), id);
  return session?.purpose.for === 'person'
    ? {who: 'inside', session: session.id}
    : {who: 'agent', session: id ?? unknownSession};
}

type RejectedRequest = {
  readonly words: string;
  readonly text: string;
  readonly isWritten: boolean;
  readonly reason: RejectRequestError['reason'];
};

/**
 * A client in doubt may bring the one-time code for this very command. Without one, a code is made
 * now.
 */
function settleDoubt(
  codes: Codes,
  {code}: Client,
  {intent, digest, what = intent}: Requirement,
  {words, report}: DescribedDoubt,
): {readonly refusal?: RejectedRequest} {
  const used = code === undefined || digest === undefined ? 'none' : codes.use(digest, code);
  if (used === 'right') return {};
  if (used === 'wrong') {
    const text =
      'the one-time code is not valid for this command: a code works once, for one ' +
      `command, and for a few minutes. Read it again in the app or with \`orchestra ` +
      `codes\`.`;
    return {
      refusal: {
        words: `${words}; it had a wrong one-time code`,
        text,
        isWritten: true,
        reason: {code: 'wrong-code', doubt: {...report, hasCode: true}},
      },
    };
  }

  const hasCode =
    digest !== undefined && codes.request({digest, intent, what, words}) !== undefined;
  const late =
    code === undefined
      ? ''
      : ' The one-time code was already used, is too old, or is for another command.';
  const text =
    `only a person may ${intent}, and orchestra cannot tell that a person asks: ` +
    `${words}.${late} ${formatWaysOut(hasCode)}`;
  return {
    refusal: {
      words,
      isWritten: true,
      text,
      reason: {code: 'in-doubt', doubt: {...report, hasCode}},
    },
  };
}

function refuseSpeaker(
  speaker: Speaker,
  authority: Authority,
  intent: string,
): RejectedRequest | undefined {
  if (speaker.who === 'unknown') {
    const {words, hasLeft, isBlind} = speaker;
    const text =
      `only a person may ${intent}, and orchestra cannot tell who asks: ${words}. ` +
      (isBlind ? 'Once that is settled, ask again.' : 'Ask again, and wait for the answer.');
    return {
      words,
      isWritten: !isBlind,
      text: hasLeft ? formatLeft(intent) : text,
      reason: {code: 'unknown'},
    };
  }

  if (speaker.who !== 'hook' || authority !== 'person') return undefined;
  const reason = 'a hook or a notification command asked for it';
  const text =
    `only a person may ${intent}: a hook or a notification command cannot decide. Ask from ` +
    'a terminal of your own.';
  return {words: reason, isWritten: false, text, reason: {code: 'hook'}};
}

function formatLeft(intent: string): string {
  return `only a person may ${intent}, and the process that asked has ended. Ask again, and wait for the answer.`;
}

/**
 * Orchestra's clients run on Node. Any other program relays the connection: socat, sshd, a message
 * bus.
 */
function isClient(program: string): boolean {
  return program === 'node' || program === path.basename(process.execPath);
}
