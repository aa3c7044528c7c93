import {redact} from '../documents/index.ts';
import {liveSessionsOf, type Observation, type Session, type SessionId} from '../domain/index.ts';
import {readEnd} from '../keeper/index.ts';
import {
  interpreterOf,
  isOwnPrompt,
  isSameProcess,
  readBlocked,
  readProcesses,
  readSwitches,
  type Blocked,
  type Sample,
} from '../machine/index.ts';
import {agentInSession} from './agent-in-session.ts';
import type {Conductor} from './conductor.ts';
import {createAllowance} from './create-allowance.ts';
import {pauseFor} from './pause-for.ts';
import {readAsking, type Asking} from './read-asking.ts';
import {readScreen, type ScreenReading} from './read-screen.ts';
import {reportRefusals} from './report-refusals.ts';
import {rootsOf} from './session-report.ts';
import {shownCommand} from './shown-command.ts';
import {isAtRest} from './tools/shell/is-at-rest.ts';
import type {Workshop} from './workshop.ts';

/** A prompt is seen within two looks. */
const lookEveryMs = 1000;

/** When the kernel has the proof that a program waits, what it asks may still be on its way through its keeper: so soon it is looked again, and told. */
const lookAgainMs = 150;

/** Each look that finds a change is a line of the journal, and perhaps a call for the person: a program that asks and asks no more is not followed in all of it. */
const tellings = {atOnce: 120, perMinute: 12};

/** Silence of this length is a sign by itself. */
const silenceMs = 3500;

/** Looks at every living session now and then, and tells when one begins to wait for input or moves on. Those in `telling` say themselves what they are doing. */
export async function watchSessions(
  workshop: Workshop,
  conductor: Conductor,
  telling: ReadonlySet<SessionId>,
  signal: AbortSignal,
): Promise<void> {
  let earlier: Sample | undefined;
  const seen = new Map<SessionId, string>();
  const printed = new Map<SessionId, number>();
  const allowance = createAllowance(tellings, workshop.now);
  const counted: Teller = {
    submit: (command) => {
      if (command.type === 'report' && 'session' in command.saw)
        allowance.take(command.saw.session);
      return conductor.submit(command);
    },
  };
  /** Those that were first seen to wait at the last look. */
  let fresh: ReadonlySet<SessionId> = new Set();
  while (!signal.aborted) {
    const first = new Set<SessionId>();
    const sessions = liveSessionsOf(workshop.state()).filter(({life}) => life.at === 'running');
    for (const {id} of sessions)
      await reportRefusals(workshop, id, (saw) => tell(conductor, workshop, saw));
    const all = sessions.length === 0 ? undefined : await readProcesses(workshop.kernel);
    if (all !== undefined && 'value' in all) {
      const sample: Sample = {at: all.at, processes: all.value};
      for (const session of sessions) {
        if (!allowance.isLeft(session.id)) continue;
        if (isAtRest(workshop, session, sample.at)) {
          if (session.waiting !== undefined)
            await tell(counted, workshop, {type: 'session-moved-on', session: session.id});
          continue;
        }

        // What prints without a pause asks nothing, and its screen is the one that takes long to draw.
        if (isFlooding(workshop, session, printed) && session.waiting === undefined) continue;
        // As long as nobody ran and nothing was printed, the answer is the same; most sessions are like that most of the time.
        const sign = signOf(workshop, session, sample);
        if (sign !== undefined && seen.get(session.id) === sign) continue;
        if (sign !== undefined) seen.set(session.id, sign);
        const came = await lookAt(workshop, counted, session, {
          telling,
          sample,
          earlier,
          isFresh: fresh.has(session.id),
        });
        if (came !== 'first') continue;
        first.add(session.id);
        seen.delete(session.id);
      }

      earlier = sample;
    }

    fresh = first;
    await pauseFor(first.size === 0 ? lookEveryMs : lookAgainMs, signal);
  }
}

