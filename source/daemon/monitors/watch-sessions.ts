import {isDeepStrictEqual} from 'node:util';
import {redact} from '../../secrets/index.ts';
import {
  type Observation,
  isInteractive,
  selectLiveSessions,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import {readEnd} from '../../keeper/index.ts';
import {
  type Blocked,
  findInterpreter,
  isOwnPrompt,
  isSameProcessKey,
  type ProcessSample,
  readBlocked,
  readProcesses,
} from '../../system/index.ts';
import {
  type Asking,
  findScreenAgent,
  parseAsking,
  readScreen,
  type ScreenParseResult,
} from '../sessions/session-screen.ts';
import type {Conductor} from '../engine/conductor.ts';
import {createAllowance, pauseFor} from '../engine/pacing.ts';
import {reportRefusals} from '../launch/network-launch.ts';
import {selectRoots} from '../sessions/session-report.ts';
import {shownCommand} from '../sessions/session-store.ts';
import {readChoices} from './plain-question.ts';
import {isAtRest} from '../tools/shell/shell-call.ts';
import {
  areTerminalsUnchanged,
  readTerminalActivity,
  type TerminalActivity,
} from './terminal-activity.ts';
import type {
  DaemonClock,
  KernelAccess,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';

type SessionWatchContext = StateReader & SessionFiles & SecretValues & DaemonClock & KernelAccess;

/** A prompt is noticed within two checks. */
const checkEveryMs = 1000;

/**
 * When the kernel proves that a program waits, its question may not have passed the keeper yet: it
 * is checked again so soon, then reported.
 */
const checkAgainMs = 150;

/**
 * Each reported change is a line of the journal and may notify the person, so a program that flips
 * its state is throttled.
 */
const reportLimits = {atOnce: 120, perMinute: 12};

/**
 * Checks every live session and reports when one starts to wait for input or continues. Sessions in
 * `reporting` report their own status.
 */
export async function watchSessions(
  context: SessionWatchContext,
  conductor: Conductor,
  reporting: ReadonlySet<SessionId>,
  signal: AbortSignal,
): Promise<void> {
  let earlier: ProcessSample | undefined;
  const seen = new Map<SessionId, TerminalActivity>();
  const printed = new Map<SessionId, number>();
  const allowance = createAllowance(reportLimits, context.now);
  const throttled: Submitter = {
    submit: (command) => {
      if (command.type === 'report' && 'session' in command.saw)
        allowance.take(command.saw.session);
      return conductor.submit(command);
    },
  };
  /** Sessions that were first seen waiting at the last check. */
  let fresh: ReadonlySet<SessionId> = new Set();
  while (!signal.aborted) {
    const first = new Set<SessionId>();
    const sessions = selectLiveSessions(context.state()).filter(({life}) => life.at === 'running');
    for (const {id} of sessions)
      await reportRefusals(context, id, (saw) => report(conductor, context, saw));
    // Nothing ran, which is the usual case.
    const all = (await areTerminalsUnchanged(context, sessions, seen))
      ? undefined
      : await readProcesses(context.kernel);
    if (all !== undefined && 'value' in all) {
      const sample: ProcessSample = {at: all.at, processes: all.value};
      for (const session of sessions) {
        if (!allowance.isLeft(session.id)) continue;
        if (isAtRest(context, session, sample.at)) {
          if (session.waiting !== undefined)
            await report(throttled, context, {type: 'session-moved-on', session: session.id});
          continue;
        }

        // A flood of output is no question, and its screen is expensive to draw.
        if (isFlooding(context, session, printed) && session.waiting === undefined) continue;
        // Without new activity the answer is the same.
        const activity = readTerminalActivity(context, session, sample.processes);
        if (activity !== undefined && seen.get(session.id)?.sign === activity.sign) continue;
        if (activity !== undefined) seen.set(session.id, activity);
        const result = await checkSession(context, throttled, session, {
          reporting,
          sample,
          earlier,
          isFresh: fresh.has(session.id),
        });
        if (result !== 'first') continue;
        first.add(session.id);
        seen.delete(session.id);
      }

      earlier = sample;
    }

    fresh = first;
    await pauseFor(first.size === 0 ? checkEveryMs : checkAgainMs, signal);
  }
}

/** Much was printed since the last check, some of it just now. */
function isFlooding(
  {store, now}: SessionFiles & DaemonClock,
  {id}: Session,
  printed: Map<SessionId, number>,
): boolean {
  const {end, writtenAt = 0} = readEnd(store.directoryOf(id));
  const since = end - (printed.get(id) ?? end);
  printed.set(id, end);
  return since > floodBytes && now() - writtenAt < floodMs;
}

const floodBytes = 256 * 1024;
const floodMs = 250;

type Submitter = Pick<Conductor, 'submit'>;

type SessionCheck = {
  readonly reporting: ReadonlySet<SessionId>;
  readonly sample: ProcessSample;
  readonly earlier: ProcessSample | undefined;
  readonly isFresh: boolean;
};

async function checkSession(
  context: SessionWatchContext,
  conductor: Submitter,
  session: Session,
  {reporting, sample, earlier, isFresh}: SessionCheck,
): Promise<'first' | undefined> {
  const asking = readAsking(context, session, reporting.has(session.id));
  if (asking !== undefined && asking !== 'works') {
    const question = redact(asking.question, context.secrets());
    const {waiting} = session;
    const isKnown =
      waiting?.source === asking.source &&
      waiting.question === question &&
      JSON.stringify(waiting.options) === JSON.stringify(asking.options);
    if (!isKnown)
      await report(conductor, context, {
        type: 'session-waiting',
        session: session.id,
        proof: 'inferred',
        secret: false,
        ...asking,
        question,
      });
    return undefined;
  }

  const found = await checkBlocked(context, session, sample, earlier);
  // An agent that reports that it works, or that works in its own interface, may be silent while its
  // model thinks; a kernel proof still counts.
  const blocked =
    (asking === 'works' || isInteractive(session)) && found?.proof === 'inferred'
      ? {...found, verdict: 'working' as const}
      : found;
  if (blocked === undefined) return undefined;
  if (blocked.verdict === 'blocked' && blocked.proof !== 'none') {
    const {waiting} = session;
    if (blocked.proof === 'proven' && waiting === undefined && !isFresh) return 'first';
    const screen = readScreen(context, session.id);
    const isIdle = isIdleAt(context, session, blocked, screen);
    const offered = isIdle ? undefined : readChoices(context, session, blocked, screen);
    const question = offered?.question ?? redact(screen.question, context.secrets());
    // What a person types at a shell's prompt is no question: an idle shell is reported once.
    if (isIdle && waiting?.idle === true) return undefined;
    if (
      waiting?.source === undefined &&
      waiting?.proof === blocked.proof &&
      waiting.secret === blocked.secret &&
      waiting.question === question &&
      isDeepStrictEqual(waiting.options, offered?.options) &&
      (waiting.idle === true) === isIdle
    )
      return undefined;
    await report(conductor, context, {
      type: 'session-waiting',
      session: session.id,
      proof: blocked.proof,
      secret: blocked.secret,
      ...offered,
      question,
      ...(isIdle ? {idle: true} : {}),
    });
  } else if (session.waiting !== undefined) {
    await report(conductor, context, {type: 'session-moved-on', session: session.id});
  }

  return undefined;
}

/**
 * Whether the session is a shell at its own prompt or a full-screen program: it waits, but asks
 * nothing.
 */
function isIdleAt(
  context: StateReader & SessionFiles,
  session: Session,
  {interpreter, secret, process}: Blocked,
  {promptLine, isFullScreen}: ScreenParseResult,
): boolean {
  const isAtRest =
    isFullScreen || (interpreter !== undefined && isOwnPrompt(interpreter, promptLine));
  if (secret || !isAtRest) return false;
  const [own] = selectRoots(context, [session]);
  const isRoot =
    process !== undefined && own?.root !== undefined && isSameProcessKey(process, own.root);
  return (
    isRoot ||
    findInterpreter(shownCommand(context.store.launchOf(session.id)?.argv ?? [])) !== undefined
  );
}

/**
 * What an agent asks a person, by its reported status or a dialog. Other sessions' screens are not
 * drawn.
 */
export function readAsking(
  context: StateReader & SessionFiles & DaemonClock,
  session: Session,
  isReporting: boolean,
): Asking | 'works' | undefined {
  const driver = findScreenAgent(context, session);
  if (driver === undefined && !isReporting) return undefined;
  const screen = readScreen(context, session.id);
  return parseAsking(screen, driver) ?? (screen.status?.state === 'working' ? 'works' : undefined);
}

/** Whether the kernel shows that a session waits for input. */
export async function checkBlocked(
  context: StateReader & SessionFiles & DaemonClock & Pick<KernelAccess, 'kernel'>,
  session: Session,
  sample: ProcessSample,
  earlier: ProcessSample | undefined,
): Promise<Blocked | undefined> {
  const [root] = selectRoots(context, [session]);
  if (root?.root === undefined) return undefined;
  const question = {root: root.root, sample, earlier};
  const plain = await readBlocked(question, context.kernel);
  // The screen matters only for a program that waits for events, which may include its terminal.
  if (plain.proof === 'proven' || plain.verdict === 'working' || plain.verdict === 'exited')
    return plain;
  const {promptLine, silentMs} = readScreen(context, session.id);
  return readBlocked({...question, promptLine, silentMs}, context.kernel);
}

async function report(conductor: Submitter, {now}: DaemonClock, saw: Observation): Promise<void> {
  // Ignored on a full disk: the next check reports it again.
  await conductor.submit({type: 'report', at: now(), saw}).catch(() => undefined);
}
