import os from 'node:os';
import path from 'node:path';
import {mkdtempSync} from 'node:fs';
import type {LiveState} from '../../client/index.ts';
import {buildBaselineReport, formatJson, sharingHint, unshared} from '../../reports/index.ts';
import {formatPlanFile, formatPlanLines, parsePlanFile, planHash} from '../../plan/index.ts';
import {formatProblems} from '../../shared/index.ts';
import {getPlanContext} from '../../project-config/index.ts';
import {
  type Proposal,
  type Run,
  selectPlannedWorker,
  type UserCommand,
} from '../../domain/index.ts';
import {readRegularFile, writeFileAtomic} from '../../files/index.ts';
import {UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {approve} from './approve.ts';
import {editText} from './edit-text.ts';
import {findRun} from './find-subject.ts';
import {requestSharing, followOn, formatRunPlan, printRunProgress} from './print-run-progress.ts';
import {createProgressLog} from './progress-log.ts';
import {findAgentsOnPath} from './task-agents.ts';
import {withLive} from '../with-daemon.ts';

type Options = {readonly json?: boolean};

/** Prints the whole plan that waits for approval. */
export async function planShow(
  id: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    const {stage} = run;
    if (!('proposal' in stage)) throw new UsageError(`${run.id} has no plan; it is ${stage.at}`);
    const {proposal, ground} = stage;
    const report =
      stage.at === 'reviewing' ? await requestSharing(live) : {directories: [], hasSetup: false};
    const lines = sharingHint(report);
    cli.out(
      options.json === true
        ? formatJson({
            run: run.id,
            stage: stage.at,
            hash: proposal.hash,
            rules: ground.rules.hash,
            base: ground.base,
            tree: proposal.tree,
            workers: run.request.workers ?? 'headless',
            planners: run.request.planners ?? 'headless',
            comments: proposal.comments,
            notes: ground.notes ?? [],
            plan: proposal.plan,
            agents: proposal.plan.tasks.map((task) => ({
              task: task.id,
              ...selectPlannedWorker(run, task),
            })),
            baseline: buildBaselineReport(live.state(), run),
            unshared: unshared(report),
          })
        : `${formatRunPlan(run, cli, live.state())}${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}`,
    );
    return stage.at === 'reviewing' ? 3 : 0;
  });
}

/** Approves the plan, bound to the present plan, rules and base. */
export async function planApprove(
  id: string | undefined,
  options: Options & {readonly follow?: boolean; readonly hash?: string},
  cli: CliContext,
): Promise<ExitCode> {
  const of: {run?: Run} = {};
  const log = createProgressLog(cli, () => of.run?.id);
  try {
    return await withLive(
      cli,
      async (live) => {
        const run = findRun(live.state(), id);
        of.run = run;
        if (
          options.hash !== undefined &&
          run.stage.at === 'reviewing' &&
          !run.stage.proposal.hash.startsWith(options.hash)
        )
          throw new UsageError(
            `the plan of ${run.id} is ${run.stage.proposal.hash.slice(0, 12)} now; read ` +
              `it again before you approve: orchestra plan show ${run.id}`,
          );
        await approve(live, run);
        if (options.follow === true) return printRunProgress(live, run.id, options, cli, log);
        cli.out(
          options.json === true
            ? formatJson({run: run.id, approved: true})
            : `${run.id} is approved; its workers start. Watch it: orchestra status ${run.id}\n`,
        );
        return 0;
      },
      options.follow === true ? log.onMessage : undefined,
      options.follow === true
        ? () => followOn(of.run?.id, options, cli, log, log.onMessage)
        : undefined,
    );
  } finally {
    log.end();
  }
}

