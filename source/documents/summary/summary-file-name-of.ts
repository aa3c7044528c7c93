import type {RunId, TaskId} from '../../domain/index.ts';

/** `2026-10-20-r1-t2.md`, and `2026-10-20-r1.md` for the run as a whole. */
export function summaryFileNameOf({
  date,
  run,
  task,
}: {
  readonly date: string;
  readonly run: RunId;
  readonly task?: TaskId;
}): string {
  return `${[date, run, ...(task === undefined ? [] : [task.slice(run.length + 1)])].join('-')}.md`;
}
