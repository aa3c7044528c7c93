import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {connectDaemon, type DaemonConnection} from '../../../../source/client/index.ts';
import {readToken} from '../../../../source/commands/here.ts';
import {
  isReady,
  needsOf,
  runOf,
  runsOf,
  type RunRequest,
  type State,
  type Wish,
} from '../../../../source/domain/index.ts';
import type {Stage} from './stage.ts';
import {startDaemon, type Newborn} from './start-daemon.ts';

export type Lives = {
  /** What the next daemon gets as ORCHESTRA_FAILPOINTS. */
  readonly failpoints?: () => string;
  /** A daemon was started; it may not have said a word yet. */
  readonly born?: (daemon: Newborn) => void;
  /** It was found dead. */
  readonly died?: () => void;
};

const request: RunRequest = {
  objective: 'Make it better',
  worker: 'pretend',
  planner: 'pretend',
  queued: false,
};
/** As long as anything happens it is waited for. */
const patienceMs = 120_000;

/**
 * Plays a person who wants one run done and accepted, whatever happens to the daemon meanwhile: looks, says what is
 * called for, and looks again. Nothing is said twice that was heard. Gives what the run had made when it was ready.
 */
export async function playThrough(
  stage: Stage,
  lives: Lives = {},
): Promise<{readonly readyTree: string}> {
  let daemon: DaemonConnection | undefined;
  let readyTree = '';
  const left = stage.git('status', '--porcelain');
  let [end, seen] = [performance.now() + patienceMs, 0];
  try {
    for (;;) {
      if (performance.now() > end)
        throw new Error(
          `the run did not come to its end: ${JSON.stringify(stage.events().slice(-3))}`,
        );
      try {
        if (daemon === undefined) {
          daemon = await meet(stage, lives);
          end = performance.now() + patienceMs;
        }

        const state = (await daemon.ask({about: 'state'})) as State;
        if (state.seq > seen) [end, seen] = [performance.now() + patienceMs, state.seq];
        const run = runOf(state, 'r1');
        for (const {
          id,
          stage: {at},
        } of run?.tasks ?? [])
          if (at === 'merged')
            writeFileSync(path.join(stage.home, `${id.replace('r1.', '')}-merged`), '');
        if (run !== undefined && isReady(run) && readyTree === '')
          readyTree = treeAtRest(stage, left);
        if (isOver(state)) return {readyTree};
        const wish = nextWish(state);
        if (wish !== undefined) await daemon.ask({about: 'wish', wish});
        else await pass(20);
      } catch (error) {
        if (!isAboutDeath(error)) throw error;
        daemon?.close();
        daemon = undefined;
      }
    }
  } finally {
    daemon?.close();
  }
}

/** What is in the run's tree, but for the project file, in which the port is another each time; the person's branch must not have moved for it. */
function treeAtRest(stage: Stage, left: string): string {
  if (stage.git('rev-list', '--count', 'main').trim() !== '1')
    throw new Error("the person's branch moved before it was accepted");
  if (stage.git('status', '--porcelain') !== left)
    throw new Error(`the person's checkout was changed: ${stage.git('status', '--porcelain')}`);
  return stage
    .git('ls-tree', '-r', 'orchestra/r1')
    .split('\n')
    .filter((line) => !line.endsWith('project.yaml'))
    .join('\n');
}

function isOver(state: State): boolean {
  const run = runOf(state, 'r1');
  if (run?.stage.at !== 'accepted' || state.live.length > 0) return false;
  return (
    run.worktrees.every(({owner}) => owner !== 'r1.plan' && owner !== 'r1.merge') &&
    run.tasks.every(({endings, summarised}) => endings === summarised)
  );
}

function nextWish(state: State): Wish | undefined {
  const run = runOf(state, 'r1');
  if (runsOf(state).length === 0)
    return {type: 'start-run', request, budget: {attemptWallClock: 3_600_000}};
  if (run === undefined) return undefined;
  if (run.parked?.why.kind === 'crashing') return {type: 'resume', what: 'r1'};
  if (run.stage.at === 'reviewing')
    return {
      type: 'approve-plan',
      run: 'r1',
      plan: run.stage.proposal.hash,
      rules: run.stage.ground.rules.hash,
      base: run.stage.ground.base,
    };
  if (
    isReady(run) &&
    run.head !== undefined &&
    run.summarised === run.tasks.reduce((sum, {endings}) => sum + endings, 0)
  )
    return {type: 'accept-run', run: 'r1', commit: run.head};
  const service = state.services.find(({desire}) => desire === 'wanted');
  if (run.stage.at === 'accepted' && service !== undefined)
    return {type: 'stop-service', service: service.spec.name};
  const question = needsOf(state).find(
    (need) => need.kind === 'question' && need.proof === 'proven',
  );
  if (
    question?.kind !== 'question' ||
    state.sessions.pages.flat().some(({id, inputs}) => id === question.session && inputs.length > 0)
  )
    return undefined;
  return {type: 'send-input', session: question.session, text: '8080\r'};
}

/** The next command starts a daemon; here it is one with failpoints. */
async function meet(stage: Stage, lives: Lives): Promise<DaemonConnection> {
  const here = stage.here();
  const link = (): Promise<DaemonConnection> =>
    connectDaemon({socket: here.socket, token: readToken(here), build: 'test'});
  const present = existsSync(here.socket) ? await link().catch(() => undefined) : undefined;
  if (present !== undefined) return present;
  lives.died?.();
  const child = startDaemon(stage, lives.failpoints?.() ?? '');
  lives.born?.(child);
  for (;;) {
    const daemon = existsSync(here.socket) ? await link().catch(() => undefined) : undefined;
    if (daemon !== undefined) return daemon;
    if (child.isOver()) throw new Error('the daemon ended before it answered');
    await pass(10);
  }
}

/** What is said when a daemon dies in the middle of a sentence; anything else is a fault. */
function isAboutDeath(error: unknown): boolean {
  const {code, message} = error as NodeJS.ErrnoException;
  return (
    ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(code ?? '') ||
    /closed|gone|ended|lost/.test(message)
  );
}
