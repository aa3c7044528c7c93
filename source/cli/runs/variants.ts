import {type Run, runIdIn, selectVariants, type Task} from '../../domain/index.ts';
import {buildVariantGroup, buildVariants, formatJson, formatVariants} from '../../reports/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {UsageError} from '../repo-paths.ts';
import {withLive} from '../with-daemon.ts';
import {findRun, findTask} from './find-subject.ts';

type Json = {readonly json?: boolean};

/** Shows the variants of a task, or of all tasks of a run, side by side. */
export async function variants(
  what: string | undefined,
  {json}: Json,
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, (live) => {
    const state = live.state();
    const task = what?.includes('.') === true ? findTask(state, what) : undefined;
    const run = findRun(state, task === undefined ? what : runIdIn(task.id));
    const groups =
      task === undefined
        ? buildVariants(state, run, Date.now())
        : [buildVariantGroup(state, run, requireVariants(run, task), Date.now())];
    if (json === true) cli.out(formatJson({run: run.id, groups}));
    else if (groups.length === 0)
      cli.out(
        `${run.id} has no task with variants. While its plan waits: orchestra plan set ${run.id}.t1 --tries 3\n`,
      );
    else cli.out(formatVariants(groups, cli.columns));
    return Promise.resolve(0 as const);
  });
}

function requireVariants(run: Run, task: Task): Task {
  if (selectVariants(run, task).length > 1) return task;
  throw new UsageError(`${task.id} has no variants; see all: orchestra variants ${run.id}`);
}

/** Merges one variant of a task, as it is, and discards the others; their work is kept in refs. */
export async function pick(
  id: string,
  {commit, json}: Json & {readonly commit?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const task = findTask(live.state(), id);
    const {stage} = task;
    const now = stage.at === 'validated' ? stage.commit : '';
    if (commit !== undefined && (commit.length < 7 || !now.startsWith(commit)))
      throw new UsageError(
        `${task.id} is at ${now === '' ? 'no commit' : now.slice(0, 12)}, not at ${commit}. Look at it again: ` +
          `orchestra diff ${task.id}`,
      );
    await live.ask({about: 'wish', wish: {type: 'pick-variant', task: task.id, commit: now}});
    cli.out(
      json === true
        ? formatJson({task: task.id, commit: now})
        : `${task.id} is picked and merged next; the others are kept in refs: orchestra gc --dry-run\n`,
    );
    return 0;
  });
}
