import {ageOf} from '../sessions/columns.ts';
import type {TextOptions} from './format-status.ts';
import {createPaint} from './paint.ts';
import type {NeedLine, NeedsReport} from './needs-report.ts';
import {wrapSentence, wrapWithTail} from './wrap-text.ts';

export function formatNeeds({needs}: NeedsReport, options: TextOptions): string {
  if (needs.length === 0) return 'Nothing needs you.\n';
  return `${needs.flatMap((need, index) => [...(index === 0 ? [] : ['']), ...needLines(need, options)]).join('\n')}\n`;
}

/** The need in full, because an answer is given to what was read, and its commands whole, because they are copied. */
export function needLines(
  {words, ageMs, ways}: NeedLine,
  {width, color}: TextOptions,
  most = ways.length,
): string[] {
  const paint = createPaint(color);
  const shown = ways.slice(0, most);
  const column = Math.max(0, ...shown.map(({command}) => command.length));
  return [
    ...wrapWithTail(words, `(${ageOf(ageMs)})`, width - 2).map((line, index) =>
      paint(`${index === 0 ? '' : '  '}${line}`, 'needs'),
    ),
    ...shown.flatMap(({command, effect}) => {
      const room = width - 2 - column - 2;
      const isBeside = effect.length <= room;
      return isBeside
        ? [`  ${command.padEnd(column)}  ${paint(effect, 'quiet')}`]
        : [
            `  ${command}`,
            ...wrapSentence(effect, width - 6).map((line) => `      ${paint(line, 'quiet')}`),
          ];
    }),
  ];
}
