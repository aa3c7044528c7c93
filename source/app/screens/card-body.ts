import {isTaskId, selectRun, selectTask, type State} from '../../domain/index.ts';
import {buildNeedsReport, buildStatus} from '../../reports/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import type {SidebarRow} from '../model/sidebar-rows.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Context} from '../keymap/binding.ts';
import {
  blank,
  button,
  formatAgo,
  formatCount,
  heading,
  type Line,
  paragraph,
  span,
} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import type {ScreenView} from './body.ts';

/**
 * Describes a selected row without a terminal: a waiting run, a task before it starts or after it
 * ended, a service.
 */
export function cardLines(
  row: SidebarRow | undefined,
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
      ...paragraph(connection.text, columns - 4, {first: '  '}),
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
  const need = buildNeedsReport(state, now).needs.find(({about}) => about === row.key);
  return [
    blank,
    ...paragraph(formatCardTitle(row), columns - 4, {first: '  ', tone: 'strong'}),
    ...paragraph(row.text, columns - 4, {first: `  ${row.mark} `, tone: row.tone}),
    ...refusalLines(row, state, columns),
    ...(need === undefined ? [] : [blank, way(model, 'next-need', 'it needs you')]),
    blank,
    ...detailLines(row, {model, state, now}, columns),
  ];
}

function formatCardTitle({kind, name, title}: SidebarRow): string {
  if (title === '') return name;
  return kind === 'service' ? `${name}, ${title}` : title;
}

function detailLines(
  row: SidebarRow,
  view: Pick<ScreenView, 'model' | 'state' | 'now'>,
  columns: number,
): Line[] {
  if (row.kind === 'run') return runLines(row, view, columns);
  return row.kind === 'task'
    ? taskLines(row, view.state, columns, view.now)
    : serviceLines(row, view);
}

/** Why a finished run could not be accepted. */
function refusalLines({kind, key}: SidebarRow, state: State, columns: number): Line[] {
  const stage = kind === 'run' ? selectRun(state, key as `r${number}`)?.stage : undefined;
  if (stage?.at !== 'working' || stage.refusal === undefined) return [];
  return paragraph(`It could not be brought into your branch: ${stage.refusal.why}`, columns - 4, {
    first: '    ',
    tone: 'needs',
  }).slice(0, 8);
}

function runLines(
  {key}: SidebarRow,
  {model, state, now}: Pick<ScreenView, 'model' | 'state' | 'now'>,
  columns: number,
): Line[] {
  const run = selectRun(state, key as `r${number}`);
  const [status] = buildStatus(state, now, {run: key}).runs;
  if (run === undefined || status === undefined) return [];
  return [
    fact('asked', formatAgo(now - run.createdAt)),
    fact('agents', `${run.request.planner} plans, ${run.request.worker} works`),
    ...(run.request.skill === undefined ? [] : [fact('skill', run.request.skill)]),
    fact('tokens', formatCount(status.tokens)),
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

function taskLines({key}: SidebarRow, state: State, columns: number, now: number): Line[] {
  const task = isTaskId(key) ? selectTask(state, key) : undefined;
  const status = buildStatus(state, now, {run: key.split('.', 1)[0] ?? ''}).runs[0]?.tasks.find(
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
                ({name, outcome}) => `${checkMark(outcome)}${name} ${outcome.replaceAll('-', ' ')}`,
              )
              .join(', '),
          ),
        ]),
    ...(status === undefined || status.tokens === 0
      ? []
      : [fact('tokens', formatCount(status.tokens))]),
  ];
}

function checkMark(outcome: string): string {
  if (outcome === 'passed') return '✓ ';
  return outcome === 'to-come' || outcome === 'ignored' ? '' : '! ';
}

function serviceLines(
  {name}: SidebarRow,
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

/** A key hint on its own line. */
function way(model: Model, action: ActionName, text: string, context: Context = 'command'): Line {
  return button(action, span(`  ${keyFor(model, action, context)}  `, 'accent'), span(text));
}

function fact(name: string, text: string): Line {
  return [span(`  ${name.padEnd(10)}`, 'quiet'), span(text)];
}
