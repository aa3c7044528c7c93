import {isTaskId, runOf, taskOf, type State} from '../../domain/index.ts';
import {needsReport, statusOf} from '../../documents/index.ts';
import type {HouseRow} from '../model/house-rows.ts';
import {blank, button, span, type Line} from '../model/line.ts';
import {agoOf, counted, heading, paragraph} from './words.ts';

/** What is chosen and has no terminal to show, told in words: a run that waits, a task that is to come or is over. */
export function cardLines(row: HouseRow | undefined, state: State, columns: number, now: number): Line[] {
  if (row === undefined) return [blank, [span('  Nothing runs here.', 'quiet')], blank, button('o', span('  o  ', 'accent'), span('says what should be different'))];
  const need = needsReport(state, now).needs.find(({about}) => about === row.key);
  return [
    blank,
    ...paragraph(row.title === '' ? row.name : row.title, columns - 4, {first: '  ', tone: 'strong'}),
    ...paragraph(row.words, columns - 4, {first: `  ${row.mark} `, tone: row.tone}),
    ...(need === undefined ? [] : [blank, button('n', span('  n  ', 'accent'), span('it needs you'))]),
    blank,
    ...(row.kind === 'run' ? runLines(row, state, columns, now) : row.kind === 'task' ? taskLines(row, state, columns, now) : serviceLines(row, state)),
  ];
}

function runLines({key}: HouseRow, state: State, columns: number, now: number): Line[] {
  const run = runOf(state, key as `r${number}`);
  const [status] = statusOf(state, now, {run: key}).runs;
  if (run === undefined || status === undefined) return [];
  return [
    fact('asked', agoOf(now - run.createdAt)),
    fact('agents', `${run.request.planner} plans, ${run.request.worker} works`),
    fact('tokens', counted(status.tokens)),
    ...('proposal' in run.stage ? [blank, button('p', span('  p  ', 'accent'), span('its plan')), button('r', span('  r  ', 'accent'), span('what it changed so far'))] : []),
    button('t', span('  t  ', 'accent'), span('what happened')),
    blank,
    ...status.tasks.flatMap(({task, title, words}) => paragraph(`${title}: ${words}`, columns - 6, {first: `  ${task.slice(key.length + 1)}  `, tone: 'quiet'})),
  ];
}

function taskLines({key}: HouseRow, state: State, columns: number, now: number): Line[] {
  const task = isTaskId(key) ? taskOf(state, key) : undefined;
  const status = statusOf(state, now, {run: key.split('.', 1)[0] ?? ''}).runs[0]?.tasks.find((one) => one.task === key);
  if (task === undefined) return [];
  const {brief, files, after, services} = task.planned;
  return [
    heading('  What it is to do'), ...paragraph(brief, columns - 6, {first: '    '}), blank,
    fact('files', files.join(', ')),
    ...(after.length === 0 ? [] : [fact('after', after.join(', '))]),
    ...(services.length === 0 ? [] : [fact('services', services.join(', '))]),
    fact('attempts', `${task.attempts.length} of ${task.allowed}`),
    ...(status === undefined || status.checks.length === 0 ? [] : [fact('checks', status.checks.map(({name, outcome}) => `${outcome === 'passed' ? '✓ ' : outcome === 'to-come' ? '' : '! '}${name} ${outcome.replaceAll('-', ' ')}`).join(', '))]),
    ...(status === undefined || status.tokens === 0 ? [] : [fact('tokens', counted(status.tokens))]),
  ];
}

function serviceLines({name}: HouseRow, state: State): Line[] {
  const service = state.services.find(({spec}) => spec.name === name);
  return service === undefined ? [] : [fact('command', service.spec.command), blank, button('s', span('  s  ', 'accent'), span('start, stop and look at services'))];
}

function fact(name: string, words: string): Line {
  return [span(`  ${name.padEnd(10)}`, 'quiet'), span(words)];
}
