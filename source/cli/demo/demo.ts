import {buildNeedsReport, formatNeeds} from '../../reports/index.ts';
import {
  type Event,
  isReady,
  isTaskId,
  type RunId,
  selectNeeds,
  selectRun,
} from '../../domain/index.ts';
import type {LiveState} from '../../client/index.ts';
import {type CliContext, type ExitCode, getTextOptions} from '../cli-context.ts';
import {approve} from '../runs/approve.ts';
import {formatRunPlan, isWaitingForPerson, runBranch} from '../runs/print-run-progress.ts';
import {shellEnvironment} from '../runs/env.ts';
import {createProgressLog, type ProgressLog} from '../runs/progress-log.ts';
import {withLive} from '../with-daemon.ts';
import {type Demo, makeDemo} from './make-demo.ts';
import {leaveDemo, startDemo, toRunRequest} from './start-demo.ts';
import {storeAnswer} from './store-playbook.ts';

/**
 * Runs the whole loop on a generated repository, with real git, terminals and checks. In the app
 * the person decides; headless, their decisions are simulated.
 */
export async function demo(
  options: {readonly headless?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  const isHeadless = options.headless === true || cli.terminal === undefined;
  const made = await makeDemo(cli.env, {pace: isHeadless ? headlessPace : 1});
  cli.out(`A repository with a real bug: ${made.root}\n`);
  const inside: CliContext = {...cli, cwd: made.root};
  if (isHeadless) return playDemo(made, inside);
  await startDemo(made, cli);
  const code = await (await import('../app/app.ts')).app(inside);
  await leaveDemo(made, cli);
  return code;
}

/** Nobody watches the panes: the pauses that make them readable almost vanish. */
const headlessPace = 0.01;

async function playDemo(made: Demo, cli: CliContext): Promise<ExitCode> {
  let id: RunId | undefined;
  const log = createProgressLog(cli, () => id);
  try {
    return await withLive(
      cli,
      async (live) => {
        log.print(`\n$ orchestra run "${made.objective}" --playbook ${made.playbook}\n`);
        const {events} = (await live.ask({
          about: 'wish',
          wish: {type: 'start-run', request: toRunRequest(made), budget: {}},
          env: shellEnvironment(live.state().project, toRunRequest(made), cli),
        })) as {readonly events: readonly Event[]};
        id = events.find((event) => event.type === 'run-created')?.run;
        if (id === undefined) return 1;
        const isDone = await simulateUser(live, id, cli, log);
        return isDone ? await finish(live, id, made, log) : 1;
      },
      log.onMessage,
    );
  } finally {
    log.end();
  }
}

/** Approves the plan and answers the question; any other need ends the demo. */
async function simulateUser(
  live: LiveState,
  id: RunId,
  cli: CliContext,
  log: ProgressLog,
): Promise<boolean> {
  const answered = new Set<string>();
  for (;;) {
    const state = await live.until((known) => {
      const run = selectRun(known, id);
      if (run === undefined || isReady(run)) return true;
      return (
        isWaitingForPerson(known, run) ||
        selectNeeds(known).some(
          (need) => need.kind === 'question' && need.proof === 'proven' && !answered.has(need.id),
        )
      );
    });
    const run = selectRun(state, id);
    if (run === undefined) return false;
    if (isReady(run)) return true;
    if (run.stage.at === 'reviewing') {
      log.print(
        `\n${formatRunPlan(run, cli, state)}\n$ orchestra plan approve ${id}        (the demo does this for you)\n\n`,
      );
      await approve(live, run);
      continue;
    }

    const question = selectNeeds(state).find(
      (need) => need.kind === 'question' && !answered.has(need.id),
    );
    if (question?.kind === 'question') {
      answered.add(question.id);
      log.print(
        `          ${question.session} waits for input (${question.proof}): ` +
          `${question.question}\n\n$ orchestra send ${question.session} ` +
          `${storeAnswer.number}        (the demo answers for you)\n\n`,
      );
      await live.ask({
        about: 'wish',
        wish: {type: 'send-input', session: question.session, text: `${storeAnswer.number}\r`},
      });
      continue;
    }

    // A state between two related events looks the same, and lasts longer on a slow machine.
    const {seq} = state;
    const patienceMs = selectNeeds(state).every(({id: need}) => answered.has(need)) ? 60_000 : 2000;
    const moved = await Promise.race([
      live.until((known) => known.seq > seq).then(() => true),
      new Promise<false>((resolve) => {
        setTimeout(resolve, patienceMs, false).unref();
      }),
    ]);
    if (moved) continue;
    log.print(`\n${formatNeeds(buildNeedsReport(state, Date.now()), getTextOptions(cli))}`);
    return false;
  }
}

async function finish(live: LiveState, id: RunId, made: Demo, log: ProgressLog): Promise<ExitCode> {
  const head = selectRun(live.state(), id)?.head;
  if (head === undefined) return 1;
  await live.until((state) => {
    const run = selectRun(state, id);
    if (run === undefined || run.trouble !== undefined) return true;
    return (
      run.summarised === run.tasks.reduce((sum, {endings}) => sum + endings, 0) &&
      run.tasks.every(
        ({endings, summarised, attempts, trouble}) =>
          endings === summarised || attempts.length === 0 || trouble !== undefined,
      )
    );
  });
  const run = selectRun(live.state(), id);
  log.print(`\n$ orchestra accept ${id}        (the demo does this for you)\n`);
  await live.ask({about: 'wish', wish: {type: 'accept-run', run: id, commit: head}});
  const state = await live.until((known) => selectRun(known, id)?.stage.at !== 'accepting');
  const isAccepted = selectRun(state, id)?.stage.at === 'accepted';
  await live.ask({about: 'wish', wish: {type: 'stop-service', service: 'web'}});
  await live.until((known) => known.live.length === 0);
  // Removes unneeded worktrees before the daemon stops.
  await live.until(
    (known) =>
      !isAccepted || selectRun(known, id)?.worktrees.every(({owner}) => isTaskId(owner)) !== false,
  );
  log.print(
    `${[
      '',
      isAccepted
        ? `Done: ${made.root} has the fix on its branch main.`
        : 'The run is ready but could not be accepted; see orchestra needs.',
      '',
      'Where to look:',
      `  cd ${made.root}`,
      '  git log --graph --oneline',
      '  orchestra status r1',
      '  orchestra timeline r1',
      `  orchestra diff ${id}        ${run === undefined ? '' : `(branch ${runBranch(run)})`}`,
      '  orchestra audit r1',
      '  ls .orchestra/knowledge',
      `Remove it when you are done: rm -r ${made.home}`,
      '',
    ].join('\n')}\n`,
  );
  await live.ask({about: 'stop-daemon'});
  return isAccepted ? 0 : 1;
}
