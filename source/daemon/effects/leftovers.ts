import {sanitizeText} from '../../shared/index.ts';
import {
  type Effect,
  isLive,
  isTaskId,
  type LeftProcess,
  type Run,
  runIdIn,
  selectLiveSessions,
  selectRun,
  selectSession,
  selectWorktreeOwner,
  type Session,
  type Worktree,
} from '../../domain/index.ts';
import {findLeftovers, type LeftoverProcess, stopTree} from '../../system/index.ts';
import {getExchange} from '../launch/exchange.ts';
import {toKeeperIdentity} from '../sessions/keeper-link.ts';
import {selectRoots, toRootProcess} from '../sessions/session-report.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  JournalReader,
  KernelAccess,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';

/** Effects that trust written files, publish them or bring them to the person. */
const trustingEffects: ReadonlySet<Effect['do']> = new Set<Effect['do']>([
  'read-plan',
  'capture',
  'publish-merge',
  'bring-home',
]);

/** A person reads no longer list. */
const maxNamed = 20;

const commandLength = 120;

/**
 * Processes that the sessions behind an effect may have left and that were not reported to a person
 * yet. Processes that provably belong to a session are ended with it. A person who resumed after a
 * report is not asked again.
 */
export async function findUnreportedLeftovers(
  context: StateReader & JournalReader & SessionFiles & DaemonDirectory & KernelAccess,
  effect: Effect,
): Promise<LeftProcess[]> {
  const owner = effect.task ?? effect.run;
  const run = owner === undefined ? undefined : selectRun(context.state(), runIdIn(owner));
  if (run === undefined || !trustingEffects.has(effect.do)) return [];
  const worktrees = selectTrustedWorktrees(run, effect);
  const ended = run.sessions
    .flatMap((id) => selectSession(context.state(), id) ?? [])
    .filter(
      (session) =>
        !isLive(session) &&
        worktrees.some((worktree) => worktree.owner === selectWorktreeOwner(session)),
    );
  const since = Math.min(
    ...ended.flatMap(({id}) => startsIn(context, toRootProcess(context.store.metaOf(id)))),
  );
  if (since === Infinity) return [];
  const live = selectLiveSessions(context.state());
  const left = await findLeftovers(
    {
      since,
      directories: [
        ...worktrees.map(({path}) => path),
        ...ended.map(({id}) => getExchange(context, id).directory),
      ],
      sessions: selectRoots(context, live),
      known: live.flatMap(({id}) => toKeeperIdentity(context.store.metaOf(id)) ?? []),
    },
    context.kernel,
  );
  if (left.length === 0) return [];
  const reported = findReported(context, run);
  return left
    .filter(
      ({
        process: {
          identity: {pid, startTime, bootId},
        },
      }) => !reported.has(`${bootId}/${pid}/${startTime}`),
    )
    .slice(0, maxNamed)
    .map(toLeftProcess);
}

/**
 * The worktrees that the effect trusts: the task's own; for a merge also that of its checks; for a
 * run all.
 */
function selectTrustedWorktrees(run: Run, effect: Effect): Worktree[] {
  if (effect.do === 'bring-home') return [...run.worktrees];
  if (effect.do === 'read-plan')
    return run.worktrees.filter(({owner}) => owner === `${run.id}.plan`);
  return run.worktrees.filter(
    ({owner}) =>
      owner === effect.task || (effect.do === 'publish-merge' && owner === `${run.id}.merge`),
  );
}

function startsIn(
  {bootId}: Pick<KernelAccess, 'bootId'>,
  root: ReturnType<typeof toRootProcess>,
): number[] {
  return root?.bootId === bootId ? [root.startTime] : [];
}

/** Only a person's resume clears a reported trouble, so every journaled process has been seen. */
function findReported(context: JournalReader, run: Run): ReadonlySet<string> {
  const named = context
    .eventsOf(run.id)
    .flatMap((event) =>
      event.type === 'trouble-met' &&
      event.why.kind === 'leftovers' &&
      (isTaskId(event.owner) || event.owner === run.id)
        ? event.why.processes
        : [],
    );
  return new Set(named.map(({bootId, pid, startTime}) => `${bootId}/${pid}/${startTime}`));
}

const becauseTexts: Readonly<Record<LeftoverProcess['because'], string>> = {
  works: 'works in',
  program: 'runs a program of',
  file: 'has a file open in',
  descendant: 'was started by a process that uses',
};

function toLeftProcess({
  process: {
    identity: {pid, startTime, bootId},
  },
  command,
  because,
  where,
}: LeftoverProcess): LeftProcess {
  return {
    pid,
    startTime,
    bootId,
    command: sanitizeText(command).slice(0, commandLength),
    because: `${becauseTexts[because]} ${where}`,
  };
}

/** Ends the processes that a session left, before its worktree is read: they could still write. */
export async function endLeftovers(
  {store, kernel, log}: SessionFiles & Pick<KernelAccess, 'kernel'> & DaemonLog,
  {id}: Session,
): Promise<void> {
  const stopped = await stopTree({id, cookie: store.cookieOf(id)}, kernel, {
    directory: store.directoryOf(id),
  });
  if ('unknown' in stopped) return;
  const {signals, survivors} = stopped.value;
  if (signals.length > 0)
    log(
      `${id}: ended ${new Set(signals.map(({identity}) => identity.pid)).size} processes that it had left`,
    );
  if (survivors.length > 0)
    throw new Error(`${survivors.length} processes that ${id} left could not be ended`);
}
