import {
  isTaskId,
  runIdIn,
  selectOpenRuns,
  selectRun,
  selectTask,
  type State,
} from '../../domain/index.ts';
import type {Brief, BriefItem, BriefMerged, BriefView, TaskTrack} from '../../reports/index.ts';
import {type InboxItem, selectNeedsInbox} from './needs-inbox.ts';
import {selectTaskRows, type TaskRow} from './task-rows.ts';

/** One thing of the brief. The cursor can be on each of them. */
export type BriefRow =
  | {readonly kind: 'need'; readonly need: InboxItem; readonly detail: string}
  | {
      readonly kind: 'failed';
      readonly at: number | undefined;
      readonly number: number | undefined;
      readonly title: string;
      readonly text: string;
    }
  | ({readonly kind: 'merged'} & BriefMerged)
  | {
      readonly kind: 'running';
      readonly task: string;
      readonly number: number;
      readonly title: string;
      readonly track: TaskTrack;
      readonly words: string;
      readonly elapsedMs: number | undefined;
    }
  | {readonly kind: 'service'; readonly name: string; readonly text: string}
  | {readonly kind: 'trouble' | 'before'; readonly at: number; readonly text: string};

/** Needs and running tasks are current, the rest is as of the request. */
export function selectBriefRows(
  state: State,
  brief: Brief & {readonly view?: BriefView},
  now: number,
): BriefRow[] {
  const {view} = brief;
  const details = new Map(view?.needs.map(({id, detail}) => [id, detail]));
  return [
    ...selectNeedsInbox(state, now).needs.map((need): BriefRow => ({
      kind: 'need',
      need,
      detail: details.get(need.id) ?? '',
    })),
    ...brief.failed.map((item) => toFailed(state, item, brief.at)),
    ...(view?.merged ?? []).map((task): BriefRow => ({kind: 'merged', ...task})),
    ...selectOpenRuns(state)
      .flatMap((run) => selectTaskRows(state, run, now))
      .filter(({sign}) => sign === 'works')
      .map(toRunning),
    ...brief.services.map(({about, words}): BriefRow => ({
      kind: 'service',
      name: about,
      text: words,
    })),
    ...(view?.trouble ?? []).map((item): BriefRow => ({kind: 'trouble', ...item})),
    ...(view?.before ?? []).map(({at, text, number}): BriefRow => ({
      kind: 'before',
      at,
      text: number === undefined ? text : `${text} (task ${number})`,
    })),
  ];
}

function toFailed(state: State, {about, words, ageMs}: BriefItem, at: number): BriefRow {
  const task = isTaskId(about) ? selectTask(state, about) : undefined;
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  const index = task === undefined ? undefined : run?.tasks.indexOf(task);
  return {
    kind: 'failed',
    at: ageMs === null ? undefined : at - ageMs,
    number: index === undefined ? undefined : index + 1,
    title: task?.planned.title ?? about,
    // The title stands beside it.
    text: words.startsWith(`${about} `) ? words.slice(about.length + 1) : words,
  };
}

function toRunning({id, number, title, track, words, elapsedMs}: TaskRow): BriefRow {
  return {kind: 'running', task: id, number, title, track, words, elapsedMs};
}
