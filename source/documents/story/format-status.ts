import {cutLine, displayWidth} from '../../base/index.ts';
import {ageOf} from '../sessions/columns.ts';
import {atPrompt} from '../sessions/format-sessions.ts';
import {createPaint, type Paint, type Tone} from './paint.ts';
import {formatRepositoryNotes} from './repository-notes.ts';
import type {RunStatus, SessionStatus, Status, TaskStatus} from './status-of.ts';

export type TextOptions = {readonly width: number; readonly color?: boolean};

export function formatStatus(
  {needs, runs, over, sessions, services}: Status,
  {width, color}: TextOptions,
): string {
  const paint = createPaint(color);
  const line = (text: string, tone?: Tone): string =>
    tone === undefined ? cutLine(text, width) : paint(cutLine(text, width), tone);
  const lines = [
    ...(needs === 0
      ? []
      : [
          line(
            `${needs} ${needs === 1 ? 'thing needs' : 'things need'} you: orchestra needs`,
            'needs',
          ),
          '',
        ]),
    ...(runs.length === 0
      ? [line('No run is open. Begin one: orchestra run "what should be different"')]
      : []),
    // Whoever asks for one run reads all of it.
    ...runs.flatMap((run) => [
      ...linesOfRun(run, width, paint),
      ...noteLines(run, runs.length === 1, width, paint),
    ]),
    ...(over === 0 ? [] : [line(`${over} ${over === 1 ? 'run is' : 'runs are'} over`, 'quiet')]),
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
  {run, objective, words, ageMs, tokens, models, tasks}: RunStatus,
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
      `    ${words}; ${ageOf(ageMs)} old${tokens === 0 ? '' : `, ${tokens} tokens`}${models === undefined ? '' : `, ${models}`}`,
      width,
    ),
    ...tasks.flatMap((task) => {
      const title = cutLine(task.title, titles);
      const head = `  ${task.task.padEnd(label)}  ${title}${' '.repeat(Math.max(0, titles - displayWidth(title)))}`;
      const more = detailsOf(task);
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
          `    ${notes.length} ${notes.length === 1 ? 'note' : 'notes'} about the repository: orchestra status ${run}`,
          width,
        ),
        'needs',
      ),
    ];
  return formatRepositoryNotes(notes, width - 2).map((line) => paint(`  ${line}`, 'needs'));
}

function paintedTail(head: string, words: string, stage: string, paint: Paint): string {
  const tone = stage === 'merged' ? 'good' : stage === 'stopped' ? 'bad' : undefined;
  return `${head}  ${tone === undefined ? words : paint(words, tone)}`;
}

function detailsOf({stage, attempt, of, checks, session, tokens}: TaskStatus): string {
  if (attempt === 0 || stage === 'merged' || stage === 'discarded') return '';
  const told = checks
    .filter(({outcome}) => outcome !== 'to-come')
    .map(({name, outcome}) => `${name} ${outcome === 'timed-out' ? 'timed out' : outcome}`);
  return [
    `attempt ${attempt} of ${of}`,
    ...told,
    ...(session === null ? [] : [session]),
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
  ].join(', ');
}

function sessionLine({
  session,
  words,
  status,
  asks,
  retrying,
  tokens,
  ageMs,
  ports,
}: SessionStatus): string {
  return [
    `${session} ${words}: ${status === 'idle' ? atPrompt : asks === null ? (retrying ?? status) : `asks ${asks}`}`,
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(ageMs === null ? [] : [ageOf(ageMs)]),
    ...ports.map((port) => `port ${port}`),
  ].join(', ');
}
