import {liveSessionsOf, sessionOf, type SessionId} from '../domain/index.ts';
import {
  processesOf,
  readProcesses,
  usageBetween,
  type Blocked,
  type Kernel,
  type Sample,
  type Usage,
} from '../machine/index.ts';
import {pauseFor} from './pause-for.ts';
import type {Asking} from './read-asking.ts';
import type {Refusal} from '../network/index.ts';
import {readRefusals} from './report-refusals.ts';
import {readScreen} from './read-screen.ts';
import {reportSession, rootsOf, type SessionReport} from './session-report.ts';
import {askedBy, askWhether} from './watch-sessions.ts';
import type {Workshop} from './workshop.ts';

/** Why a session is thought to be in the state that it is shown in. */
export type SessionExplanation = SessionReport & {
  /** What the agent itself says, or a dialog of its on the screen; it comes before what the kernel says. */
  readonly asks?: Asking;
  /** What the kernel says about waiting, with its proofs; absent for what has ended. */
  readonly input?: Blocked;
  readonly usage?: Usage;
  /** What of the network it may reach, in words, and what it was refused; absent where all of it is open. */
  readonly network?: {readonly words: string; readonly refused: readonly Refusal[]};
  readonly processes: readonly {
    readonly pid: number;
    readonly parent: number;
    readonly command: string;
    readonly found: string;
    readonly state: string;
  }[];
  readonly screen: readonly string[];
  readonly silentMs: number;
  readonly at: number;
};

/** Two looks, so far apart, show who uses the processor. */
const betweenLooksMs = 300;

function networkOf(workshop: Workshop, id: SessionId): Pick<SessionExplanation, 'network'> {
  const {words} = (workshop.store.noteOf(id, 'network') ?? {}) as {readonly words?: unknown};
  return typeof words === 'string' ? {network: {words, refused: readRefusals(workshop, id)}} : {};
}

export async function explainSession(
  workshop: Workshop,
  id: SessionId,
  kernel: Kernel,
): Promise<SessionExplanation> {
  const session = sessionOf(workshop.state(), id);
  const report = await reportSession(workshop, id, kernel);
  if (session === undefined || report === undefined) throw new Error(`there is no session ${id}`);
  const {text, silentMs} = readScreen(workshop, id);
  const rest = {...networkOf(workshop, id), screen: text, silentMs, at: workshop.now()};
  const [root] = liveSessionsOf(workshop.state()).some((live) => live.id === id)
    ? rootsOf(workshop, [session])
    : [];
  if (root === undefined) return {...report, processes: [], ...rest};
  const first = await readProcesses(kernel);
  await pauseFor(betweenLooksMs, new AbortController().signal);
  const [tree, second] = await Promise.all([processesOf(root, kernel), readProcesses(kernel)]);
  const members = 'value' in tree ? tree.value.members : [];
  const samples =
    'value' in first && 'value' in second
      ? ([first, second].map(({at, value}): Sample => ({at, processes: value})) as [Sample, Sample])
      : undefined;
  const asks = askedBy(workshop, session, true);
  const input =
    samples === undefined ? undefined : await askWhether(workshop, session, samples[1], samples[0]);
  return {
    ...report,
    ...(asks === undefined || asks === 'works' ? {} : {asks}),
    ...(input === undefined ? {} : {input}),
    ...(samples === undefined
      ? {}
      : {usage: usageBetween(samples[0], {at: samples[1].at, processes: members})}),
    processes: members.map(({identity, parent, command, found, state}) => ({
      pid: identity.pid,
      parent,
      command,
      found,
      state,
    })),
    ...rest,
  };
}
