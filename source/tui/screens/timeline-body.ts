import type {TimelineEntry} from '../../documents/index.ts';
import {blank, ends, span, type Line, type Tone} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {recordingOf} from '../model/recording-of.ts';
import type {Body, ScreenView} from './body.ts';
import {agoOf} from './words.ts';

/** What happened, the latest last. Entries that belong to a session lead to that moment of its recording. */
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
      rowOf(entry, recordingOf(state, entry), {model, now, columns}),
    ),
    foot: [],
    hasCursor: true,
  };
}

function rowOf(
  {at, type, words}: TimelineEntry,
  session: string | undefined,
  {model, now, columns}: {readonly model: Model; readonly now: number; readonly columns: number},
): Line {
  const [mark, tone] = newsOf(type);
  return ends(
    [span(`${agoOf(now - at).padStart(11)} `, 'quiet'), span(`${mark} `, tone), span(words, tone)],
    [
      span(
        session === undefined ? '' : model.isReader ? ` recording ${session} ` : ` ▸${session} `,
        'quiet',
      ),
    ],
    columns,
  );
}

/** Whether it is good or bad news, by the last word of its name; the sentence beside it says the rest. */
function newsOf(type: string): readonly [string, Tone] {
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
