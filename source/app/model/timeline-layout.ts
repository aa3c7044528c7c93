import {isRunId, selectRun, type State} from '../../domain/index.ts';
import type {TimelineRow} from '../../reports/index.ts';
import {selectTimelineRows} from '../select/timeline-view.ts';
import {noChange, type Result, withEffects, withNotice} from './action.ts';
import {showCard} from './accepted-run.ts';
import type {Model} from './model.ts';
import {selectRecording} from './select-terminals.ts';

/** What of the timeline fits: the chart above the events, or one of the two. */
export type TimelineLayout = 'both' | 'chart' | 'events';

export function selectTimelineLayout({
  size,
  timelinePart,
  answers,
}: Pick<Model, 'size' | 'timelinePart' | 'answers'>): TimelineLayout {
  if (answers.timeline?.chart === undefined || size.rows < 24) return 'events';
  return size.columns >= 100 ? 'both' : timelinePart;
}

/** Whether Tab has another part to go to. */
export function hasOtherPart(model: Pick<Model, 'size' | 'answers'>): boolean {
  return (
    selectTimelineLayout({...model, timelinePart: 'chart'}) !==
    selectTimelineLayout({...model, timelinePart: 'events'})
  );
}

/** The row under the cursor. */
export function selectTimelineRow({answers, places}: Model): TimelineRow | undefined {
  const rows = selectTimelineRows(answers.timeline);
  return rows[Math.min(rows.length - 1, Math.max(0, places.timeline.cursor))];
}

/** Plays the recording from the event under the cursor; the end of a run opens its card. */
export function openTimelineRow(model: Model, state: State, now: number): Result {
  if (selectTimelineLayout(model) === 'chart') return noChange({...model, timelinePart: 'events'});
  const row = selectTimelineRow(model);
  const card = model.answers.timeline?.card;
  if (row?.type === 'run-accepted' && card !== undefined) return showCard(model, card, state);
  const session = row === undefined ? undefined : selectRowRecording(model, state, row);
  if (row === undefined || session === undefined)
    return noChange(withNotice(model, 'No recording here. Events of a task have one.', now));
  return withEffects(model, {type: 'replay', session, at: row.at});
}

/** The session whose recording shows the event of a row. */
export function selectRowRecording(
  {run: id, answers}: Pick<Model, 'run' | 'answers'>,
  state: State,
  {at, type, number, session}: TimelineRow,
): ReturnType<typeof selectRecording> {
  if (type === 'all-merged') return undefined;
  const entry =
    answers.timeline?.rows === undefined
      ? answers.timeline?.entries.find((one) => one.at === at && one.type === type)
      : undefined;
  if (entry !== undefined) return selectRecording(state, entry);
  const run = id !== undefined && isRunId(id) ? selectRun(state, id) : undefined;
  const task = number === undefined ? undefined : run?.tasks[number - 1]?.id;
  return selectRecording(state, {
    at,
    type,
    words: '',
    run: run?.id ?? null,
    task: task ?? null,
    session: session ?? null,
  });
}
