import {
  type Choice,
  type Need,
  selectChoices,
  selectNeeds,
  type State,
} from '../../domain/index.ts';
import {formatNeed, subjectOfNeed} from '../explain/format-need.ts';
import {listOptions, type Way} from '../explain/list-options.ts';
import {createPaint, formatAge, type TextOptions} from '../terminal-text.ts';
import {wrapSentence, wrapWithTail} from '../../shared/index.ts';

/** Everything that waits for the person, oldest first, each with the commands that answer it. */
export type NeedsReport = {readonly at: number; readonly needs: readonly NeedLine[]};

export type NeedLine = {
  readonly id: string;
  readonly kind: string;
  readonly about: string;
  readonly words: string;
  readonly ageMs: number;
  readonly ways: readonly Way[];
  /** What a question offers, with the keys that choose it. */
  readonly question?: string;
  readonly options?: readonly Choice[];
};

export function buildNeedsReport(
  state: State,
  now: number,
  {run}: {readonly run?: string} = {},
): NeedsReport {
  const needs = selectNeeds(state).map((need): NeedLine => ({
    id: need.id,
    kind: need.kind,
    about: subjectOfNeed(need),
    words: formatNeed(need, state),
    ageMs: now - need.since,
    ways: listOptions(state, need),
    ...(need.kind === 'question' ? {question: need.question, ...offered(need)} : {}),
  }));
  return {
    at: now,
    needs:
      run === undefined
        ? needs
        : needs.filter(({about}) => about === run || about.startsWith(`${run}.`)),
  };
}

function offered(need: Need): {readonly options?: readonly Choice[]} {
  const options = selectChoices(need);
  return options.length === 0 ? {} : {options};
}

export function formatNeeds({needs}: NeedsReport, options: TextOptions): string {
  if (needs.length === 0) return 'Nothing needs you.\n';
  return `${needs.flatMap((need, index) => [...(index === 0 ? [] : ['']), ...needLines(need, options)]).join('\n')}\n`;
}

/**
 * The need in full, because the person must read all of it, and its commands uncut, because they
 * are copied.
 */
export function needLines(
  {words, ageMs, ways}: NeedLine,
  {width, color}: TextOptions,
  max = ways.length,
): string[] {
  const paint = createPaint(color);
  const shown = ways.slice(0, max);
  const column = Math.max(0, ...shown.map(({command}) => command.length));
  return [
    ...wrapWithTail(words, `(${formatAge(ageMs)})`, width - 2).map((line, index) =>
      paint(`${index === 0 ? '' : '  '}${line}`, 'needs'),
    ),
    ...shown.flatMap(({command, effect}) => {
      const space = width - 2 - column - 2;
      const isBeside = effect.length <= space;
      return isBeside
        ? [`  ${command.padEnd(column)}  ${paint(effect, 'quiet')}`]
        : [
            `  ${command}`,
            ...wrapSentence(effect, width - 6).map((line) => `      ${paint(line, 'quiet')}`),
          ];
    }),
  ];
}
