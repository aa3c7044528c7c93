import {setTimeout as delay} from 'node:timers/promises';
import type {LiveState} from '../../client/index.ts';
import {
  baselineReport,
  formatNeeds,
  formatPlan,
  needsReport,
  sharingHint,
  type SharingReport,
  repositoryNotesOf,
} from '../../documents/index.ts';
import {
  isReady,
  needsOf,
  runOf,
  undecidedOf,
  type Run,
  type RunId,
  type State,
} from '../../domain/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import type {FirstApproval} from './approve-first.ts';
import {tellRefused} from '../with-daemon.ts';
import {isWaitingForPerson} from './is-waiting.ts';
import type {Story} from './story.ts';
import {textOptionsOf} from './text-options.ts';

export type FollowOptions = {readonly json?: boolean; readonly approval?: FirstApproval};

/** Follows a run until it is ready, over, or waits for a person. */
export async function followRun(
  live: LiveState,
  id: RunId,
  options: FollowOptions,
  surroundings: Surroundings,
  story: Story,
): Promise<ExitCode> {
  for (;;) {
    const state = await live.until((known) => hasHalted(known, id));
    const run = runOf(state, id);
    if (run === undefined) return 1;
    const isAsked =
      run.stage.at === 'reviewing' && run.hold === undefined && options.approval !== undefined;
    const hint = isAsked && options.json !== true ? await sharingText(live) : '';
    const show = (): void => {
      if (options.json !== true)
        story.say(`\n${planText(run, surroundings, live.state())}${hint}\n`);
    };
    if (
      isAsked &&
      (await options.approval.give(live, run, show, (error) => {
        tellRefused(error, surroundings);
      }))
    )
      continue;
    if (!(await staysHalted(live, id))) continue;
    const halted = runOf(live.state(), id) ?? run;
    const red = undecidedOf(halted).map(({result}) => result.check.name);
    if (isAsked && red.length > 0)
      surroundings.err(
        `orchestra: ${red.join(', ')} ${red.length === 1 ? 'is' : 'are'} red on the base of ${id}, without any change, so --approve did not approve. Decide what is done about it, then approve:\n  orchestra baseline ${id}\n  orchestra plan approve ${id}\n`,
      );
    else if (isAsked && halted.stage.at === 'reviewing' && !options.approval.isDoubted())
      surroundings.err(
        `orchestra: --approve approved the first plan that was shown; ${id} asks again, because the plan, the rules or the base are not what they were. Read it, then: orchestra plan approve ${id}\n`,
      );
    if (options.json !== true) await tellEnd(live, halted, surroundings, story);
    return exitCodeOf(halted);
  }
}

function hasHalted(state: State, id: RunId): boolean {
  const run = runOf(state, id);
  if (run === undefined || run.stage.at === 'accepted' || run.stage.at === 'discarded') return true;
  // Its summary is part of it.
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

/** What looks like a halt for a moment (one task over, the next not begun) is none. */
async function staysHalted(live: LiveState, id: RunId): Promise<boolean> {
  const {seq} = live.state();
  const moved = await Promise.race([
    live.until((state) => state.seq > seq).then(() => true),
    delay(settleMs).then(() => false),
  ]);
  return !moved || hasHalted(live.state(), id);
}

async function tellEnd(
  live: LiveState,
  run: Run,
  surroundings: Surroundings,
  story: Story,
): Promise<void> {
  const text = textOptionsOf(surroundings);
  const {id, stage} = run;
  if (stage.at === 'reviewing') {
    story.say(`\n${planText(run, surroundings, live.state())}${await sharingText(live)}`);
    return;
  }

  const stopped = needsOf(live.state()).flatMap((need) =>
    need.kind === 'stopped' && need.task.startsWith(`${id}.`)
      ? [need.task]
      : need.kind === 'planless' && need.run === id
        ? [id]
        : [],
  );
  for (const of of stopped)
    story.say(
      `\n${((await live.ask({about: 'explanation', of})) as {readonly text: string}).text}`,
    );
  if (isReady(run)) {
    story.say(
      `\n${id} is ready on ${branchOf(run)}. Look at it and take it:\n  orchestra diff ${id}\n  orchestra accept ${id}${run.head === undefined ? '' : ` --commit ${run.head.slice(0, 12)}`}\n`,
    );
    return;
  }

  const report = needsReport(live.state(), Date.now());
  if (report.needs.length > 0) story.say(`\n${formatNeeds(report, text)}`);
}

export function planText(run: Run, surroundings: Surroundings, state: State): string {
  const {stage, id} = run;
  if (!('proposal' in stage)) return '';
  const {proposal, ground} = stage;
  return formatPlan(proposal.plan, {
    width: textOptionsOf(surroundings).width,
    hash: proposal.hash,
    rules: ground.rules,
    base: ground.base,
    treeProof: proposal.tree,
    comments: proposal.comments,
    notes: repositoryNotesOf(run),
    baseline: baselineReport(state, run),
    ...(stage.at === 'reviewing' ? {run: id} : {}),
  });
}

/** What of the checkout the tasks will not have, while it can still be shared without losing time. */
async function sharingText(live: LiveState): Promise<string> {
  const lines = sharingHint(await sharingOf(live));
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** A plan is shown whether or not this can be told. */
export async function sharingOf(live: Pick<LiveState, 'ask'>): Promise<SharingReport> {
  return live.ask({about: 'dependencies'}).then(
    (report) => report as SharingReport,
    () => ({directories: [], hasSetup: false}),
  );
}

export function branchOf({id, stage}: Run): string {
  return ('ground' in stage ? stage.ground.ownBranch : undefined) ?? `orchestra/${id}`;
}

function exitCodeOf(run: Run): ExitCode {
  if (run.stage.at === 'discarded') return 1;
  return run.stage.at === 'accepted' || isReady(run) ? 0 : 3;
}
