import {sanitizeText} from '../../base/index.ts';
import {
  isLive,
  isTaskId,
  liveSessionsOf,
  runIdIn,
  runOf,
  sessionOf,
  worktreeOwnerOf,
  type Effect,
  type LeftProcess,
  type Run,
  type Worktree,
} from '../../domain/index.ts';
import {findLeftovers, type Leftover} from '../../machine/index.ts';
import {exchangeOf} from '../launch/exchange.ts';
import {keeperOf} from '../meet-keeper.ts';
import {rootOf, rootsOf} from '../session-report.ts';
import type {Workshop} from '../workshop.ts';

/** Those after which something that was written is believed, published or brought to the person. */
const believing: ReadonlySet<Effect['do']> = new Set<Effect['do']>([
  'read-plan',
  'capture',
  'publish-merge',
  'bring-home',
]);

/** More than a person reads are counted, not named. */
const mostNamed = 20;

const commandLength = 120;

/**
 * Processes that the sessions behind an effect may have left, and that no person has been told of: what is provably a session's
 * is ended when that ends. Whoever resumed after they were named knows of them, and is not asked again.
 */
export async function nameLeftovers(workshop: Workshop, effect: Effect): Promise<LeftProcess[]> {
  const owner = effect.task ?? effect.run;
  const run = owner === undefined ? undefined : runOf(workshop.state(), runIdIn(owner));
  if (run === undefined || !believing.has(effect.do)) return [];
  const worktrees = worktreesOf(run, effect);
  const ended = run.sessions
    .flatMap((id) => sessionOf(workshop.state(), id) ?? [])
    .filter(
      (session) =>
        !isLive(session) &&
        worktrees.some((worktree) => worktree.owner === worktreeOwnerOf(session)),
    );
  const since = Math.min(
    ...ended.flatMap(({id}) => startsIn(workshop, rootOf(workshop.store.metaOf(id)))),
  );
  if (since === Infinity) return [];
  const live = liveSessionsOf(workshop.state());
  const left = await findLeftovers(
    {
      since,
      directories: [
        ...worktrees.map(({path}) => path),
        ...ended.map(({id}) => exchangeOf(workshop, id).directory),
      ],
      sessions: rootsOf(workshop, live),
      known: live.flatMap(({id}) => keeperOf(workshop.store.metaOf(id)) ?? []),
    },
    workshop.kernel,
  );
  if (left.length === 0) return [];
  const told = toldIn(workshop, run);
  return left
    .filter(
      ({
        process: {
          identity: {pid, startTime, bootId},
        },
      }) => !told.has(`${bootId}/${pid}/${startTime}`),
    )
    .slice(0, mostNamed)
    .map(describe);
}

/** Whose work is believed: of a task its own, and for its merge what the checks ran in; of a run all of it. */
function worktreesOf(run: Run, effect: Effect): Worktree[] {
  if (effect.do === 'bring-home') return [...run.worktrees];
  if (effect.do === 'read-plan')
    return run.worktrees.filter(({owner}) => owner === `${run.id}.plan`);
  return run.worktrees.filter(
    ({owner}) =>
      owner === effect.task || (effect.do === 'publish-merge' && owner === `${run.id}.merge`),
  );
}

function startsIn({bootId}: Workshop, root: ReturnType<typeof rootOf>): number[] {
  return root?.bootId === bootId ? [root.startTime] : [];
}

/** Only a person's resume lifts what was met, so whatever stands in the journal has been seen. */
function toldIn(workshop: Workshop, run: Run): ReadonlySet<string> {
  const named = workshop
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

const becauseTexts: Readonly<Record<Leftover['because'], string>> = {
  works: 'works in',
  program: 'runs a program of',
  file: 'has a file open in',
  descendant: 'was started by one that has to do with',
};

function describe({
  process: {
    identity: {pid, startTime, bootId},
  },
  command,
  because,
  where,
}: Leftover): LeftProcess {
  return {
    pid,
    startTime,
    bootId,
    command: sanitizeText(command).slice(0, commandLength),
    because: `${becauseTexts[because]} ${where}`,
  };
}
