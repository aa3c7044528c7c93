import {
  runIdIn,
  type Event,
  type Run,
  type State,
  type Task,
  type Usage,
  sessionOf,
  taskIdOfSession,
} from '../../domain/index.ts';
import {describeStop} from '../events/describe-reason.ts';
import {attemptRecordsOf, type AttemptRecord} from './attempt-record.ts';
import {plainWords} from './plain-words.ts';
import {planOfRun} from './plan-of-run.ts';
import {redactTexts, type Redact} from './redact-texts.ts';
import {formatFront, type Outcome} from './summary-front.ts';
import {
  attemptLine,
  baselineLines,
  checkLines,
  fileLines,
  items,
  part,
  ruleLines,
  tokensInWords,
} from './summary-parts.ts';

export type SummarySource = {
  readonly state: State;
  readonly run: Run;
  /** The events of the run. Without them red attempts are told by their failure alone. */
  readonly events?: readonly Event[];
  /** What the agent said itself; nothing else in a summary is its words. */
  readonly report?: AgentReport;
  /** `2026-10-20`. */
  readonly date: string;
  readonly redact?: Redact;
  /** Other documents about it: paths or addresses. */
  readonly links?: readonly string[];
};

export type AgentReport = {
  readonly rootCause?: string;
  readonly decisions?: readonly string[];
  readonly rejected?: readonly {readonly alternative: string; readonly reason: string}[];
};

/** What remains of a task: compact markdown, made of the journal, git and exit codes. For one that failed, why comes first. */
export function summaryOfTask(source: SummarySource & {readonly task: Task}): string {
  const {redact = (text: string) => text} = source;
  const {task, report, links} = redactTexts(
    {task: source.task, report: source.report ?? {}, links: source.links ?? []},
    redact,
  );
  const records = redactTexts(attemptRecordsOf(source.task, source.events), redact);
  const {plan, rules} = redactTexts(planOfRun(source.run, source.events), redact);
  const usage = usageOfTask(source.state, source.run, source.task);
  const last = records.findLast(({change}) => change !== undefined);
  const outcome = outcomeOf(task);
  const commits = commitsOf(task, records);
  const rejected = [...(report.rejected ?? []), ...(plan?.rejected ?? [])].map(
    ({alternative, reason}) => `${alternative}: ${reason}`,
  );
  const rootCause = report.rootCause ?? plan?.rootCause;
  return [
    formatFront({
      run: runIdIn(task.id),
      task: task.id,
      outcome,
      date: source.date,
      files: last?.change?.files.map(({path}) => path) ?? [],
      commits,
      tokens: usage.input + usage.output,
    }),
    `# Task: ${plainWords(task.planned.title, 200)}`,
    '',
    `${source.date}, ${task.id}: ${outcome} after ${records.length} ${records.length === 1 ? 'attempt' : 'attempts'}.`,
    ...part('Why it failed', failureLines(task, records, outcome)),
    ...part('Objective', plan === undefined ? [] : [plainWords(plan.objective)]),
    ...part('Root cause', rootCause === undefined ? [] : [plainWords(rootCause, 600)]),
    ...part('Decisions', items(report.decisions ?? [])),
    ...part('Rejected', items(rejected)),
    ...part(
      'What failed first',
      outcome === 'merged' && records.some(({failure}) => failure !== undefined)
        ? records.map((record) => `- ${attemptLine(record)}`)
        : [],
    ),
    ...part('Files', last?.change === undefined ? [] : fileLines(last.change)),
    ...part(
      'Constraints',
      ruleLines(
        records.findLast(({judgement}) => judgement !== undefined)?.judgement ?? {
          outside: [],
          rules: [],
        },
        rules,
      ),
    ),
    ...part('Validation', checkLines(records)),
    ...part('Red on the base', baselineLines(source.run)),
    ...part('Record', [
      `- commits: ${commits.length === 0 ? 'none' : commits.join(', ')}`,
      `- ${tokensInWords(usage)}`,
      ...links.map((link) => `- ${plainWords(link)}`),
    ]),
    '',
  ].join('\n');
}

function outcomeOf({stage}: Task): Outcome {
  if (stage.at === 'merged' || stage.at === 'discarded') return stage.at;
  return stage.at === 'stopped' ? 'stopped' : 'ready';
}

/** Why a path failed is worth the most: what failed first, then each attempt, then what ended it. */
function failureLines(task: Task, records: readonly AttemptRecord[], outcome: Outcome): string[] {
  if (outcome !== 'stopped' && outcome !== 'discarded') return [];
  const {stage} = task;
  const end =
    stage.at === 'stopped'
      ? [`- stopped: ${plainWords(describeStop(stage.why), 300)}`]
      : stage.at === 'discarded'
        ? [
            `- discarded${stage.why.kind === 'needs' ? `: it needs ${stage.why.task}` : ' by a person'}`,
          ]
        : [];
  return [...records.map((record) => `- ${attemptLine(record)}`), ...end];
}

function commitsOf(task: Task, records: readonly AttemptRecord[]): string[] {
  const commits = [
    ...records.flatMap(({commit}) => commit ?? []),
    ...(task.stage.at === 'merged' ? [task.stage.commit] : []),
  ];
  return [...new Set(commits.map((commit) => plainWords(commit, 80).slice(0, 12)))];
}

/** All that its sessions used, over every attempt. */
function usageOfTask(state: State, run: Run, task: Task): Usage {
  const own = run.sessions
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((session) => taskIdOfSession(session) === task.id)
    .map(({usage}) => usage);
  const cost = own.some((usage) => usage.cost !== undefined)
    ? {cost: own.reduce((sum, usage) => sum + (usage.cost ?? 0), 0)}
    : {};
  return {
    input: own.reduce((sum, {input}) => sum + input, 0),
    output: own.reduce((sum, {output}) => sum + output, 0),
    ...cost,
  };
}
