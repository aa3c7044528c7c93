import path from 'node:path';
import {newLines, type SeenLines} from '../../reports/index.ts';
import {
  isLoopKnown,
  type Observation,
  runIdIn,
  selectLiveSessions,
  selectLoopLimit,
  selectOpenQuestion,
  selectRun,
  selectWorktree,
  selectWorktreeOwner,
  type Session,
  type SessionId,
  waitedFor,
} from '../../domain/index.ts';
import {readEnd} from '../../keeper/index.ts';
import {
  computeWorkMs,
  findNewestChange,
  type NewestChange,
  readProcessTree,
} from '../../system/index.ts';
import {selectSessionDriver} from '../launch/agent-launch.ts';
import {readOutput} from '../sessions/session-screen.ts';
import {readActivity} from './watch-activity.ts';
import {selectRoots} from '../sessions/session-report.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  KernelAccess,
  RunVariables,
  SessionFiles,
  SessionLaunching,
  StateReader,
} from '../daemon-context.ts';
import {getMinuteMs} from '../../shared/index.ts';
import {getLimits} from '../../project-config/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';

/** What the earlier checks of an agent have shown. */
export type AgentCheck = {
  readonly at: number;
  /** When it last made progress. */
  readonly since: number;
  readonly end: number;
  readonly lines: SeenLines;
  readonly stream: number;
  readonly work: number;
  readonly changed?: NewestChange;
};

/** As a share of one core between two checks. Processes that only wait use less. */
const workShare = 0.05;

/** How much output is compared with earlier output. */
const maxOutputBytes = 64 * 1024;

/**
 * Progress is new content in the agent's stream (or, without a stream, a new line on its screen), a
 * change in its worktree, or busy processes that it started. A retry of its service and its own
 * processor time are not.
 */
export async function checkAgent(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    Pick<SessionLaunching, 'networkProgram'> &
    DaemonClock &
    KernelAccess,
  session: Session,
  before: AgentCheck | undefined,
): Promise<AgentCheck> {
  const {isStreamed, program} = selectAgent(context, session);
  const activity = readActivity(context, session.id);
  const {end} = readEnd(context.store.directoryOf(session.id));
  const printed =
    isStreamed || end === before?.end
      ? {isNew: false, seen: before?.lines ?? new Set<string>()}
      : newLines(
          before?.lines ?? new Set(),
          readOutput(context, session.id, Math.min(maxOutputBytes, end - (before?.end ?? 0))),
        );
  const stream = activity?.progress ?? 0;
  const work = await readWorkMs(context, session, isStreamed ? program : undefined);
  const changed = findChange(context, session);
  const now = context.now();
  // While it retries its service, or no tool of it runs, busy processes are not its work.
  const mayWork = activity?.retry === undefined && activity?.running !== 0;
  const isWorking =
    before !== undefined &&
    mayWork &&
    work - before.work >= workShare * Math.max(1, now - before.at);
  const isProgress =
    before === undefined ||
    printed.isNew ||
    stream !== before.stream ||
    isWorking ||
    changed?.at !== before.changed?.at ||
    changed?.file !== before.changed?.file;
  return {
    at: now,
    since: isProgress ? now : before.since,
    end,
    lines: printed.seen,
    stream,
    work,
    ...(changed !== undefined && {changed}),
  };
}

/** Whether the agent has a stream, and the name of its program. */
function selectAgent(
  context: StateReader,
  session: Session,
): {readonly isStreamed: boolean; readonly program: string} {
  try {
    const {driver} = selectSessionDriver(context, session);
    return {isStreamed: driver.stream !== undefined, program: driver.program};
  } catch {
    return {isStreamed: false, program: ''};
  }
}

async function readWorkMs(
  context: StateReader &
    SessionFiles &
    Pick<SessionLaunching, 'networkProgram'> &
    Pick<KernelAccess, 'kernel'>,
  session: Session,
  program: string | undefined,
): Promise<number> {
  const [root] = selectRoots(context, [session]);
  const tree = root?.root === undefined ? undefined : await readProcessTree(root, context.kernel);
  if (root?.root === undefined || tree === undefined || !('value' in tree)) return 0;
  const network = context.networkProgram.join(' ');
  return computeWorkMs({
    members: tree.value.members,
    root: root.root.pid,
    isWrapper: (command) => isWrapper(command, network),
    isAgent: (command) => program !== undefined && toFirstWord(command) === program,
  });
}

