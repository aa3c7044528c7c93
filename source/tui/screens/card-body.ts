import {isTaskId, runOf, taskOf, type State} from '../../domain/index.ts';
import {needsReport, statusOf} from '../../documents/index.ts';
import type {Deed} from '../model/deed.ts';
import type {HouseRow} from '../model/house-rows.ts';
import {keyFor} from '../model/key-for.ts';
import type {Context} from '../model/keymap.ts';
import {blank, button, span, type Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import type {ScreenView} from './body.ts';
import {agoOf, counted, heading, paragraph} from './words.ts';

/** What is chosen and has no terminal to show, told in words: a run that waits, a task that is to come or is over. */
export function cardLines(
  row: HouseRow | undefined,
  {model, state, now}: Pick<ScreenView, 'model' | 'state' | 'now'>,
  columns: number,
): Line[] {
  const {connection} = model;
  if (row === undefined && connection.at === 'connecting')
    return [blank, [span('  Looking for the daemon …', 'quiet')]];
  if (row === undefined && connection.at === 'lost')
    return [
      blank,
      [span('  Not connected', 'strong')],
      blank,
      ...paragraph(connection.words, columns - 4, {first: '  '}),
      blank,
      ...paragraph('It is tried again by itself. Sessions that run go on.', columns - 4, {
        first: '  ',
        tone: 'quiet',
      }),
    ];
  if (row === undefined)
    return [
      blank,
      [span('  Nothing runs here.', 'quiet')],
      blank,
      way(model, 'new-objective', 'says what should be different'),
      way(model, 'start-command', 'a shell, or a command of yours', 'workers'),
    ];
  const need = needsReport(state, now).needs.find(({about}) => about === row.key);
  return [
    blank,
    ...paragraph(
      row.title === ''
        ? row.name
        : row.kind === 'service'
          ? `${row.name}, ${row.title}`
          : row.title,
      columns - 4,
      {first: '  ', tone: 'strong'},
    ),
    ...paragraph(row.words, columns - 4, {first: `  ${row.mark} `, tone: row.tone}),
    ...refusalLines(row, state, columns),
    ...(need === undefined ? [] : [blank, way(model, 'next-need', 'it needs you')]),
    blank,
    ...(row.kind === 'run'
      ? runLines(row, {model, state, now}, columns)
      : row.kind === 'task'
        ? taskLines(row, state, columns, now)
        : serviceLines(row, {model, state})),
  ];
}

/** Done, and yet not where it belongs: why is said where it waits. */
function refusalLines({kind, key}: HouseRow, state: State, columns: number): Line[] {
  const stage = kind === 'run' ? runOf(state, key as `r${number}`)?.stage : undefined;
  if (stage?.at !== 'working' || stage.refusal === undefined) return [];
  return paragraph(`It could not be brought into your branch: ${stage.refusal.why}`, columns - 4, {
    first: '    ',
    tone: 'needs',
  }).slice(0, 8);
}

function runLines(
  {key}: HouseRow,
  {model, state, now}: Pick<ScreenView, 'model' | 'state' | 'now'>,
  columns: number,
): Line[] {
  const run = runOf(state, key as `r${number}`);
  const [status] = statusOf(state, now, {run: key}).runs;
  if (run === undefined || status === undefined) return [];
  return [
    fact('asked', agoOf(now - run.createdAt)),
    fact('agents', `${run.request.planner} plans, ${run.request.worker} works`),
    ...(run.request.skill === undefined ? [] : [fact('skill', run.request.skill)]),
    fact('tokens', counted(status.tokens)),
    ...(run.stage.at === 'queued' && state.queue.length > 1
      ? [
          blank,
          way(model, 'queue-earlier', 'earlier in the queue', 'workers'),
          way(model, 'queue-later', 'later', 'workers'),
        ]
      : []),
    ...('proposal' in run.stage
      ? [
          blank,
          way(model, 'screen-plan', 'its plan'),
          way(model, 'screen-review', 'what it changed so far'),
        ]
      : []),
    way(model, 'screen-timeline', 'what happened'),
    blank,
    ...status.tasks.flatMap(({task, title, words}) =>
      paragraph(`${title}: ${words}`, columns - 6, {
        first: `  ${task.slice(key.length + 1)}  `,
        tone: 'quiet',
      }),
    ),
  ];
}

function taskLines({key}: HouseRow, state: State, columns: number, now: number): Line[] {
  const task = isTaskId(key) ? taskOf(state, key) : undefined;
  const status = statusOf(state, now, {run: key.split('.', 1)[0] ?? ''}).runs[0]?.tasks.find(
    (one) => one.task === key,
  );
  if (task === undefined) return [];
  const {brief, files, after, services} = task.planned;
  return [
    heading('  What it is to do'),
    ...paragraph(brief, columns - 6, {first: '    '}),
    blank,
    fact('files', files.join(', ')),
    ...(after.length === 0 ? [] : [fact('after', after.join(', '))]),
    ...(services.length === 0 ? [] : [fact('services', services.join(', '))]),
    fact('attempts', `${task.attempts.length} of ${task.allowed}`),
    ...(status === undefined || status.checks.length === 0
      ? []
      : [
          fact(
            'checks',
            status.checks
              .map(
                ({name, outcome}) =>
                  `${outcome === 'passed' ? '✓ ' : outcome === 'to-come' || outcome === 'ignored' ? '' : '! '}${name} ${outcome.replaceAll('-', ' ')}`,
              )
              .join(', '),
          ),
        ]),
    ...(status === undefined || status.tokens === 0
      ? []
      : [fact('tokens', counted(status.tokens))]),
  ];
}

function serviceLines(
  {name}: HouseRow,
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
): Line[] {
  const service = state.services.find(({spec}) => spec.name === name);
  return service === undefined
    ? []
    : [
        fact('command', service.spec.command),
        blank,
        way(model, 'screen-services', 'start, stop and look at services'),
      ];
}

/** A key that leads on from here. */
function way(model: Model, does: Deed, words: string, context: Context = 'command'): Line {
  return button(does, span(`  ${keyFor(model, does, context)}  `, 'accent'), span(words));
}

function fact(name: string, words: string): Line {
  return [span(`  ${name.padEnd(10)}`, 'quiet'), span(words)];
}
