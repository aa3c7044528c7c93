import {setTimeout as delay} from 'node:timers/promises';
import {
  type Event,
  isGoing,
  isReady,
  isRunActive,
  liveSessionsOfTask,
  type Run,
  type RunId,
  selectNeeds,
  selectPredecessors,
  selectRun,
  selectUndecided,
  selectWaitingPlanner,
  type State,
} from '../../domain/index.ts';
import {type CliContext, type ExitCode, getTextOptions} from '../cli-context.ts';
import {printConnectionLost, printRejected, withLive} from '../with-daemon.ts';
import type {ProgressLog} from './progress-log.ts';
import type {LiveState} from '../../client/index.ts';
import {
  buildBaselineReport,
  buildNeedsReport,
  formatNeeds,
  formatModes,
  formatPlan,
  selectRepositoryNotes,
  sharingHint,
  type SharingReport,
} from '../../reports/index.ts';
import type {FirstApproval} from './approve.ts';

/** After this many restarts the person should see that the daemon keeps crashing. */
const maxReconnects = 10;

/** Continues to follow a run after the daemon has ended: the next daemon resumes the run. */
export async function followOn(
  id: RunId | undefined,
  options: FollowRunOptions,
  cli: CliContext,
  log: ProgressLog,
  onEvent: (event: Event, state: State) => void,
  times = 1,
): Promise<ExitCode> {
  if (id === undefined || times > maxReconnects) return printConnectionLost(cli);
  if (options.json !== true) log.print(`the daemon exited; another one continues ${id}\n`);
  return withLive(
    cli,
    (live) => printRunProgress(live, id, options, cli, log),
    onEvent,
    () => followOn(id, options, cli, log, onEvent, times + 1),
  );
}

type FollowRunOptions = {readonly json?: boolean; readonly approval?: FirstApproval};

/** Follows a run until it is ready, over, or waits for a person. */
export async function printRunProgress(
  live: LiveState,
  id: RunId,
  options: FollowRunOptions,
  cli: CliContext,
  log: ProgressLog,
): Promise<ExitCode> {
  for (;;) {
    const state = await live.until((known) => hasHalted(known, id));
    const run = selectRun(state, id);
    if (run === undefined) return 1;
    const isAsked =
      run.stage.at === 'reviewing' && run.hold === undefined && options.approval !== undefined;
    const hint = isAsked && options.json !== true ? await formatSharingHint(live) : '';
    const show = (): void => {
      if (options.json !== true) log.print(`\n${formatRunPlan(run, cli, live.state())}${hint}\n`);
    };
    if (
      isAsked &&
      (await options.approval.give(live, run, show, (error) => {
        printRejected(error, cli);
      }))
    )
      continue;
    if (!(await staysHalted(live, id))) continue;
    const halted = selectRun(live.state(), id) ?? run;
    const red = selectUndecided(halted).map(({result}) => result.check.name);
    if (isAsked && red.length > 0)
      cli.err(
        `orchestra: ${red.join(', ')} failed on the unchanged base of ${id}, so ` +
          '--approve did not approve. Decide what to do about it, then approve:\n  ' +
          `orchestra baseline ${id}\n  orchestra plan approve ${id}\n`,
      );
    else if (isAsked && halted.stage.at === 'reviewing' && !options.approval.isDoubted())
      cli.err(
        `orchestra: --approve approved only the first plan; ${id} asks again, because ` +
          'the plan, the rules or the base changed. Read it, then: orchestra plan approve ' +
          `${id}\n`,
      );
    if (options.json !== true) await printEnd(live, halted, cli, log);
    return toExitCode(halted);
  }
}

function hasHalted(state: State, id: RunId): boolean {
  const run = selectRun(state, id);
  if (run === undefined || run.stage.at === 'accepted' || run.stage.at === 'discarded') return true;
  // Printed with its summary.
  if (isReady(run))
    return (
      run.summarised === run.tasks.reduce((sum, {endings}) => sum + endings, 0) || !isQuiet(run)
    );
  return run.hold !== undefined || isWaitingForPerson(state, run);
}

function isQuiet({trouble, parked}: Run): boolean {
  return trouble === undefined && parked === undefined;
}

const settleMs = 300;

