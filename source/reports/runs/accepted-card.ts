import {type Event, type Run, selectTokens, type State, usageOfRun} from '../../domain/index.ts';
import {
  formatCost,
  formatDuration,
  formatTokens,
  pluralize,
  shortHash,
} from '../../shared/index.ts';
import {planOfRun, toAttemptRecords} from '../summary/run-record.ts';
import {formatCode, formatPlain} from '../summary/safe-text.ts';
import {toSafeLine} from '../terminal-text.ts';
import type {ChartSegment} from './chart-steps.ts';
import {buildTimelineChart, type TimelineChart} from './timeline-chart.ts';

/** A run that was accepted, for the card that is shown once. */
export type AcceptedCard = {
  readonly run: string;
  readonly objective: string;
  readonly durationMs: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly tokens: number;
  readonly cost?: number;
  readonly from: number;
  readonly to: number;
  readonly tasks: readonly AcceptedTask[];
  /** Checks that ran after every task and every merge. */
  readonly checks: readonly string[];
  /** Rules that were checked on every change. */
  readonly rules: number;
  readonly redTries: number;
  readonly asked: TimelineChart['asked'];
  readonly branch: string;
  readonly before?: string;
  readonly commit: string;
  /** The file with the run's summary. */
  readonly notes?: string;
};

export type AcceptedTask = {
  readonly number: number;
  readonly title: string;
  readonly end: 'merged' | 'discarded';
  readonly segments: readonly ChartSegment[];
  readonly durationMs?: number;
};

/** Undefined for a run that was not accepted. `events`: at least those of the run. */
export function buildAcceptedCard(
  state: State,
  run: Run,
  events: readonly Event[],
): AcceptedCard | undefined {
  const {stage} = run;
  if (stage.at !== 'accepted') return undefined;
  const own = events.filter((event) => 'run' in event && event.run === run.id);
  const chart = buildTimelineChart(state, run, events, run.createdAt);
  const usage = usageOfRun(state, run);
  const base = own.findLast((event) => event.type === 'run-surveyed')?.ground;
  const notes = own.findLast(
    (event) => event.type === 'summary-written' && event.task === undefined,
  );
  const records = run.tasks.flatMap((task) => toAttemptRecords(task, events));
  const {rules} = planOfRun(run, events);
  return {
    run: run.id,
    objective: toSafeLine(run.request.objective),
    durationMs: chart.to - chart.from,
    ...countChanges(run, events),
    tokens: selectTokens(usage),
    ...(usage.cost !== undefined && {cost: usage.cost}),
    from: chart.from,
    to: chart.to,
    tasks: run.tasks.map((task, index) =>
      toAcceptedTask(index + 1, task.stage.at === 'merged', chart.tasks[index]),
    ),
    checks: [
      ...new Set(
        records
          .flatMap(({results, merged}) => [...results, ...merged])
          .map(({check}) => check.name),
      ),
    ].map(toSafeLine),
    rules: rules?.rules.filter(({tooth}) => tooth !== undefined).length ?? 0,
    redTries: chart.tasks.flatMap(({segments}) => segments).filter(({kind}) => kind === 'red')
      .length,
    asked: chart.asked,
    branch: toSafeLine(stage.into ?? base?.branch ?? 'your branch'),
    ...(base !== undefined && {before: toSafeLine(base.base)}),
    commit: toSafeLine(stage.commit),
    ...(notes?.type === 'summary-written' && {notes: toSafeLine(notes.path)}),
  };
}

function toAcceptedTask(
  number: number,
  isMerged: boolean,
  row: TimelineChart['tasks'][number] | undefined,
): AcceptedTask {
  const segments = row?.segments ?? [];
  const [first, last] = [segments[0], segments.at(-1)];
  return {
    number,
    title: row?.title ?? '',
    end: isMerged ? 'merged' : 'discarded',
    segments,
    ...(first !== undefined && last !== undefined && {durationMs: last.to - first.from}),
  };
}

/** The changes of the merged tasks; a file that several changed counts once. */
function countChanges(
  run: Run,
  events: readonly Event[],
): Pick<AcceptedCard, 'files' | 'added' | 'removed'> {
  const files = run.tasks
    .filter(({stage}) => stage.at === 'merged')
    .flatMap((task) => toAttemptRecords(task, events).findLast(({change}) => change)?.change ?? [])
    .flatMap((change) => change.files);
  return {
    files: new Set(files.map(({path}) => path)).size,
    added: files.reduce((sum, {added}) => sum + added, 0),
    removed: files.reduce((sum, {removed}) => sum + removed, 0),
  };
}

/** The card for a pull request or a chat. */
export function formatAcceptedMarkdown(card: AcceptedCard): string {
  const {tasks, checks, rules, redTries, asked} = card;
  const merged = tasks.filter(({end}) => end === 'merged').length;
  const proof = [
    ...(checks.length === 0
      ? []
      : [
          `${checks.map((name) => formatPlain(name)).join(', ')} passed after every task and merge`,
        ]),
    ...(rules === 0 ? [] : [`${pluralize(rules, 'rule')} kept`]),
  ];
  const trouble = [
    ...(redTries === 0 ? [] : [pluralize(redTries, 'failed try', 'failed tries')]),
    ...(asked.times === 0
      ? []
      : [`asked ${pluralize(asked.times, 'time')}, which took ${formatDuration(asked.totalMs)}`]),
  ];
  return [
    `### ${formatPlain(card.objective)}`,
    '',
    `${pluralize(merged, 'task')} in ${formatDuration(card.durationMs)}, ` +
      `${pluralize(card.files, 'file')} +${card.added} -${card.removed}, ` +
      `${formatTokens(card.tokens)} tokens, ${formatCost(card.cost)}`,
    '',
    ...tasks.map(
      ({number, title, end, durationMs}) =>
        `${number}. ` +
        `${formatPlain(title)}${end === 'discarded' ? ' (discarded)' : ''}${durationMs === undefined ? '' : `, ${formatDuration(durationMs)}`}`,
    ),
    '',
    ...[...proof, ...trouble].map((text) => `- ${text}`),
    `- ${formatCode(card.branch)}: ` +
      `${card.before === undefined ? '' : `${formatCode(shortHash(card.before))} → `}${formatCode(shortHash(card.commit))}`,
    ...(card.notes === undefined ? [] : [`- notes: ${formatCode(card.notes)}`]),
    '',
  ].join('\n');
}