/** The sandbox, the network supervisor, or orchestra's renderer. */
function isWrapper(command: string, network: string): boolean {
  return (
    /^(?:bwrap|sandbox-exec)$/.test(toFirstWord(command)) ||
    (network !== '' && command.includes(network)) ||
    command.includes(' agent run --agent ')
  );
}

function toFirstWord(command: string): string {
  return path.basename(command.split(' ', 1)[0] ?? '');
}

export function findChange(context: StateReader, session: Session): NewestChange | undefined {
  const owner = selectWorktreeOwner(session);
  const run = owner === undefined ? undefined : selectRun(context.state(), runIdIn(owner));
  const place =
    owner === undefined || run === undefined ? undefined : selectWorktree(run, owner)?.path;
  const changed = place === undefined ? undefined : findNewestChange(place);
  return place === undefined || changed === undefined
    ? undefined
    : {...changed, file: path.relative(place, changed.file)};
}

const checkEveryMs = 20_000;

/**
 * Reports agents without progress, which are stopped because they would cost money for ever, and
 * agents that work long without a change.
 */
export async function watchProgress(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    Pick<SessionLaunching, 'networkProgram'> &
    RunVariables &
    DaemonClock &
    KernelAccess,
  conductor: Pick<Conductor, 'submit'>,
  signal: AbortSignal,
  everyMs = checkEveryMs,
): Promise<void> {
  const checks = new Map<SessionId, AgentCheck>();
  while (!signal.aborted) {
    const {project} = context.state();
    const minute = getMinuteMs(context.env);
    const limit = getLimits(project).noProgressMinutes * minute;
    const unchanged = selectLoopLimit(project.limits, 'unchanged');
    const agents = selectLiveSessions(context.state()).filter(
      ({purpose, life}) =>
        life.at === 'running' && (purpose.for === 'attempt' || purpose.for === 'plan'),
    );
    for (const id of checks.keys())
      if (!agents.some((session) => session.id === id)) checks.delete(id);
    for (const session of agents) {
      const check = await checkAgent(context, session, checks.get(session.id));
      // An agent that waits for a person is a need, not a stall.
      const isWaiting = session.waiting !== undefined || selectOpenQuestion(session) !== undefined;
      checks.set(session.id, isWaiting ? {...check, since: check.at} : check);
      if (isWaiting) continue;
      const silentFor = check.at - check.since;
      const observations: Observation[] = [
        ...(silentFor >= limit
          ? [{type: 'no-progress' as const, session: session.id, silentFor, limit}]
          : []),
        ...(unchanged === undefined
          ? []
          : unchangedFor(session, check, {limit: unchanged, minute})),
      ];
      for (const saw of observations)
        await conductor.submit({type: 'report', at: check.at, saw}).catch(() => undefined);
    }

    await pauseFor(
      Math.min(
        everyMs,
        Math.max(1000, Math.min(limit, (unchanged ?? Number.POSITIVE_INFINITY) * minute) / 4),
      ),
      signal,
    );
  }
}

/**
 * Not for planners, which should change nothing, nor if the worktree was too large to be searched
 * completely.
 */
function unchangedFor(
  session: Session,
  {at, changed}: AgentCheck,
  {limit, minute}: {readonly limit: number; readonly minute: number},
): Observation[] {
  if (session.purpose.for !== 'attempt' || session.life.at !== 'running' || changed?.isCut === true)
    return [];
  const isItsOwn = changed !== undefined && changed.at > session.life.since;
  const since = Math.round(isItsOwn ? changed.at : session.life.since);
  const minutes = Math.floor((at - since - waitedFor(session, at)) / minute);
  const key = String(since);
  if (minutes < limit || isLoopKnown(session, {kind: 'unchanged', key})) return [];
  return [
    {
      type: 'loop-found',
      session: session.id,
      kind: 'unchanged',
      key,
      evidence: isItsOwn ? `the last change was in ${changed.file}` : '',
      times: minutes,
      since,
    },
  ];
}