/** Much was printed since the last look, and some of it just now. */
function isFlooding(
  {store, now}: Workshop,
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

/** Changes when a process of the session's terminal came, went or went to sleep anew, when something was printed, and when it has been silent for a while. To a proof silence adds nothing. */
function signOf(
  {store, now, kernel}: Workshop,
  {id, waiting}: Session,
  {processes}: Sample,
): string | undefined {
  const {end, writtenAt = 0} = readEnd(store.directoryOf(id));
  const child = store.metaOf(id)?.child;
  const terminal = processes.find(({identity}) => identity.pid === child?.pid)?.terminal;
  const inTerminal = processes.filter(
    (process) => terminal !== undefined && process.terminal === terminal,
  );
  const signs = inTerminal.map(({identity: {pid}, state}) => ({
    pid,
    state,
    switches: readSwitches(pid, kernel),
  }));
  if (signs.length === 0 || signs.some(({switches}) => switches === undefined)) return undefined;
  return JSON.stringify([end, waiting?.proof !== 'proven' && now() - writtenAt > silenceMs, signs]);
}

type Teller = Pick<Conductor, 'submit'>;

type Look = {
  readonly telling: ReadonlySet<SessionId>;
  readonly sample: Sample;
  readonly earlier: Sample | undefined;
  readonly isFresh: boolean;
};

async function lookAt(
  workshop: Workshop,
  conductor: Teller,
  session: Session,
  {telling, sample, earlier, isFresh}: Look,
): Promise<'first' | undefined> {
  const asking = askedBy(workshop, session, telling.has(session.id));
  if (asking !== undefined && asking !== 'works') {
    const question = redact(asking.question, workshop.secrets());
    const {waiting} = session;
    const isKnown =
      waiting?.source === asking.source &&
      waiting.question === question &&
      JSON.stringify(waiting.options) === JSON.stringify(asking.options);
    if (!isKnown)
      await tell(conductor, workshop, {
        type: 'session-waiting',
        session: session.id,
        proof: 'inferred',
        secret: false,
        ...asking,
        question,
      });
    return undefined;
  }

  const found = await askWhether(workshop, session, sample, earlier);
  // An agent that says that it works may well be silent while its model thinks; a proof is a proof.
  const blocked =
    asking === 'works' && found?.proof === 'inferred'
      ? {...found, verdict: 'working' as const}
      : found;
  if (blocked === undefined) return undefined;
  if (blocked.verdict === 'blocked' && blocked.proof !== 'none') {
    const {waiting} = session;
    if (blocked.proof === 'proven' && waiting === undefined && !isFresh) return 'first';
    const screen = readScreen(workshop, session.id);
    const question = redact(screen.question, workshop.secrets());
    const isIdle = isIdleAt(workshop, session, blocked, screen);
    // What a person writes at a prompt is nobody's question: it is told that the shell stands there, once.
    if (isIdle && waiting?.idle === true) return undefined;
    if (
      waiting?.source === undefined &&
      waiting?.proof === blocked.proof &&
      waiting.secret === blocked.secret &&
      waiting.question === question &&
      (waiting.idle === true) === isIdle
    )
      return undefined;
    await tell(conductor, workshop, {
      type: 'session-waiting',
      session: session.id,
      proof: blocked.proof,
      secret: blocked.secret,
      question,
      ...(isIdle ? {idle: true} : {}),
    });
  } else if (session.waiting !== undefined) {
    await tell(conductor, workshop, {type: 'session-moved-on', session: session.id});
  }

  return undefined;
}

/** Whether a shell stands at its own prompt, or an editor on its own screen, in a session that was opened as one: nobody asks anything. */
function isIdleAt(
  workshop: Workshop,
  session: Session,
  {interpreter, secret, process}: Blocked,
  {promptLine, isFullScreen}: ScreenReading,
): boolean {
  const isAtRest =
    isFullScreen || (interpreter !== undefined && isOwnPrompt(interpreter, promptLine));
  if (secret || !isAtRest) return false;
  const [own] = rootsOf(workshop, [session]);
  const isRoot =
    process !== undefined && own?.root !== undefined && isSameProcess(process, own.root);
  return (
    isRoot ||
    interpreterOf(shownCommand(workshop.store.launchOf(session.id)?.argv ?? [])) !== undefined
  );
}

/** What an agent wants of a person: by its own words, or by a dialog on its screen. Only for those that have either; nobody else's screen is drawn for it. */
export function askedBy(
  workshop: Workshop,
  session: Session,
  isTelling: boolean,
): Asking | 'works' | undefined {
  const driver = agentInSession(workshop, session);
  if (driver === undefined && !isTelling) return undefined;
  const screen = readScreen(workshop, session.id);
  return readAsking(screen, driver) ?? (screen.status?.state === 'working' ? 'works' : undefined);
}

/** What the kernel says about one session. */
export async function askWhether(
  workshop: Workshop,
  session: Session,
  sample: Sample,
  earlier: Sample | undefined,
): Promise<Blocked | undefined> {
  const [root] = rootsOf(workshop, [session]);
  if (root?.root === undefined) return undefined;
  const question = {root: root.root, sample, earlier};
  const plain = await readBlocked(question, workshop.kernel);
  // The screen is read only where it could matter: for a program that waits for events, the terminal's among them.
  if (plain.proof === 'proven' || plain.verdict === 'working' || plain.verdict === 'exited')
    return plain;
  const {promptLine, silentMs} = readScreen(workshop, session.id);
  return readBlocked({...question, promptLine, silentMs}, workshop.kernel);
}

async function tell(conductor: Teller, {now}: Workshop, saw: Observation): Promise<void> {
  // A full disk is no reason to stop looking; the next look tells it again.
  await conductor.submit({type: 'report', at: now(), saw}).catch(() => undefined);
}
