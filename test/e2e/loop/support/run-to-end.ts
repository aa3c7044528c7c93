import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {connectDaemon, type DaemonConnection} from '../../../../source/client/index.ts';
import {readToken} from '../../../../source/cli/repo-paths.ts';
import {
  isReady,
  type RunRequest,
  selectNeeds,
  selectRun,
  selectRuns,
  type State,
  type UserCommand,
} from '../../../../source/domain/index.ts';
import type {LoopFixture} from './loop-fixture.ts';
import {type Newborn, startDaemon} from './start-daemon.ts';

export type Lives = {
  /** ORCHESTRA_FAILPOINTS of the next daemon. */
  readonly failpoints?: () => string;
  /** A daemon was started; it may not have logged anything yet. */
  readonly born?: (daemon: Newborn) => void;
  /** A daemon was found dead. The next one is started when this is done. */
  readonly died?: () => void | Promise<void>;
};

/** What a person does besides, and what they ask for. */
export type Person = {
  readonly request?: RunRequest;
  /** Says whether it has done something; then the state is read anew. */
  readonly acts?: (state: State, daemon: DaemonConnection) => Promise<boolean>;
};

const usualRequest: RunRequest = {
  objective: 'Make it better',
  worker: 'pretend',
  planner: 'pretend',
  queued: false,
};
/** The run fails if nothing happens for this long. */
const patienceMs = 120_000;

/**
 * Plays a person who wants one run completed and accepted, whatever happens to the daemon: reads
 * the state, gives the command that is due, and repeats. A confirmed command is not repeated.
 * Returns the run's tree when it was ready.
 */
export async function runToEnd(
  fixture: LoopFixture,
  lives: Lives = {},
  {request = usualRequest, acts}: Person = {},
): Promise<{readonly readyTree: string}> {
  let daemon: DaemonConnection | undefined;
  let readyTree = '';
  const left = fixture.git('status', '--porcelain');
  let [end, seen] = [performance.now() + patienceMs, 0];
  try {
    for (;;) {
      if (performance.now() > end)
        throw new Error(
          `the run did not come to its end: ${JSON.stringify(fixture.events().slice(-3))}`,
        );
      try {
        if (daemon === undefined) {
          daemon = await connect(fixture, lives);
          end = performance.now() + patienceMs;
        }

        const state = (await daemon.ask({about: 'state'})) as State;
        if (state.seq > seen) [end, seen] = [performance.now() + patienceMs, state.seq];
        const run = selectRun(state, 'r1');
        for (const {
          id,
          stage: {at},
        } of run?.tasks ?? [])
          if (at === 'merged')
            writeFileSync(path.join(fixture.home, `${id.replace('r1.', '')}-merged`), '');
        if (run !== undefined && isReady(run) && readyTree === '')
          readyTree = treeAtRest(fixture, left);
        if (isOver(state)) return {readyTree};
        if ((await acts?.(state, daemon)) === true) continue;
        const command = nextCommand(state, request);
        if (command !== undefined) await daemon.ask({about: 'wish', wish: command});
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

/**
 * The run's tree without the project file, whose port differs each time. The person's branch must
 * not have moved.
 */
function treeAtRest(fixture: LoopFixture, left: string): string {
  if (fixture.git('rev-list', '--count', 'main').trim() !== '1')
    throw new Error("the person's branch moved before it was accepted");
  if (fixture.git('status', '--porcelain') !== left)
    throw new Error(`the person's checkout was changed: ${fixture.git('status', '--porcelain')}`);
  return fixture
    .git('ls-tree', '-r', 'orchestra/r1')
    .split('\n')
    .filter((line) => !line.endsWith('project.yaml'))
    .join('\n');
}

function isOver(state: State): boolean {
  const run = selectRun(state, 'r1');
  if (run?.stage.at !== 'accepted' || state.live.length > 0) return false;
  return (
    run.worktrees.every(({owner}) => owner !== 'r1.plan' && owner !== 'r1.merge') &&
    run.tasks.every(({endings, summarised}) => endings === summarised)
  );
}

function nextCommand(state: State, request: RunRequest): UserCommand | undefined {
  const run = selectRun(state, 'r1');
  if (selectRuns(state).length === 0)
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
  const question = selectNeeds(state).find(
    (need) => need.kind === 'question' && need.proof === 'proven',
  );
  if (
    question?.kind !== 'question' ||
    state.sessions.pages.flat().some(({id, inputs}) => id === question.session && inputs.length > 0)
  )
    return undefined;
  return {type: 'send-input', session: question.session, text: '8080\r'};
}

/** Starts the next daemon with failpoints, as a command would start one. */
async function connect(fixture: LoopFixture, lives: Lives): Promise<DaemonConnection> {
  const current = fixture.current();
  const link = (): Promise<DaemonConnection> =>
    connectDaemon({socket: current.socket, token: readToken(current), build: 'test'});
  const present = existsSync(current.socket) ? await link().catch(() => undefined) : undefined;
  if (present !== undefined) return present;
  await lives.died?.();
  const child = startDaemon(fixture, lives.failpoints?.() ?? '');
  lives.born?.(child);
  for (;;) {
    const daemon = existsSync(current.socket) ? await link().catch(() => undefined) : undefined;
    if (daemon !== undefined) return daemon;
    if (child.isOver()) throw new Error('the daemon ended before it answered');
    await pass(10);
  }
}

/** The messages of a command whose daemon died; any other error is a failure. */
function isAboutDeath(error: unknown): boolean {
  const {code, message} = error as NodeJS.ErrnoException;
  return (
    ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(code ?? '') ||
    /closed|gone|ended|lost/.test(message)
  );
}
