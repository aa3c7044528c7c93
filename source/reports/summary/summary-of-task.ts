import {stringify} from 'yaml';
import {pluralize, sanitizeText} from '../../shared/index.ts';
import {
  type AgentReport,
  type Event,
  type Run,
  type RunId,
  runIdIn,
  selectSession,
  type State,
  type Task,
  type TaskId,
  taskIdOfSession,
  type Usage,
} from '../../domain/index.ts';
import {listTaskAgents} from '../runs/task-agent.ts';
import {describeDiscard, describeStop} from '../messages/describe-reason.ts';
import {type AttemptRecord, planOfRun, toAttemptRecords} from './run-record.ts';
import {formatPlain, type Redact, redactTexts} from './safe-text.ts';
import {
  attemptLine,
  checkLines,
  decisionLines,
  fileLines,
  formatTokenUsage,
  items,
  part,
  ruleLines,
} from './summary-parts.ts';

/** The YAML front matter of a summary, for recall and other programs. */
export type SummaryFront = {
  readonly run: string;
  readonly task?: string;
  readonly outcome: Outcome;
  readonly date: string;
  readonly files: readonly string[];
  readonly commits: readonly string[];
  readonly tokens: number;
};

export const outcomes = ['merged', 'stopped', 'discarded', 'accepted', 'ready'] as const;
export type Outcome = (typeof outcomes)[number];

export const maxFiles = 200;

export function formatFront({
  run,
  task,
  outcome,
  date,
  files,
  commits,
  tokens,
}: SummaryFront): string {
  const shown = files.slice(0, maxFiles).map((file) => sanitizeText(file));
  return `---\n${stringify({run, ...(task !== undefined && {task}), outcome, date, files: shown, commits, tokens}, {lineWidth: 0, schema: 'core'})}---\n`;
}

export type SummarySource = {
  readonly state: State;
  readonly run: Run;
  /** The events of the run. Without them, of failed attempts only the failure is known. */
  readonly events?: readonly Event[];
  /** What the agent reported. Nothing else in a summary is the agent's own text. */
  readonly report?: AgentReport;
  /** `2026-10-20`. */
  readonly date: string;
  readonly redact?: Redact;
  /** Related documents: paths or URLs. */
  readonly links?: readonly string[];
};

/**
 * The summary of a task: compact markdown, made from the journal, git and exit codes. If it failed,
 * the reason comes first.
 */
export function summaryOfTask(source: SummarySource & {readonly task: Task}): string {
  const {redact = (text: string) => text} = source;
  const {task, report, links} = redactTexts(
    {task: source.task, report: source.report ?? {}, links: source.links ?? []},
    redact,
  );
  const records = redactTexts(toAttemptRecords(source.task, source.events), redact);
  const {plan, rules} = redactTexts(planOfRun(source.run, source.events), redact);
  const usage = usageOfTask(source.state, source.run, source.task);
  const last = records.findLast(({change}) => change !== undefined);
  const outcome = toOutcome(task);
  const commits = commitsOfTask(task, records);
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
    `# Task: ${formatPlain(task.planned.title, 200)}`,
    '',
    `${source.date}, ${task.id}: ${outcome} after ${pluralize(records.length, 'try', 'tries')}.`,
    ...part('Why it failed', failureLines(task, records, outcome)),
    ...part('Objective', plan === undefined ? [] : [formatPlain(plan.objective)]),
    ...part('Root cause', rootCause === undefined ? [] : [formatPlain(rootCause, 600)]),
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
    ...part('Failing on the base', decisionLines(source.run)),
    ...part('Record', [
      `- commits: ${commits.length === 0 ? 'none' : commits.join(', ')}`,
      ...agentLines(source.state, source.run, task),
      `- ${formatTokenUsage(usage)}`,
      ...links.map((link) => `- ${formatPlain(link)}`),
    ]),
    '',
  ].join('\n');
}

/** Who worked on it, where that was not the run's agent alone. */
function agentLines(state: State, run: Run, task: Task): string[] {
  const agents = listTaskAgents(state, run, task);
  return agents.length === 0 ? [] : [`- by ${formatPlain(agents.join(', then '), 300)}`];
}

function toOutcome({stage}: Task): Outcome {
  if (stage.at === 'merged' || stage.at === 'discarded') return stage.at;
  return stage.at === 'stopped' ? 'stopped' : 'ready';
}

/** Each attempt with its failure, then what ended the task. */
function failureLines(task: Task, records: readonly AttemptRecord[], outcome: Outcome): string[] {
  if (outcome !== 'stopped' && outcome !== 'discarded') return [];
  const end = formatTaskEnd(task);
  return [
    ...records.map((record) => `- ${attemptLine(record)}`),
    ...(end === undefined ? [] : [`- ${end}`]),
  ];
}

function formatTaskEnd({stage}: Task): string | undefined {
  if (stage.at === 'stopped') return `stopped: ${formatPlain(describeStop(stage.why), 300)}`;
  if (stage.at !== 'discarded') return undefined;
  const why = describeDiscard(stage.why);
  return why === '' ? 'discarded by a person' : `discarded${why}`;
}

function commitsOfTask(task: Task, records: readonly AttemptRecord[]): string[] {
  const commits = [
    ...records.flatMap(({commit}) => commit ?? []),
    ...(task.stage.at === 'merged' ? [task.stage.commit] : []),
  ];
  return [...new Set(commits.map((commit) => formatPlain(commit, 80).slice(0, 12)))];
}

/** The usage of all sessions of the task, over every attempt. */
function usageOfTask(state: State, run: Run, task: Task): Usage {
  const own = run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
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

/** `2026-10-20-r1-t2.md`, and `2026-10-20-r1.md` for the run as a whole. */
export function toSummaryFileName({
  date,
  run,
  task,
}: {
  readonly date: string;
  readonly run: RunId;
  readonly task?: TaskId;
}): string {
  return `${[date, run, ...(task === undefined ? [] : [task.slice(run.length + 1)])].join('-')}.md`;
}