export async function planReject(
  id: string | undefined,
  options: Options & {readonly reason?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return answerPlan(
    id,
    options,
    cli,
    ({id: run}, proposal) => ({
      type: 'reject-plan',
      run,
      plan: proposal.hash,
      reason: options.reason ?? '',
    }),
    'is being planned again',
  );
}

export async function planComment(
  id: string,
  line: string,
  text: string,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  const number = Number(line);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`expected the number of a line of the plan, got ${JSON.stringify(line)}`);
  const toCommand = (run: Run, {plan}: Proposal): UserCommand => {
    const {length} = formatPlanLines(plan);
    if (number > length)
      throw new UsageError(
        `expected one of the ${length} numbered lines of the plan of ${run.id}, got ` +
          `${number}. To see them: orchestra plan show ${run.id}`,
      );
    return {type: 'comment-plan', run: run.id, line: number, text};
  };

  return answerPlan(
    id,
    options,
    cli,
    toCommand,
    'has your comment; it goes to the planner when you reject the plan',
  );
}

export async function planAgain(
  id: string | undefined,
  options: Options & {readonly reason?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    await live.ask({
      about: 'wish',
      wish: {
        type: 'plan-again',
        run: run.id,
        ...(options.reason === undefined ? {} : {reason: options.reason}),
      },
    });
    cli.out(
      options.json === true ? formatJson({run: run.id}) : `${run.id} is being planned again\n`,
    );
    return 0;
  });
}

/** Opens the plan in the person's editor and checks the result. */
export async function planEdit(
  id: string | undefined,
  options: Options & {readonly file?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    const {stage} = run;
    if (stage.at !== 'reviewing')
      throw new UsageError(`${run.id} has no plan that waits for your approval; it is ${stage.at}`);
    const before = formatPlanFile(stage.proposal.plan);
    const text =
      options.file === undefined
        ? editText(before, `${run.id}-plan.yaml`, cli)
        : textIn(path.resolve(cli.cwd, options.file));
    if (text.trim() === '' || text === before) {
      cli.out('nothing was changed\n');
      return 0;
    }

    const {project} = live.state();
    const {value, problems} = parsePlanFile(
      text,
      getPlanContext(project, run.request, findAgentsOnPath(project, cli)),
    );
    if (problems.length > 0) cli.err(formatProblems(problems));
    if (value === undefined) {
      cli.err(
        'orchestra: the plan was not changed. Your text is saved: ' +
          `${options.file ?? saveText(text, run)}\n  To try again: orchestra plan edit ` +
          `${run.id} --file FILE\n`,
      );
      return 1;
    }

    await proposeEdit(live, run, value);
    cli.out(
      options.json === true
        ? formatJson({run: run.id, hash: planHash(value)})
        : `${run.id} has your plan. To approve it: orchestra plan approve ${run.id}\n`,
    );
    return 0;
  });
}

export async function proposeEdit(
  live: LiveState,
  {id}: Run,
  plan: Parameters<typeof planHash>[0],
): Promise<void> {
  await live.ask({about: 'wish', wish: {type: 'edit-plan', run: id, plan, hash: planHash(plan)}});
}

function textIn(file: string): string {
  const reading = readRegularFile(file, {maxBytes: 16 * 1024 * 1024, links: 'follow'});
  if (reading.at === 'refused') throw new UsageError(`${file} ${reading.message}`);
  return reading.bytes.toString('utf8');
}

/** Saves the person's text if it is invalid. */
function saveText(text: string, {id}: Run): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'orchestra-plan-')), `${id}-plan.yaml`);
  writeFileAtomic(file, text);
  return file;
}

async function answerPlan(
  id: string | undefined,
  options: Options,
  cli: CliContext,
  toCommand: (run: Run, proposal: Proposal) => UserCommand,
  text: string,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    if (run.stage.at !== 'reviewing')
      throw new UsageError(
        `${run.id} has no plan that waits for your approval; it is ${run.stage.at}`,
      );
    await live.ask({about: 'wish', wish: toCommand(run, run.stage.proposal)});
    cli.out(options.json === true ? formatJson({run: run.id}) : `${run.id} ${text}\n`);
    return 0;
  });
}
