import {displayWidth} from '../../shared/index.ts';
import {buildStatus, formatJournal} from '../../reports/index.ts';
import {selectNeeds} from '../../domain/index.ts';
import {hintPriority} from '../keymap/hint-priority.ts';
import {commentUnderCursor} from '../model/comment-line.ts';
import {selectBindings} from '../keymap/resolve.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import {
  button,
  ends,
  fitLine,
  type Line,
  plural,
  pressable,
  span,
  type Span,
} from '../model/line.ts';
import type {OpenField} from '../model/model.ts';
import {selectAnswerOptions} from '../model/needs-queue.ts';
import {visibleText} from '../model/text-field.ts';
import type {ScreenView} from './body.ts';
import {formatKeys} from './help-body.ts';
import {formatNeedInBrief} from './need-in-brief.ts';

/** The first line of every screen: what needs the person, else the status of runs. */
export function headerLine({model, state, size: {columns}, now}: ScreenView): Line {
  const {connection, repository} = model;
  if (connection.at === 'connecting')
    return fitLine([span(` ${repository.name}  looking for the daemon …`, 'bar')], columns, 'bar');
  // Without a repository there is no daemon, and the start screen says so.
  if (connection.at === 'lost' && repository.trouble !== 'no-git')
    return fitLine(
      [span(formatDisconnected(connection.text, columns), 'bar-needs')],
      columns,
      'bar-needs',
    );
  const needs = selectNeeds(state);
  const [first] = needs;
  const journal = model.journal ?? {mode: 'writing'};
  const inTheWay = formatJournal(journal);
  if (inTheWay !== undefined) {
    const more =
      first === undefined ? '' : ` ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you `;
    // The end of the text says what to do, so it must not be cut.
    const text =
      displayWidth(inTheWay) + 3 + more.length <= columns ? inTheWay : formatJournal(journal, true);
    return ends(
      [span(` ! ${text ?? ''}`, 'bar-needs')],
      [span(more, 'bar-needs')],
      columns,
      'bar-needs',
    );
  }

  if (first === undefined) {
    const {runs, over} = buildStatus(state, now);
    const finished = over === 0 ? '' : `${plural(over, 'run is', 'runs are')} over`;
    const open = runs.map(({run, words}) => `${run} ${words}`).join('; ');
    return ends(
      [span(` ${repository.name}`, 'bar'), span('  nothing needs you', 'bar')],
      [span(` ${runs.length === 0 ? finished : open} `, 'bar')],
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
        span(
          formatNeedInBrief(first, state, columns - left.length - displayWidth(right)),
          'bar-needs',
        ),
      ],
      [span(right, 'bar-needs')],
      columns,
      'bar-needs',
    ),
  );
}

/** A long reason gets the space of the fixed text. */
function formatDisconnected(reason: string, columns: number): string {
  const whole = ` Not connected; it is tried again, and sessions go on: ${reason}`;
  return whole.length <= columns ? whole : ` Not connected, sessions go on: ${reason}`;
}

/** The last line: an open text field, a notice, or the keys that work now. */
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
    const done = formatSubmit(field, model, state);
    const {before, at, after} = visibleText(
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
      [span(` ${notice.text}`, notice.tone === 'plain' ? 'strong' : notice.tone)],
      columns,
    );
  return keysThatFit(keys, columns);
}

/** A comment is saved and sent later; an existing one with empty text is removed. */
function formatSubmit(
  field: OpenField,
  model: ScreenView['model'],
  state: ScreenView['state'],
): string {
  if (field.for.what !== 'comment-plan' && field.for.what !== 'comment-diff') return 'sends';
  return field.text.trim() === '' && commentUnderCursor(model, state) !== undefined
    ? 'takes it back'
    : 'keeps';
}

/** How long a notice is shown. */
export const noticeMs = 6000;

function keySpans(model: ScreenView['model'], state: ScreenView['state']): (readonly Span[])[] {
  const all = selectBindings(model, state).map((binding) => ({
    binding,
    priority: hintPriority(model, binding, state),
  }));
  const promoted = all
    .filter(({priority}) => priority === 'show')
    .toSorted(
      (one, other) =>
        insteadOrder.indexOf(one.binding.action) - insteadOrder.indexOf(other.binding.action),
    );
  const shown = [
    ...promoted,
    ...all.filter(({priority, binding: {isQuiet}}) => priority === 'default' && isQuiet !== true),
  ];
  const hasComment = commentUnderCursor(model, state) !== undefined;
  return shown
    .map(({binding}) => binding)
    .filter(({keys}) => keys.length > 0)
    .map(({keys, text, short = text, action}) =>
      pressable(
        {action, chord: keys[0] ?? ''},
        span(formatKeys(hintKeys(model, action, keys)), 'accent'),
        span(
          ` ${amongFiles(model, action) ?? (hasComment && action === 'comment-line' ? 'edit comment' : short)}`,
          'quiet',
        ),
      ),
    );
}

/**
 * Usually the first key; all digits that have an option; in the files of a review Enter reads,
 * which is the last key.
 */
function hintKeys(
  model: ScreenView['model'],
  action: ActionName,
  keys: readonly string[],
): readonly string[] {
  if (action === 'option') return keys.slice(0, optionsIn(model));
  return amongFiles(model, action) === 'read it' ? keys.slice(-1) : keys.slice(0, 1);
}

/** Alternatives to typing come after other promoted keys, and stopping comes last. */
const insteadOrder: readonly ActionName[] = ['note', 'take-over', 'start-command', 'stop'];

/** Labels of keys that lead from the files of a review to the diff. */
function amongFiles(
  {screen, reviewFocus}: ScreenView['model'],
  action: string,
): string | undefined {
  if (screen !== 'review' || reviewFocus !== 'files') return undefined;
  if (action === 'other-side') return 'diff';
  return action === 'comment-line' ? 'read it' : undefined;
}

/** How many options have a digit. */
function optionsIn({need}: ScreenView['model']): number {
  return need?.kind === 'question' ? selectAnswerOptions(need).length : 0;
}

/** As many whole hints as fit. Help is always shown, because it lists the rest. */
function keysThatFit(keys: readonly (readonly Span[])[], columns: number): Line {
  const help = keys.find(([key]) => key?.press?.action === 'help');
  const rest = keys.filter((one) => one !== help);
  const space = columns - 1 - (help === undefined ? 0 : measureWidth(help) + 2);
  const shown: Span[] = [span(' ')];
  let used = 1;
  for (const one of rest.filter(([key]) => key?.text !== '')) {
    if (used + measureWidth(one) + 2 > space) continue;
    shown.push(...one, span('  '));
    used += measureWidth(one) + 2;
  }

  return fitLine([...shown, ...(help ?? [])], columns);
}

function measureWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, {text}) => sum + text.length, 0);
}
