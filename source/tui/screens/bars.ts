import {displayWidth} from '../../base/index.ts';
import {journalInWords, statusOf} from '../../documents/index.ts';
import {needsOf} from '../../domain/index.ts';
import {calledFor} from '../model/called-for.ts';
import {commentUnderCursor} from '../model/comment-line.ts';
import {bindingsOf} from '../model/contexts-of.ts';
import type {Deed} from '../model/deed.ts';
import {keyFor} from '../model/key-for.ts';
import {button, ends, fitLine, pressable, span, type Line, type Span} from '../model/line.ts';
import type {OpenField} from '../model/model.ts';
import {answersTo} from '../model/needs-queue.ts';
import {windowOf} from '../model/text-field.ts';
import type {ScreenView} from './body.ts';
import {keysInWords} from './help-body.ts';
import {needInBrief} from './need-in-brief.ts';
import {plural} from './words.ts';

/** The first line: what needs the person, else how things stand. The same place on every screen. */
export function headerLine({model, state, size: {columns}, now}: ScreenView): Line {
  const {connection, repository} = model;
  if (connection.at === 'connecting')
    return fitLine([span(` ${repository.name}  looking for the daemon …`, 'bar')], columns, 'bar');
  // Without a repository there is nothing to be connected to, and the screen says so.
  if (connection.at === 'lost' && repository.trouble !== 'no-git')
    return fitLine([span(lostWords(connection.words, columns), 'bar-needs')], columns, 'bar-needs');
  const needs = needsOf(state);
  const [first] = needs;
  const journal = model.journal ?? {mode: 'writing'};
  const inTheWay = journalInWords(journal);
  if (inTheWay !== undefined) {
    const more =
      first === undefined ? '' : ` ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you `;
    // What to do stands at the end.
    const words =
      displayWidth(inTheWay) + 3 + more.length <= columns
        ? inTheWay
        : journalInWords(journal, true);
    return ends(
      [span(` ! ${words ?? ''}`, 'bar-needs')],
      [span(more, 'bar-needs')],
      columns,
      'bar-needs',
    );
  }

  if (first === undefined) {
    const {runs, over} = statusOf(state, now);
    const words =
      runs.length === 0
        ? over === 0
          ? ''
          : `${plural(over, 'run is', 'runs are')} over`
        : runs.map(({run, words: said}) => `${run} ${said}`).join('; ');
    return ends(
      [span(` ${repository.name}`, 'bar'), span('  nothing needs you', 'bar')],
      [span(` ${words} `, 'bar')],
      columns,
      'bar',
    );
  }

  const right =
    model.screen === 'needs' ? '' : ` ${keyFor(model, 'next-need', 'command')} shows it `;
  const left = ` ! ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you  `;
  return button(
    'next-need',
    ...ends(
      [
        span(left, 'bar-needs'),
        span(needInBrief(first, state, columns - left.length - displayWidth(right)), 'bar-needs'),
      ],
      [span(right, 'bar-needs')],
      columns,
      'bar-needs',
    ),
  );
}

/** Of a long reason more is seen than of what is usual. */
function lostWords(reason: string, columns: number): string {
  const whole = ` Not connected; it is tried again, and sessions go on: ${reason}`;
  return whole.length <= columns ? whole : ` Not connected, sessions go on: ${reason}`;
}

