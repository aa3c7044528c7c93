import {needsReport, statusOf} from '../../documents/index.ts';
import {chordInWords} from '../model/chord.ts';
import {calledFor} from '../model/called-for.ts';
import {bindingsOf} from '../model/contexts-of.ts';
import {button, ends, fitLine, span, type Line, type Span} from '../model/line.ts';
import {answersTo} from '../model/needs-queue.ts';
import {windowOf} from '../model/text-field.ts';
import type {ScreenView} from './body.ts';
import {keysInWords} from './help-body.ts';
import {inTaskWords} from './in-task-words.ts';
import {plural} from './words.ts';

/** The first line: what needs the person, else how things stand. The same place on every screen. */
export function headerLine({model, state, size: {columns}, now}: ScreenView): Line {
  const {connection, repository} = model;
  if (connection.at === 'connecting') return fitLine([span(` ${repository.name}  looking for the daemon …`, 'bar')], columns, 'bar');
  // Without a repository there is nothing to be connected to, and the screen says so.
  if (connection.at === 'lost' && repository.trouble !== 'no-git') return fitLine([span(` Not connected: ${connection.words}. Sessions go on; it is tried again.`, 'bar-needs')], columns, 'bar-needs');
  const {needs} = needsReport(state, now);
  const [first] = needs;
  if (first === undefined) {
    const {runs, over} = statusOf(state, now);
    const words = runs.length === 0 ? (over === 0 ? '' : `${plural(over, 'run is', 'runs are')} over`) : runs.map(({run, words: said}) => `${run} ${said}`).join('; ');
    return ends([span(` ${repository.name}`, 'bar'), span('  nothing needs you', 'bar')], [span(` ${words} `, 'bar')], columns, 'bar');
  }

  const right = model.screen === 'needs' ? '' : ` ${chordInWords('n')} shows it `;
  return button('n', ...ends([span(` ! ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you  `, 'bar-needs'), span(inTaskWords(first.words, state), 'bar-needs')], [span(right, 'bar-needs')], columns, 'bar-needs'));
}

/** The last line: a line that is being written, something to say, or the keys that work now. */
export function statusLine({model, state, size: {columns}, now}: ScreenView): Line {
  const {field, notice} = model;
  const keys = keySpans(model.field?.for.what === 'objective' || model.mode !== 'command' ? {...model, notice: undefined} : model, state);
  if (field !== undefined && field.for.what !== 'objective' && field.for.what !== 'palette') {
    const label = ` ${field.label}: `;
    const {before, at, after} = windowOf(field, columns - label.length - 28);
    return ends([span(label, 'needs'), span(before), span(at, 'caret'), span(after)], [...button('enter', span('Enter', 'accent'), span(' sends', 'quiet')), span('  '), ...button('escape', span('Esc', 'accent'), span(' gives up ', 'quiet'))], columns);
  }

  if (notice !== undefined && now - notice.at < noticeMs) return fitLine([span(` ${notice.words}`, notice.tone === 'plain' ? 'strong' : notice.tone)], columns);
  return keysThatFit(keys, columns);
}

/** How long something that was said stands there. */
export const noticeMs = 6000;

function keySpans(model: ScreenView['model'], state: ScreenView['state']): (readonly Span[])[] {
  const all = bindingsOf(model, state).map((binding) => ({binding, call: calledFor(model, binding, state)}));
  const shown = [...all.filter(({call}) => call === 'yes'), ...all.filter(({call, binding: {isQuiet}}) => call === 'usual' && isQuiet !== true)];
  return shown.map(({binding}) => binding).map(({keys, words, short = words, does}) => button(keys[0] ?? '', span(keysInWords(does === 'option' ? keys.slice(0, optionsIn(model)) : keys.slice(0, 1)), 'accent'), span(` ${short}`, 'quiet')));
}

/** Only the numbers that mean something. */
function optionsIn({need}: ScreenView['model']): number {
  return need?.kind === 'question' ? answersTo(need).length : 0;
}

/** As many as fit, whole; `?` shows the rest and is always there. */
function keysThatFit(keys: readonly (readonly Span[])[], columns: number): Line {
  const help = keys.find(([key]) => key?.text === '?');
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
