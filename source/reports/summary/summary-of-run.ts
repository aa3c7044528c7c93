import {
  type Run,
  selectTokens,
  type Task,
  usageOfRun,
  selectCountedTasks,
} from '../../domain/index.ts';
import {describeStop} from '../messages/describe-reason.ts';
import {type AttemptRecord, planOfRun, toAttemptRecords} from './run-record.ts';
import {formatCode, formatPlain, redactTexts} from './safe-text.ts';
import {formatFront, type Outcome, type SummarySource} from './summary-of-task.ts';
import {
  checkLines,
  decisionLines,
  formatChange,
  formatTokenUsage,
  items,
  part,
} from './summary-parts.ts';

/**
 * The summary of a run: its objective, the outcome of each task with its own summary, and what was
 * validated.
 */
export function summaryOfRun(source: SummarySource): string {
  const {redact = (text: string) => text} = source;
  const {run, report, links} = redactTexts(
    {run: source.run, report: source.report ?? {}, links: source.links ?? []},
    redact,
  );
  const {plan} = redactTexts(planOfRun(source.run, source.events), redact);
  const records = source.run.tasks.map((task) =>
    redactTexts(toAttemptRecords(task, source.events), redact),
  );
  const usage = usageOfRun(source.state, source.run);
  const outcome = toOutcome(run);
  const counted = selectCountedTasks(run);
  const files = records.flatMap(
    (own) =>
      own.findLast(({change}) => change !== undefined)?.change?.files.map(({path}) => path) ?? [],
  );
  const commits = commitsOfRun(run);
  const rejected = [...(report.rejected ?? []), ...(plan?.rejected ?? [])].map(
    ({alternative, reason}) => `${alternative}: ${reason}`,
  );
  const rootCause = report.rootCause ?? plan?.rootCause;
  return [
    formatFront({
      run: run.id,
      outcome,
      date: source.date,
      files: [...new Set(files)],
      commits,
      tokens: selectTokens(usage),
    }),
    `# Run: ${formatPlain(run.request.objective, 200)}`,
    '',
    `${source.date}, ${run.id}: ${outcome}, ` +
      `${counted.filter(({stage}) => stage.at === 'merged').length} of ${counted.length} tasks merged.`,
    ...part('Root cause', rootCause === undefined ? [] : [formatPlain(rootCause, 600)]),
    ...part('Decisions', items(report.decisions ?? [])),
    ...part('Rejected', items(rejected)),
    ...part(
      'Tasks',
      run.tasks
        .slice(0, maxTasks)
        .map((task, index) => taskLine(task, records[index] ?? [], source)),
    ),
    ...part(
      'Validation of the last merge',
      checkLines(
        source.run.tasks
          .flatMap(({stage}, index) =>
            stage.at === 'merged' ? (records[index] ?? []).slice(-1) : [],
          )
          .slice(-1),
      ),
    ),
    ...part('Failing on the base', decisionLines(source.run)),
    ...part(
      'Taken over',
      (run.adopted ?? []).map(
        (commit) =>
          `- ${formatPlain(commit, 80).slice(0, 12)}: you took this over from the run's branch`,
      ),
    ),
    ...part('Accepted', acceptLines(run)),
    ...part('Record', [
      `- commits: ${commits.length === 0 ? 'none' : commits.join(', ')}`,
      `- ${formatTokenUsage(usage)}`,
      ...links.map((link) => `- ${formatPlain(link)}`),
    ]),
    '',
  ].join('\n');
}

const maxTasks = 50;

function toOutcome({stage}: Run): Outcome {
  return stage.at === 'accepted' || stage.at === 'discarded' ? stage.at : 'ready';
}

function commitsOfRun({stage, head}: Run): string[] {
  const commits = [
    ...(head === undefined ? [] : [head]),
    ...(stage.at === 'accepted' ? [stage.commit] : []),
  ];
  return [...new Set(commits.map((commit) => formatPlain(commit, 80).slice(0, 12)))];
}

/** How it was accepted, into which branch, and whether the commit is signed. */
function acceptLines({stage}: Run): string[] {
  if (
    stage.at !== 'accepted' ||
    (stage.way === undefined &&
      stage.into === undefined &&
      stage.isSigned === undefined &&
      stage.isAlreadyThere === undefined)
  )
    return [];
  const how = stage.isAlreadyThere === true ? 'already there' : (stage.way ?? 'merge');
  return [
    '- ' +
      `${how}${stage.into === undefined ? '' : `, into ${formatCode(stage.into)}`}${stage.isSigned === true ? ', signed' : ''}`,
  ];
}

function taskLine(
  task: Task,
  records: readonly AttemptRecord[],
  {events = []}: SummarySource,
): string {
  const {stage, planned} = task;
  const failed = records.find(({failure}) => failure !== undefined)?.failure;
  const change = records.findLast((record) => record.change !== undefined)?.change;
  const first =
    failed === undefined || stage.at === 'merged'
      ? ''
      : `, first failure: ${formatPlain(describeStop(failed), 160)}`;
  const written = events.findLast(
    (event) => event.type === 'summary-written' && event.task === task.id,
  );
  const link = written?.type === 'summary-written' ? ` see ${formatCode(written.path)}` : '';
  return (
    `- ${task.id} ${stage.at}: ` +
    `${formatPlain(planned.title, 100)}${change === undefined ? '' : ` (${formatChange(change)})`}${first}${link}`
  );
}
