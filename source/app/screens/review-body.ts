import {cutLine, displayWidth} from '../../shared/index.ts';
import {
  isTaskId,
  type Judgement,
  type RunId,
  selectAttempt,
  selectRun,
  selectTask,
  type State,
  type Task,
  type TaskId,
} from '../../domain/index.ts';
import {
  blank,
  button,
  ends,
  fitLine,
  type Line,
  plural,
  safeLine,
  span,
  underCursor,
} from '../model/line.ts';
import {removedFileText, selectDiffComments, selectReviewFiles} from '../model/comments.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {DiffAnswer, Model} from '../model/model.ts';
import type {DiffFile} from '../model/parse-diff.ts';
import type {Size} from '../render/frame.ts';
import type {Body, ScreenView} from './body.ts';
import {type DiffRow, diffRows} from './diff-rows.ts';

/** Files and diff of a task or run, with the results of rules and checks. */
export function reviewBody(view: ScreenView): Body {
  const {model, state, size} = view;
  const {subject} = model;
  if (subject === undefined)
    return empty('There is nothing to review yet. A run comes here when its plan is approved.');
  const {diff} = model.answers;
  if (diff?.of !== subject) return empty(`Reading what ${subject} changed …`);
  if ('rejected' in diff) return empty(`${subject} cannot be compared: ${diff.rejected}`);
  const files = selectReviewFiles(model);
  const head = headLines(state, subject, diff.value, size.columns);
  if (files.length === 0) return {...empty(`${subject} changed nothing so far.`), head};
  const isWide = size.columns >= filesBesideColumns;
  if (model.reviewFocus === 'files' && !isWide)
    return {
      list: 'files',
      head,
      rows: files.map((file) => fileLine(file, size.columns, model)),
      foot: [],
      hasCursor: true,
    };
  const file = fileInView(model, files);
  const columns = isWide ? filesColumns(size.columns) : 0;
  const name = ends(
    [
      span(` ${safeLine(file.path)}`, 'strong'),
      span(`  ${file.text}${file.before === '' ? '' : ` from ${file.before}`}`, 'quiet'),
    ],
    [span(`file ${files.indexOf(file) + 1} of ${files.length} `, 'quiet')],
    size.columns,
  );
  return {
    list: 'diff',
    head: isWide ? head : [...head, name],
    rows: diffRowsInView(view, file).map(({row}) => row),
    foot: commentsLine(model),
    hasCursor: model.reviewFocus === 'diff',
    ...(isWide
      ? {
          beside: {
            on: 'left' as const,
            columns,
            rows: fileColumn(model, files, columns, size.rows - head.length),
          },
        }
      : {}),
  };
}

/** Minimum widths for a column of files, and for old and new side by side. */
const filesBesideColumns = 110;
const splitColumns = 140;

function filesColumns(columns: number): number {
  return Math.min(44, Math.floor(columns * 0.24));
}

function empty(text: string): Body {
  return {
    list: 'diff',
    head: [],
    rows: [blank, [span(`  ${text}`, 'quiet')]],
    foot: [],
    hasCursor: false,
  };
}

export function fileInView({places}: Model, files: readonly DiffFile[]): DiffFile {
  return (
    files[Math.max(0, Math.min(files.length - 1, places.files.cursor))] ?? {
      path: '',
      before: '',
      text: '',
      lines: [],
    }
  );
}

/** The diff rows of the file in view. */
export function diffRowsInView(
  {model, size, highlight}: Pick<ScreenView, 'model' | 'size' | 'highlight'>,
  file: DiffFile,
): DiffRow[] {
  const columns =
    size.columns >= filesBesideColumns
      ? size.columns - filesColumns(size.columns) - 1
      : size.columns;
  return diffRows(file, {
    columns,
    isSplit: size.columns >= splitColumns,
    highlight,
    place: model.places.diff,
    rows: size.rows,
    comments: selectDiffComments(model).filter(({path}) => path === file.path),
  });
}

function headLines(
  state: State,
  subject: RunId | TaskId,
  {read}: DiffAnswer,
  columns: number,
): Line[] {
  const task = isTaskId(subject) ? selectTask(state, subject) : undefined;
  const title = task?.planned.title ?? selectRun(state, subject as RunId)?.request.objective ?? '';
  // Counted from the parsed diff: git counts a renamed file twice.
  const [added, removed] = [
    read.reduce((sum, file) => sum + countLines(file, 'added'), 0),
    read.reduce((sum, file) => sum + countLines(file, 'removed'), 0),
  ];
  return [
    ends(
      [span(` ${subject} `, 'title'), span(title)],
      [
        span(` ${plural(read.length, 'file', 'files')} `, 'quiet'),
        span(`+${added} `, 'added'),
        span(`-${removed} `, 'removed'),
      ],
      columns,
    ),
    task === undefined ? verdictOfRun(state, subject as RunId) : verdictOfTask(task),
  ];
}

