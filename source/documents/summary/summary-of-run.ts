import {type Run, type Task, tokensOf, usageOfRun} from '../../domain/index.ts';
import {describeStop} from '../events/describe-reason.ts';
import {attemptRecordsOf, type AttemptRecord} from './attempt-record.ts';
import {codeWords, plainWords} from './plain-words.ts';
import {planOfRun} from './plan-of-run.ts';
import {redactTexts} from './redact-texts.ts';
import {formatFront, type Outcome} from './summary-front.ts';
import type {SummarySource} from './summary-of-task.ts';
import {
  baselineLines,
  changeInWords,
  checkLines,
  items,
  part,
  tokensInWords,
} from './summary-parts.ts';

/** What remains of a run: its objective, what each task came to and where that is told, what was validated. */
export function summaryOfRun(source: SummarySource): string {
  const {redact = (text: string) => text} = source;
  const {run, report, links} = redactTexts(
    {run: source.run, report: source.report ?? {}, links: source.links ?? []},
    redact,
  );
  const {plan} = redactTexts(planOfRun(source.run, source.events), redact);
  const records = source.run.tasks.map((task) =>
    redactTexts(attemptRecordsOf(task, source.events), redact),
  );
  const usage = usageOfRun(source.state, source.run);
  const outcome = outcomeOf(run);
  const files = records.flatMap(
    (own) =>
      own.findLast(({change}) => change !== undefined)?.change?.files.map(({path}) => path) ?? [],
  );
  const commits = commitsOf(run);
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
      tokens: tokensOf(usage),
    }),
    `# Run: ${plainWords(run.request.objective, 200)}`,
    '',
    `${source.date}, ${run.id}: ${outcome}, ${run.tasks.filter(({stage}) => stage.at === 'merged').length} of ${run.tasks.length} tasks merged.`,
    ...part('Root cause', rootCause === undefined ? [] : [plainWords(rootCause, 600)]),
    ...part('Decisions', items(report.decisions ?? [])),
    ...part('Rejected', items(rejected)),
    ...part(
      'Tasks',
      run.tasks
        .slice(0, mostTasks)
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
    ...part('Red on the base', baselineLines(source.run)),
    ...part(
      'Taken over',
      (run.adopted ?? []).map(
        (commit) =>
          `- ${plainWords(commit, 80).slice(0, 12)}: you took this over from the run's branch`,
      ),
    ),
    ...part('Accepted', acceptLines(run)),
    ...part('Record', [
      `- commits: ${commits.length === 0 ? 'none' : commits.join(', ')}`,
      `- ${tokensInWords(usage)}`,
      ...links.map((link) => `- ${plainWords(link)}`),
    ]),
    '',
  ].join('\n');
}

const mostTasks = 50;

function outcomeOf({stage}: Run): Outcome {
  return stage.at === 'accepted' || stage.at === 'discarded' ? stage.at : 'ready';
}

function commitsOf({stage, head}: Run): string[] {
  const commits = [
    ...(head === undefined ? [] : [head]),
    ...(stage.at === 'accepted' ? [stage.commit] : []),
  ];
  return [...new Set(commits.map((commit) => plainWords(commit, 80).slice(0, 12)))];
}

/** The way, where it went, and whether it is signed. */
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
    `- ${how}${stage.into === undefined ? '' : `, into ${codeWords(stage.into)}`}${stage.isSigned === true ? ', signed' : ''}`,
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
      : `, first failure: ${plainWords(describeStop(failed), 160)}`;
  const told = events.findLast(
    (event) => event.type === 'summary-written' && event.task === task.id,
  );
  const link = told?.type === 'summary-written' ? ` see ${codeWords(told.path)}` : '';
  return `- ${task.id} ${stage.at}: ${plainWords(planned.title, 100)}${change === undefined ? '' : ` (${changeInWords(change)})`}${first}${link}`;
}
