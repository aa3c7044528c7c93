import {existsSync} from 'node:fs';
import {getMinuteMs} from '../../shared/index.ts';
import {redact} from '../../secrets/index.ts';
import {type AgentSignal, type Driver} from '../../agents/index.ts';
import {
  isInteractive,
  type Observation,
  selectLiveSessions,
  selectMessagesUnderway,
  selectSession,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import {parseReport} from '../../prompts/index.ts';
import {reportTranscript, usageOfSession} from '../effects/read-transcript.ts';
import {readSignalLines} from '../sessions/agent-signals.ts';
import {getMessageStart} from '../launch/exchange.ts';
import {connectToKeeper} from '../sessions/keeper-link.ts';
import {
  findScreenAgent,
  parseAsking,
  readScreen,
  type ScreenParseResult,
} from '../sessions/session-screen.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  RunVariables,
  SecretValues,
  SessionFiles,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';

type TurnsContext = StateReader &
  SessionFiles &
  DaemonDirectory &
  RunVariables &
  SecretValues &
  DaemonClock &
  Pick<UserAccount, 'home'>;

const rhythm = {lookMs: 250, idleMs: 1000};

/**
 * Without signals, silence ends a turn: in parts of a minute, with the agent's prompt on its screen
 * or without a known prompt.
 */
const silence = {atPrompt: 0.1, unknown: 0.25};

/** How long a program reports an error and prints nothing until its turn counts as failed. */
const failedMs = 2000;

type Watched = {
  /** Lines that were looked at. */
  lines: number;
  /** Since the last turn ended, the agent has reported something else than work. */
  hasRested: boolean;
  /** In the turn that is open, the agent has reported that it works. */
  hasWorked: boolean;
};

/**
 * Notices when the turns of agents in their own interface begin and end: by the lines that their
 * hooks write, by the status that they report to the terminal (OSC 7501), and, for an agent that
 * has neither, by its screen and its silence.
 */
export async function watchTurns(
  context: TurnsContext,
  conductor: Pick<Conductor, 'submit'>,
  signal: AbortSignal,
): Promise<void> {
  const watched = new Map<SessionId, Watched>();
  const report = async (saw: Observation): Promise<void> => {
    // Ignored on a full disk: the next look reports it again.
    await conductor.submit({type: 'report', at: context.now(), saw}).catch(() => undefined);
  };

  while (!signal.aborted) {
    const sessions = selectLiveSessions(context.state()).filter(
      (session) => isInteractive(session) && session.life.at === 'running',
    );
    for (const id of watched.keys())
      if (!sessions.some((session) => session.id === id)) watched.delete(id);
    for (const {id, signals = 0} of sessions) {
      const one = watched.get(id) ?? {lines: signals, hasRested: false, hasWorked: false};
      watched.set(id, one);
      await checkTurns(context, id, one, report);
    }

    await pauseFor(sessions.length === 0 ? rhythm.idleMs : rhythm.lookMs, signal);
  }
}

async function checkTurns(
  context: TurnsContext,
  id: SessionId,
  watched: Watched,
  report: (saw: Observation) => Promise<void>,
): Promise<void> {
  const session = selectSession(context.state(), id);
  const driver = session === undefined ? undefined : findScreenAgent(context, session);
  if (session === undefined || driver?.interactive === undefined) return;
  const lines = readSignalLines(context, id);
  while (watched.lines < lines.length) {
    const current = selectSession(context.state(), id);
    const line = driver.interactive.parseSignal(lines[watched.lines] ?? '');
    // The end of a turn whose prompt or message is still being typed: first the typing is settled.
    if (
      line?.kind === 'turn-ended' &&
      current?.turn?.at !== 'open' &&
      (isPromptPending(current) || isMessageBegun(context, current))
    )
      return;
    if (line !== undefined && current !== undefined)
      await reportSignal(context, current, line, watched.lines + 1, report);
    if (line?.kind === 'turn-ended') await countUsage(context, id, report);
    watched.lines++;
  }

  await checkStatus(context, id, driver, {watched, hasSignals: lines.length > 0, report});
}

async function reportSignal(
  context: SecretValues & StateReader & DaemonDirectory,
  session: Session,
  {kind, conversation, words, error, usage}: AgentSignal,
  signals: number,
  report: (saw: Observation) => Promise<void>,
): Promise<void> {
  const {id} = session;
  const hide = (text: string): string => redact(text, context.secrets());
  if (conversation !== undefined && conversation !== session.conversation)
    await report({type: 'conversation-known', session: id, conversation});
  if (usage !== undefined) {
    const named = {...session, ...(conversation === undefined ? {} : {conversation})};
    const own = usageOfSession(context, named, usage);
    await report({type: 'usage-counted', session: id, usage: own});
  }

  if (kind === 'turn-began' && session.turn?.at !== 'open')
    await report({type: 'turn-began', session: id, by: byWhom(session), signals});
  if (kind === 'turn-ended' && session.turn?.at === 'open')
    await report({
      type: 'turn-ended',
      session: id,
      source: 'agent',
      signals,
      ...(words === undefined ? {} : {words: hide(words)}),
      ...(error === undefined ? {} : {error: hide(error)}),
      ...(words !== undefined && error === undefined && isReport(words, context.secrets())
        ? {done: true}
        : {}),
    });
}

/** A person may talk to an agent for hours, so its tokens are counted after each turn. */
async function countUsage(
  context: TurnsContext,
  id: SessionId,
  report: (saw: Observation) => Promise<void>,
): Promise<void> {
  const session = selectSession(context.state(), id);
  if (session !== undefined) await reportTranscript(context, session, report);
}

/** The last message ends with a report, as the agent was asked to end its work. */
function isReport(message: string, secrets: readonly string[]): boolean {
  const {rootCause, decisions, rejected, gaveUp} = parseReport(message, secrets).value;
  return rootCause !== undefined || gaveUp !== undefined || decisions.length + rejected.length > 0;
}

type StatusCheck = {
  readonly watched: Watched;
  readonly hasSignals: boolean;
  readonly report: (saw: Observation) => Promise<void>;
};

/** By what the agent reports to its terminal; without that, by its screen, its silence and Enter. */
async function checkStatus(
  context: TurnsContext,
  id: SessionId,
  driver: Driver,
  {watched, hasSignals, report}: StatusCheck,
): Promise<void> {
  const session = selectSession(context.state(), id);
  if (session === undefined) return;
  const screen = readScreen(context, id);
  const state = screen.status?.state;
  const isOpen = session.turn?.at === 'open';
  if (isOpen) watched.hasRested = false;
  else if (state !== 'working') watched.hasRested = true;
  if (!isOpen) watched.hasWorked = false;
  else if (state === 'working' || state === 'blocked') watched.hasWorked = true;
  if (!isOpen && state === 'working' && watched.hasRested)
    await report({type: 'turn-began', session: id, by: byWhom(session)});
  // Codex has no hook for a turn that failed. A hook that reports it comes sooner than this.
  if (hasSignals && isOpen && state === 'error' && screen.silentMs > failedMs)
    await report({
      type: 'turn-ended',
      session: id,
      source: 'agent',
      error: screen.status?.message ?? 'its turn ended with an error',
    });
  if (hasSignals) return;
  if (isOpen && hasEndedTurn(context, {session, screen, driver, hasWorked: watched.hasWorked}))
    await report({
      type: 'turn-ended',
      session: id,
      source: state === undefined ? 'screen' : 'agent',
    });
  if (session.turn?.at === 'ended' && state === undefined && !isPromptPending(session)) {
    const enteredAt = await readEnteredAt(context, id);
    if (enteredAt !== undefined && enteredAt > session.turn.since)
      await report({type: 'turn-began', session: id, by: 'person'});
  }
}

type OpenTurn = {
  readonly session: Session;
  readonly screen: ScreenParseResult;
  readonly driver: Driver;
  readonly hasWorked: boolean;
};

function hasEndedTurn(
  context: Pick<RunVariables, 'env'>,
  {session, screen, driver, hasWorked}: OpenTurn,
): boolean {
  if (isPromptPending(session) || session.waiting !== undefined) return false;
  const state = screen.status?.state;
  const minute = getMinuteMs(context.env);
  // A status that was never another one in this turn may be that of the turn before.
  if (state !== undefined)
    return (
      (state === 'idle' || state === 'done' || state === 'error') &&
      (hasWorked || screen.silentMs > silence.atPrompt * minute)
    );
  if (parseAsking(screen, driver) !== undefined) return false;
  const {ready} = driver.screen;
  if (ready === undefined) return screen.silentMs > silence.unknown * minute;
  const expression = new RegExp(ready);
  return (
    screen.silentMs > silence.atPrompt * minute && screen.text.some((line) => expression.test(line))
  );
}

/** When a person last submitted something, by the keeper's count of keys. */
async function readEnteredAt(context: SessionFiles, id: SessionId): Promise<number | undefined> {
  const link = await connectToKeeper(context, id).catch(() => undefined);
  const enteredAt = link?.welcome.typing?.enteredAt;
  link?.close();
  return enteredAt;
}

function byWhom(session: Session): 'person' | 'orchestra' {
  return isPromptPending(session) ? 'orchestra' : 'person';
}

function isPromptPending(session: Session | undefined): boolean {
  return (
    session?.inputs.some(({fate, prompt}) => fate === 'pending' && prompt !== undefined) === true
  );
}

function isMessageBegun(context: TurnsContext, session: Session | undefined): boolean {
  return (
    session !== undefined &&
    selectMessagesUnderway(context.state(), session).some(({number}) =>
      existsSync(getMessageStart(context, session.id, number)),
    )
  );
}