/** The last line: a line that is being written, something to say, or the keys that work now. */
export function statusLine({model, state, size: {columns}, now}: ScreenView): Line {
  const {field, notice} = model;
  const keys = keySpans(
    model.field?.for.what === 'objective' || model.mode !== 'command'
      ? {...model, notice: undefined}
      : model,
    state,
  );
  if (field !== undefined && field.for.what !== 'objective' && field.for.what !== 'palette') {
    const label = ` ${field.label}: `;
    const [sends, leaves] = [
      keyFor(model, 'submit', 'field'),
      keyFor(model, 'leave-field', 'field'),
    ];
    const done = submitInWords(field, model, state);
    const {before, at, after} = windowOf(
      field,
      columns - label.length - 15 - done.length - sends.length - leaves.length,
    );
    return ends(
      [span(label, 'needs'), span(before), span(at, 'caret'), span(after)],
      [
        ...button('submit', span(sends, 'accent'), span(` ${done}`, 'quiet')),
        span('  '),
        ...button('leave-field', span(leaves, 'accent'), span(' gives up ', 'quiet')),
      ],
      columns,
    );
  }

  if (notice !== undefined && now - notice.at < noticeMs)
    return fitLine(
      [span(` ${notice.words}`, notice.tone === 'plain' ? 'strong' : notice.tone)],
      columns,
    );
  return keysThatFit(keys, columns);
}

/** A comment stays here until all are sent; one that was there and has no words left is taken back. */
function submitInWords(
  field: OpenField,
  model: ScreenView['model'],
  state: ScreenView['state'],
): string {
  if (field.for.what !== 'comment-plan' && field.for.what !== 'comment-diff') return 'sends';
  return field.text.trim() === '' && commentUnderCursor(model, state) !== undefined
    ? 'takes it back'
    : 'keeps';
}

/** How long something that was said stands there. */
export const noticeMs = 6000;

function keySpans(model: ScreenView['model'], state: ScreenView['state']): (readonly Span[])[] {
  const all = bindingsOf(model, state).map((binding) => ({
    binding,
    call: calledFor(model, binding, state),
  }));
  const called = all
    .filter(({call}) => call === 'yes')
    .toSorted(
      (one, other) =>
        insteadOrder.indexOf(one.binding.does) - insteadOrder.indexOf(other.binding.does),
    );
  const shown = [
    ...called,
    ...all.filter(({call, binding: {isQuiet}}) => call === 'usual' && isQuiet !== true),
  ];
  const hasComment = commentUnderCursor(model, state) !== undefined;
  return shown
    .map(({binding}) => binding)
    .filter(({keys}) => keys.length > 0)
    .map(({keys, words, short = words, does}) =>
      pressable(
        {does, chord: keys[0] ?? ''},
        span(
          keysInWords(
            does === 'option'
              ? keys.slice(0, optionsIn(model))
              : amongFiles(model, does) === 'read it'
                ? keys.slice(-1)
                : keys.slice(0, 1),
          ),
          'accent',
        ),
        span(
          ` ${amongFiles(model, does) ?? (hasComment && does === 'comment-line' ? 'edit comment' : short)}`,
          'quiet',
        ),
      ),
    );
}

/** What stands in for typing comes after whatever else is called for, and what ends something last. */
const insteadOrder: readonly Deed[] = ['note', 'take-over', 'start-command', 'stop'];

/** Where the cursor is among the files of a review, these keys lead to the diff. */
function amongFiles({screen, side}: ScreenView['model'], does: string): string | undefined {
  if (screen !== 'review' || side !== 'files') return undefined;
  return does === 'other-side' ? 'diff' : does === 'comment-line' ? 'read it' : undefined;
}

/** Only the numbers that mean something. */
function optionsIn({need}: ScreenView['model']): number {
  return need?.kind === 'question' ? answersTo(need).length : 0;
}

/** As many as fit, whole; help shows the rest and is always there. */
function keysThatFit(keys: readonly (readonly Span[])[], columns: number): Line {
  const help = keys.find(([key]) => key?.press?.does === 'help');
  const rest = keys.filter((one) => one !== help);
  const room = columns - 1 - (help === undefined ? 0 : widthOf(help) + 2);
  const shown: Span[] = [span(' ')];
  let used = 1;
  for (const one of rest.filter(([key]) => key?.text !== '')) {
    if (used + widthOf(one) + 2 > room) continue;
    shown.push(...one, span('  '));
    used += widthOf(one) + 2;
  }

  return fitLine([...shown, ...(help ?? [])], columns);
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, {text}) => sum + text.length, 0);
}
