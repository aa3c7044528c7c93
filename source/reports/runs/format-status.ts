import {cutLine, displayWidth, pluralize} from '../../shared/index.ts';
import {
  createPaint,
  formatAge,
  type Paint,
  type TextOptions,
  type TextTone,
} from '../terminal-text.ts';
import {atPrompt} from '../sessions/format-sessions.ts';
import {formatRepositoryNotes} from '../messages/describe-state.ts';
import type {RunStatus, SessionStatus, Status, TaskStatus} from './build-status.ts';

export function formatStatus(
  {needs, runs, over, sessions, services}: Status,
  {width, color}: TextOptions,
): string {
  const paint = createPaint(color);
  const line = (text: string, tone?: TextTone): string =>
    tone === undefined ? cutLine(text, width) : paint(cutLine(text, width), tone);
  const lines = [
    ...(needs === 0
      ? []
      : [
          line(`${pluralize(needs, 'thing needs', 'things need')} you: orchestra needs`, 'needs'),
          '',
        ]),
    ...(runs.length === 0
      ? [line('No run is open. Start one: orchestra run "what should be different"')]
      : []),
    // The notes are printed in full if only one run is shown.
    ...runs.flatMap((run) => [
      ...linesOfRun(run, width, paint),
      ...noteLines(run, runs.length === 1, width, paint),
    ]),
    ...(over === 0 ? [] : [line(`${over} finished`, 'quiet')]),
    ...(sessions.length === 0
      ? []
      : [
          '',
          line('Sessions', 'title'),
          ...sessions.map((session) => line(`  ${sessionLine(session)}`)),
        ]),
    ...(services.length === 0
      ? []
      : [
          '',
          line('Services', 'title'),
          ...services.map(({service, words, port, session}) =>
            line(
              `  ${service}: ${words}${port === null ? '' : `, port ${port}`}${session === null ? '' : `, ${session}`}`,
            ),
          ),
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOfRun(
  {run, objective, words, ageMs, tokens, models, modes, tasks}: RunStatus,
  width: number,
  paint: Paint,
): string[] {
  const label = Math.max(0, ...tasks.map(({task}) => task.length));
  const titles = Math.min(
    Math.max(0, ...tasks.map(({title}) => displayWidth(title))),
    Math.floor(width / 3),
  );
  return [
    paint(cutLine(`${run}  ${objective}`, width), 'title'),
    cutLine(
      `    ${words}; ${formatAge(ageMs)} ` +
        `old${tokens === 0 ? '' : `, ${tokens} tokens`}${models === undefined ? '' : `, ${models}`}${modes === undefined ? '' : `, ${modes}`}`,
      width,
    ),
    ...tasks.flatMap((task) => {
      const title = cutLine(task.title, titles);
      const head = `  ${task.task.padEnd(label)}  ${title}${' '.repeat(Math.max(0, titles - displayWidth(title)))}`;
      const more = formatDetails(task);
      return [
        paintedTail(
          head,
          cutLine(task.words, Math.max(8, width - displayWidth(head) - 2)),
          task.stage,
          paint,
        ),
        ...(more === '' ? [] : [paint(cutLine(`  ${' '.repeat(label)}  ${more}`, width), 'quiet')]),
      ];
    }),
  ];
}

function noteLines(
  {run, notes = []}: RunStatus,
  isWhole: boolean,
  width: number,
  paint: Paint,
): string[] {
  if (notes.length === 0) return [];
  if (!isWhole)
    return [
      paint(
        cutLine(
          `    ${pluralize(notes.length, 'note')} about the repository: orchestra status ${run}`,
          width,
        ),
        'needs',
      ),
    ];
  return formatRepositoryNotes(notes, width - 2).map((line) => paint(`  ${line}`, 'needs'));
}

const stageTones: Readonly<Record<string, TextTone>> = {merged: 'good', stopped: 'bad'};

function paintedTail(head: string, text: string, stage: string, paint: Paint): string {
  const tone = stageTones[stage];
  return `${head}  ${tone === undefined ? text : paint(text, tone)}`;
}

function formatDetails(task: TaskStatus): string {
  const {by, headless} = task;
  const about = [...(by === undefined ? [] : [by]), ...(headless === undefined ? [] : [headless])];
  return [...about, ...formatProgress(task)].join(', ');
}

function formatProgress({stage, attempt, of, checks, session, tokens}: TaskStatus): string[] {
  if (attempt === 0 || stage === 'merged' || stage === 'discarded') return [];
  const results = checks
    .filter(({outcome}) => outcome !== 'to-come')
    .map(({name, outcome}) => `${name} ${outcome === 'timed-out' ? 'timed out' : outcome}`);
  return [
    `try ${attempt} of ${of}`,
    ...results,
    ...(session === null ? [] : [session]),
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
  ];
}

function sessionLine(line: SessionStatus): string {
  const {session, words, tokens, ageMs, ports} = line;
  return [
    `${session} ${words}: ${formatState(line)}`,
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(ageMs === null ? [] : [formatAge(ageMs)]),
    ...ports.map((port) => `port ${port}`),
  ].join(', ');
}

function formatState({status, asks, retrying, turn}: SessionStatus): string {
  if (status === 'idle') return atPrompt;
  if (asks === null && status === 'running' && turn?.at === 'ended')
    return turn.source === 'screen' ? 'its turn seems to be over' : 'its turn is over';
  return asks === null ? (retrying ?? status) : `asks ${asks}`;
}