function verdictOfTask(task: Task): Line {
  const step =
    task.attempts
      .toReversed()
      .map((attempt) => attempt.step)
      .find((one) => 'judgement' in one) ?? selectAttempt(task)?.step;
  const judgement = step !== undefined && 'judgement' in step ? step.judgement : undefined;
  const results = step !== undefined && 'results' in step ? step.results : [];
  const failure = selectAttempt(task)?.step;
  return [
    span(' Rules: ', 'quiet'),
    ...(judgement === undefined ? [span('not judged yet', 'quiet')] : ruleSpans(judgement)),
    span('   Checks: ', 'quiet'),
    ...(results.length === 0
      ? [
          span(
            failure?.at === 'failed' && failure.failure.kind === 'check'
              ? `${failure.failure.name} failed`
              : 'none run yet',
            failure?.at === 'failed' ? 'bad' : 'quiet',
          ),
        ]
      : results.flatMap(({check, outcome}) => [
          span(
            `${outcome === 'passed' ? '✓' : '!'} ${check.name} ${outcome} `,
            outcome === 'passed' ? 'good' : 'bad',
          ),
        ])),
  ];
}

function ruleSpans({rules, outside}: Judgement): Line {
  const broken = rules.filter(({verdict}) => verdict === 'broken');
  const met = rules.filter(({verdict}) => verdict === 'kept').length;
  const open = rules.length - met - broken.length;
  return [
    span(`✓ ${met} kept`, 'good'),
    ...(broken.length === 0
      ? []
      : [span(`, ! broken: ${broken.map(({number}) => number).join(' ')}`, 'bad')]),
    ...(open === 0 ? [] : [span(`, ${open} for you to judge`, 'quiet')]),
    ...(outside.length === 0
      ? []
      : [span(`, ! outside the plan: ${cutLine(safeLine(outside.join(' ')), 30)}`, 'bad')]),
  ];
}

function verdictOfRun(state: State, id: RunId): Line {
  const run = selectRun(state, id);
  const merged = run?.tasks.filter(({stage}) => stage.at === 'merged').length ?? 0;
  const all = run?.tasks.length ?? 0;
  return [
    span(
      merged === all
        ? ` ✓ ${all === 1 ? 'its task is' : `all ${all} tasks are`} merged, validated before and after`
        : ` ${merged} of ${all} tasks merged so far`,
      merged === all ? 'good' : 'quiet',
    ),
  ];
}

function fileLine(file: DiffFile, columns: number, model: Model): Line {
  const [added, removed] = [countLines(file, 'added'), countLines(file, 'removed')];
  const comments = model.comments.filter(
    ({of, path}) => of === model.subject && path === file.path,
  ).length;
  const mark = {new: 'A', deleted: 'D', renamed: 'R', [removedFileText]: ' '}[file.text] ?? 'M';
  const markTone = ({A: 'added', D: 'removed'} as const)[mark] ?? 'plain';
  const path = safeLine(file.path);
  const right: Line = [
    ...(comments === 0 ? [] : [span(` ${comments}>`, 'needs')]),
    span(` +${added}`, 'added'),
    span(` -${removed} `, 'removed'),
  ];
  const space = columns - 4 - right.reduce((sum, {text}) => sum + text.length, 0);
  // The end of a path says more than its beginning.
  return ends(
    [
      span(` ${mark} `, markTone),
      span(displayWidth(path) > space ? `…${takeTail(path, Math.max(1, space) - 1)}` : path),
    ],
    right,
    columns,
  );
}

function countLines({lines}: DiffFile, wanted: 'added' | 'removed'): number {
  return lines.reduce((sum, {kind}) => sum + (kind === wanted ? 1 : 0), 0);
}

function takeTail(text: string, cells: number): string {
  const characters = Array.from(text);
  while (displayWidth(characters.join('')) > cells) characters.shift();
  return characters.join('');
}

function fileColumn(
  model: Model,
  files: readonly DiffFile[],
  columns: number,
  rows: number,
): Line[] {
  const {cursor, top} = filesInSight(model, files.length, rows);
  return files.slice(top, top + rows).map((file, index) => {
    const row = fileLine(file, columns, model);
    if (top + index !== cursor) return row;
    return model.reviewFocus === 'files'
      ? underCursor(row, columns)
      : fitLine(
          [
            span('▸', 'accent'),
            ...row.map(({text}, at) => span(at === 0 ? text.slice(1) : text, 'strong')),
          ],
          columns,
        );
  });
}

function filesInSight(
  {places}: Model,
  count: number,
  rows: number,
): {readonly cursor: number; readonly top: number} {
  const cursor = Math.max(0, Math.min(count - 1, places.files.cursor));
  return {cursor, top: Math.max(0, Math.min(cursor - Math.floor(rows / 2), count - rows))};
}

/** The file on a row of the column of files. */
export function fileAt(model: Model, {head}: Body, size: Size, row: number): number | undefined {
  const count = selectReviewFiles(model).length;
  const index = filesInSight(model, count, size.rows - head.length).top + row - head.length;
  return row >= head.length && index < count ? index : undefined;
}

function commentsLine(model: Model): Line[] {
  const own = selectDiffComments(model).length;
  return own === 0
    ? []
    : [
        [
          span(` ${plural(own, 'comment', 'comments')} not sent yet; `, 'needs'),
          ...button(
            'send-comments',
            span(`${keyFor(model, 'send-comments')} sends them all at once`, 'needs'),
          ),
        ],
      ];
}