/** A short halt (one task ended, the next not started) does not count. */
async function staysHalted(live: LiveState, id: RunId): Promise<boolean> {
  const {seq} = live.state();
  await Promise.race([live.until((state) => state.seq > seq), delay(settleMs)]);
  return hasHalted(live.state(), id);
}

async function printEnd(
  live: LiveState,
  run: Run,
  cli: CliContext,
  log: ProgressLog,
): Promise<void> {
  const text = getTextOptions(cli);
  const {id, stage} = run;
  if (stage.at === 'reviewing') {
    log.print(`\n${formatRunPlan(run, cli, live.state())}${await formatSharingHint(live)}`);
    return;
  }

  const stopped = selectNeeds(live.state()).flatMap((need) => {
    if (need.kind === 'stopped' && need.task.startsWith(`${id}.`)) return [need.task];
    return need.kind === 'planless' && need.run === id ? [id] : [];
  });
  for (const of of stopped)
    log.print(
      `\n${((await live.ask({about: 'explanation', of})) as {readonly text: string}).text}`,
    );
  if (isReady(run)) {
    log.print(
      `\n${id} is ready on ${runBranch(run)}. Look at it and accept it:\n  orchestra ` +
        `diff ${id}\n  orchestra accept ` +
        `${id}${run.head === undefined ? '' : ` --commit ${run.head.slice(0, 12)}`}\n`,
    );
    return;
  }

  const report = buildNeedsReport(live.state(), Date.now());
  if (report.needs.length > 0) log.print(`\n${formatNeeds(report, text)}`);
}

export function formatRunPlan(run: Run, cli: CliContext, state: State): string {
  const {stage, id} = run;
  if (!('proposal' in stage)) return '';
  const {proposal, ground} = stage;
  const modes = formatModes(run);
  return formatPlan(proposal.plan, {
    ...(modes === undefined ? {} : {modes}),
    width: getTextOptions(cli).width,
    hash: proposal.hash,
    rules: ground.rules,
    base: ground.base,
    ...(proposal.tree === undefined ? {} : {treeProof: proposal.tree}),
    comments: proposal.comments,
    notes: selectRepositoryNotes(run),
    baseline: buildBaselineReport(state, run),
    ...(stage.at === 'reviewing' ? {run: id} : {}),
  });
}

/** Directories of the checkout that tasks will not have, while sharing them still costs no time. */
async function formatSharingHint(live: LiveState): Promise<string> {
  const lines = sharingHint(await requestSharing(live));
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** The plan is shown even if this fails. */
export async function requestSharing(live: Pick<LiveState, 'ask'>): Promise<SharingReport> {
  return live.ask({about: 'dependencies'}).then(
    (report) => report as SharingReport,
    () => ({directories: [], hasSetup: false}),
  );
}

export function runBranch({id, stage}: Run): string {
  return ('ground' in stage ? stage.ground.ownBranch : undefined) ?? `orchestra/${id}`;
}

function toExitCode(run: Run): ExitCode {
  if (run.stage.at === 'discarded') return 1;
  return run.stage.at === 'accepted' || isReady(run) ? 0 : 3;
}

/** Whether the run cannot continue without a person. */
export function isWaitingForPerson(state: State, run: Run): boolean {
  const {stage} = run;
  if (!isRunActive(run)) return true;
  if (stage.at === 'reviewing' || stage.at === 'planless') return true;
  if (stage.at === 'planning')
    return (
      selectWaitingPlanner(state, run) !== undefined ||
      run.sessions.some((id) => hasQuestion(state, id))
    );
  if (stage.at !== 'working' || isReady(run)) return false;
  const going = run.tasks.filter((task) => isGoing(state, run, task));
  const isAsking = (task: Run['tasks'][number]): boolean =>
    liveSessionsOfTask(state, task.id).some(({id}) => hasQuestion(state, id));
  const isHeldUp = (task: Run['tasks'][number]): boolean =>
    task.stage.at === 'waiting' &&
    selectPredecessors(run, task).some((earlier) => earlier.stage.at !== 'merged');
  const moving = going.filter((task) => !isAsking(task) && !isHeldUp(task));
  return moving.length === 0;
}

/** Only proven questions count: an agent that thinks looks as if it waited. */
function hasQuestion(state: State, session: string): boolean {
  return selectNeeds(state).some(
    (need) =>
      need.kind === 'question' &&
      'session' in need &&
      need.session === session &&
      need.proof === 'proven',
  );
}
