import type {TimelineEntry} from '../../reports/index.ts';
import {blank, ends, formatAgo, type Line, span, type Tone} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {selectRecording} from '../model/select-terminals.ts';
import type {Body, ScreenView} from './body.ts';

/** Events, the latest last. Entries of a session open its recording at that time. */
export function timelineBody({model, state, size: {columns}, now}: ScreenView): Body {
  const {timeline} = model.answers;
  const title = ends(
    [
      span(' Timeline', 'title'),
      span(model.run === undefined ? '' : `  of ${model.run}`),
      span(model.showsAllEvents ? '  everything' : '  what matters', 'quiet'),
    ],
    [
      span(
        timeline === undefined || timeline.earlier === 0
          ? ''
          : `${timeline.earlier} earlier are not shown `,
        'quiet',
      ),
    ],
    columns,
  );
  if (timeline === undefined)
    return {
      list: 'timeline',
      head: [title],
      rows: [[span('  Reading the journal …', 'quiet')]],
      foot: [],
      hasCursor: false,
    };
  if (timeline.entries.length === 0)
    return {
      list: 'timeline',
      head: [title],
      rows: [blank, [span('  Nothing has happened yet.', 'quiet')]],
      foot: [],
      hasCursor: false,
    };
  return {
    list: 'timeline',
    head: [title],
    rows: timeline.entries.map((entry) =>
      toRow(entry, selectRecording(state, entry), {model, now, columns}),
    ),
    foot: [],
    hasCursor: true,
  };
}

function toRow(
  {at, type, words}: TimelineEntry,
  session: string | undefined,
  {model, now, columns}: {readonly model: Model; readonly now: number; readonly columns: number},
): Line {
  const [mark, tone] = markOfEvent(type);
  const recording = model.isScreenReader ? `recording ${session ?? ''}` : `▸${session ?? ''}`;
  return ends(
    [
      span(`${formatAgo(now - at).padStart(11)} `, 'quiet'),
      span(`${mark} `, tone),
      span(words, tone),
    ],
    [span(session === undefined ? '' : ` ${recording} `, 'quiet')],
    columns,
  );
}

/** Classifies an event as good or bad by the last word of its type. */
function markOfEvent(type: string): readonly [string, Tone] {
  if (
    /(?:failed|stopped|refused|conflicted|lost|full|truncated|voided|interrupted|exhausted|parked|invalid|wrote|gave-up|uncertain|vanished|taken|went-down|backed-off|met)$/.test(
      type,
    ) &&
    type !== 'task-taken-over'
  )
    return ['!', 'bad'];
  if (/(?:approved|validated|merged|accepted|passed)$/.test(type)) return ['✓', 'good'];
  return type === 'session-waiting' ? ['?', 'needs'] : ['·', 'plain'];
}
