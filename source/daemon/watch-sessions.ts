import {redact, secretsOf} from '../documents/index.ts';
import {liveSessionsOf, type Observation, type Session, type SessionId} from '../domain/index.ts';
import {readExtent} from '../keeper/index.ts';
import {readBlocked, readProcesses, readSwitches, type Blocked, type Sample} from '../machine/index.ts';
import type {Conductor} from './conductor.ts';
import {pauseFor} from './pause-for.ts';
import {readScreen} from './read-screen.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

/** A prompt is seen within two looks. */
const lookEveryMs = 1000;

/** Silence of this length is a sign by itself. */
const silenceMs = 3500;

/** Looks at every living session now and then, and tells when one begins to wait for input or moves on. */
export async function watchSessions(workshop: Workshop, conductor: Conductor, signal: AbortSignal): Promise<void> {
  let earlier: Sample | undefined;
  const seen = new Map<SessionId, string>();
  while (!signal.aborted) {
    const sessions = liveSessionsOf(workshop.state()).filter(({life}) => life.at === 'running');
    const all = sessions.length === 0 ? undefined : await readProcesses(workshop.kernel);
    if (all !== undefined && 'value' in all) {
      const sample: Sample = {at: all.at, processes: all.value};
      for (const session of sessions) {
        // As long as nobody ran and nothing was printed, the answer is the same; most sessions are like that most of the time.
        const sign = signOf(workshop, session, sample);
        if (sign !== undefined && seen.get(session.id) === sign) continue;
        if (sign !== undefined) seen.set(session.id, sign);
        await lookAt(workshop, conductor, session, sample, earlier);
      }

      earlier = sample;
    }

    await pauseFor(lookEveryMs, signal);
  }
}

/** Changes when a process of the session's terminal came, went or went to sleep anew, when something was printed, and when it has been silent for a while. */
function signOf({store, now, kernel}: Workshop, {id}: Session, {processes}: Sample): string | undefined {
  const {end, writtenAt = 0} = readExtent(store.directoryOf(id));
  const child = store.metaOf(id)?.child;
  const terminal = processes.find(({identity}) => identity.pid === child?.pid)?.terminal;
  const inTerminal = processes.filter((process) => terminal !== undefined && process.terminal === terminal);
  const signs = inTerminal.map(({identity: {pid}, state}) => ({pid, state, switches: readSwitches(pid, kernel)}));
  if (signs.length === 0 || signs.some(({switches}) => switches === undefined)) return undefined;
  return JSON.stringify([end, now() - writtenAt > silenceMs, signs]);
}

async function lookAt(workshop: Workshop, conductor: Conductor, session: Session, sample: Sample, earlier: Sample | undefined): Promise<void> {
  const blocked = await askWhether(workshop, session, sample, earlier);
  if (blocked === undefined) return;
  if (blocked.verdict === 'blocked' && blocked.proof !== 'none') {
    const question = redact(readScreen(workshop, session.id).question, secretsOf(workshop.env));
    const {waiting} = session;
    if (waiting?.proof === blocked.proof && waiting.secret === blocked.secret && waiting.question === question) return;
    await tell(conductor, workshop, {type: 'session-waiting', session: session.id, proof: blocked.proof, secret: blocked.secret, question});
  } else if (session.waiting !== undefined) {
    await tell(conductor, workshop, {type: 'session-moved-on', session: session.id});
  }
}

/** What the kernel says about one session. */
export async function askWhether(workshop: Workshop, session: Session, sample: Sample, earlier: Sample | undefined): Promise<Blocked | undefined> {
  const [root] = rootsOf(workshop, [session]);
  if (root?.root === undefined) return undefined;
  const question = {root: root.root, sample, earlier};
  const plain = await readBlocked(question, workshop.kernel);
  // The screen is read only where it could matter: for a program that waits for events, the terminal's among them.
  if (plain.proof === 'proven' || plain.verdict === 'working' || plain.verdict === 'exited') return plain;
  const {promptLine, silentMs} = readScreen(workshop, session.id);
  return readBlocked({...question, promptLine, silentMs}, workshop.kernel);
}

async function tell(conductor: Conductor, {now}: Workshop, saw: Observation): Promise<void> {
  // A full disk is no reason to stop looking; the next look tells it again.
  await conductor.submit({type: 'report', at: now(), saw}).catch(() => undefined);
}
