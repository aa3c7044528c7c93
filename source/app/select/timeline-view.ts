import type {RunTimeline, Timeline, TimelineRow} from '../../reports/index.ts';

type AnyTimeline = Timeline & Partial<Pick<RunTimeline, 'rows'>>;

const noRows: readonly TimelineRow[] = [];
const rowsOfEntries = new WeakMap<AnyTimeline, readonly TimelineRow[]>();

/** The events as rows. Without a run, and from daemons before 0.3, they are sentences alone. */
export function selectTimelineRows(timeline: AnyTimeline | undefined): readonly TimelineRow[] {
  if (timeline === undefined) return noRows;
  if (timeline.rows !== undefined) return timeline.rows;
  const known = rowsOfEntries.get(timeline);
  if (known !== undefined) return known;
  const rows = timeline.entries.map(({at, type, words, session}): TimelineRow => ({
    at,
    type,
    ...(session !== null && {session}),
    sign: 'plain',
    words,
    detail: '',
    fact: '',
  }));
  rowsOfEntries.set(timeline, rows);
  return rows;
}
