import {cutLine} from '../../shared/index.ts';
import type {Recalled} from '../../knowledge/index.ts';
import {blank, ends, type Line, paragraph, plural, safeLine, span} from '../model/line.ts';
import {keyFor} from '../keymap/key-for.ts';
import {inSight} from '../model/places.ts';
import type {Body, ScreenView} from './body.ts';

/**
 * Search results in the summaries of earlier work. The selected one is shown beside the list, or
 * below it in a narrow window.
 */
export function knowledgeBody({model, size: {columns, rows}}: ScreenView): Body {
  const {recall} = model.answers;
  const title = (right: string): Line =>
    ends(
      [
        span(' What was learnt', 'title'),
        span(recall === undefined || recall.of === '' ? '' : `  about "${recall.of}"`),
      ],
      [span(`${right} `, 'quiet')],
      columns,
    );
  if (recall === undefined)
    return {
      list: 'knowledge',
      head: [title('')],
      rows: [
        blank,
        ...paragraph(
          `Press ${keyFor(model, 'search')} and write a few words, or the name of a file. Summaries of earlier tasks are searched; they live in .orchestra/knowledge.`,
          columns - 4,
          {first: '  '},
        ),
      ],
      foot: [],
      hasCursor: false,
    };
  if ('rejected' in recall)
    return {
      list: 'knowledge',
      head: [title('')],
      rows: [blank, [span(`  ${recall.rejected}`, 'bad')]],
      foot: [],
      hasCursor: false,
    };
  const found = recall.value;
  if (found.length === 0)
    return {
      list: 'knowledge',
      head: [title('')],
      rows: [
        blank,
        [
          span(
            `  Nothing was found. Other words may help: ${keyFor(model, 'search')} searches again.`,
            'quiet',
          ),
        ],
      ],
      foot: [],
      hasCursor: false,
    };
  const chosen = found[inSight(model.places.knowledge, found.length, 1).cursor];
  if (model.reviewFocus === 'diff' && chosen !== undefined)
    return {
      list: 'reading',
      head: [title(`${keyFor(model, 'back', 'command')} leads back`)],
      rows: textLines(chosen, Math.min(columns, 110)),
      foot: [],
      hasCursor: false,
    };
  const isWide = columns >= 110;
  const side = Math.floor(columns * 0.6);
  const text = chosen === undefined ? [] : textLines(chosen, isWide ? side : columns);
  const list = found.map((one) => toRow(one, isWide ? columns - side - 1 : columns));
  const below = Math.max(4, rows - 2 - Math.min(found.length, Math.floor(rows / 3)));
  return {
    list: 'knowledge',
    head: [title(plural(found.length, 'summary', 'summaries'))],
    rows: list,
    hasCursor: true,
    foot: isWide ? [] : [[span('─'.repeat(columns), 'quiet')], ...text.slice(0, below - 1)],
    ...(isWide ? {beside: {on: 'right' as const, columns: side, rows: text}} : {}),
  };
}

function toRow({title, date, outcome}: Recalled, columns: number): Line {
  return ends(
    [
      span(` ${outcome === 'merged' ? '✓' : '·'} `, outcome === 'merged' ? 'good' : 'quiet'),
      span(cutLine(safeLine(title), columns - 18)),
    ],
    [span(` ${date ?? ''} `, 'quiet')],
    columns,
  );
}

function textLines({path, text}: Recalled, columns: number): Line[] {
  return [
    [span(` ${path}`, 'quiet')],
    blank,
    ...text.split('\n').flatMap((one): Line[] => {
      if (one.startsWith('#')) return [[span(` ${one.replace(/^#+ */, '')}`, 'title')]];
      return one.trim() === '' ? [blank] : paragraph(one, columns - 2, {first: ' '});
    }),
  ];
}
