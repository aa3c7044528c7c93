import {
  isUndecided,
  type Run,
  selectAttempt,
  selectPicked,
  selectSession,
  selectTokens,
  selectVariantGroups,
  selectVariants,
  type Session,
  type State,
  type Task,
  taskIdOfSession,
  type TaskId,
} from '../../domain/index.ts';
import {formatCost, formatTokens, pluralize} from '../../shared/index.ts';
import {formatAge, formatColumns} from '../terminal-text.ts';
import {buildTaskStatus, type TaskStatus} from './build-status.ts';
import {selectTaskNumber} from './task-track.ts';

/** The variants of one task side by side: what each proves, its size, its cost and its time. */
export type VariantGroup = {
  readonly task: TaskId;
  readonly title: string;
  /** Nobody picked one yet, and several are left. */
  readonly isUndecided: boolean;
  readonly picked?: TaskId;
  readonly variants: readonly Variant[];
};

export type Variant = TaskStatus & {
  readonly task: TaskId;
  readonly number: number;
  /** The commit that a pick merges; null while it is not green. */
  readonly commit: string | null;
  /** The change of its latest attempt; null while none is captured, and after a failure. */
  readonly change: {
    readonly files: number;
    readonly added: number;
    readonly removed: number;
    readonly paths: readonly string[];
  } | null;
  readonly tokens: number;
  /** Absent if the agent does not report it. */
  readonly cost?: number;
  /** From its first start until its work ended, or until now; without the wait for a pick. */
  readonly ms: number | null;
};

/** Every task of the run that has variants. */
export function buildVariants(state: State, run: Run, now: number): VariantGroup[] {
  return selectVariantGroups(run).flatMap(([root]) =>
    root === undefined ? [] : [buildVariantGroup(state, run, root, now)],
  );
}

export function buildVariantGroup(state: State, run: Run, task: Task, now: number): VariantGroup {
  const variants = selectVariants(run, task);
  const [root = task] = variants;
  const picked = selectPicked(run, task);
  return {
    task: root.id,
    title: buildTaskStatus(state, run, root, now).title,
    isUndecided: variants.some((one) => isUndecided(run, one)),
    ...(picked === undefined ? {} : {picked: picked.id}),
    variants: variants.map((variant) => toVariant(state, run, variant, now)),
  };
}

function toVariant(state: State, run: Run, task: Task, now: number): Variant {
  const own = run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter((session) => taskIdOfSession(session) === task.id);
  const costs = own.flatMap(({usage}) => usage.cost ?? []);
  const {stage} = task;
  const status = buildTaskStatus(state, run, task, now);
  return {
    ...status,
    task: task.id,
    checks: markFailed(status.checks, task),
    number: selectTaskNumber(run, task.id) ?? 0,
    commit: 'commit' in stage ? stage.commit : null,
    change: selectChange(task),
    tokens: own.reduce((sum, {usage}) => sum + selectTokens(usage), 0),
    ...(costs.length === 0 ? {} : {cost: costs.reduce((sum, cost) => sum + cost, 0)}),
    ms: selectWorkTime(own, task, now),
  };
}

/** The results of a failed attempt are gone, but not which check was red. */
function markFailed(checks: Variant['checks'], task: Task): Variant['checks'] {
  const step = selectAttempt(task)?.step;
  if (step?.at !== 'failed' || step.failure.kind !== 'check') return checks;
  const {name} = step.failure;
  return checks.map((check) => (check.name === name ? {...check, outcome: 'failed'} : check));
}

function selectChange(task: Task): Variant['change'] {
  const step = selectAttempt(task)?.step;
  const files = step !== undefined && 'change' in step ? step.change.files : undefined;
  if (files === undefined) return null;
  return {
    files: files.length,
    added: files.reduce((sum, {added}) => sum + added, 0),
    removed: files.reduce((sum, {removed}) => sum + removed, 0),
    paths: files.map(({path}) => path),
  };
}

function selectWorkTime(own: readonly Session[], {stage}: Task, now: number): number | null {
  const starts = own.flatMap(({life}) => ('since' in life ? (life.since ?? []) : []));
  if (starts.length === 0) return null;
  const ends = own
    .filter(({purpose}) => purpose.for !== 'check' || purpose.on === 'change')
    .map(({life}) => ('when' in life ? life.when : now));
  const end = hasWorkEnded(stage) ? Math.max(...ends) : now;
  return Math.max(0, end - Math.min(...starts));
}

function hasWorkEnded({at}: Task['stage']): boolean {
  return ['validated', 'merging', 'merged', 'stopped', 'discarded'].includes(at);
}

/** Each group as a table, and how to go on. */
export function formatVariants(groups: readonly VariantGroup[], width?: number): string {
  return groups
    .map((group) =>
      [
        `${group.task}  ${group.title}`,
        formatColumns(
          [
            ['', 'VARIANT', 'AGENT', 'STATE', 'CHECKS', 'CHANGE', 'TOKENS', 'COST', 'TIME'],
            ...group.variants.map((variant) => formatRow(variant, group.picked)),
          ],
          width,
        ).trimEnd(),
        ...formatNext(group),
        '',
      ].join('\n'),
    )
    .join('\n');
}

function formatRow(variant: Variant, picked: TaskId | undefined): string[] {
  const {task, agent, model, words, tokens, cost, ms} = variant;
  return [
    task === picked ? '*' : '',
    task,
    model === undefined ? agent : `${agent} with ${model}`,
    words,
    formatVariantChecks(variant),
    formatVariantChange(variant),
    formatTokens(tokens),
    formatCost(cost),
    ms === null ? '–' : formatAge(ms),
  ];
}

/** `2/2`, or the names of those that are not green. */
export function formatVariantChecks({checks}: Pick<Variant, 'checks'>): string {
  const counted = checks.filter(({outcome}) => outcome !== 'ignored');
  const red = counted.filter(({outcome}) => outcome !== 'passed' && outcome !== 'to-come');
  if (red.length > 0) return `${red.map(({name}) => name).join(', ')} red`;
  return `${counted.filter(({outcome}) => outcome === 'passed').length}/${counted.length}`;
}

/** `3 files +20 -4`. */
export function formatVariantChange({change}: Pick<Variant, 'change'>): string {
  return change === null
    ? '–'
    : `${pluralize(change.files, 'file')} +${change.added} -${change.removed}`;
}

function formatNext({variants, picked, isUndecided: isOpen}: VariantGroup): string[] {
  if (picked !== undefined) return [`${picked} was picked; the others are kept in refs.`];
  const green = variants.filter(({commit, stage}) => commit !== null && stage === 'validated');
  if (!isOpen) return [];
  if (green.length === 0) return ['None is green yet.'];
  const [first, second] = green;
  return [
    ...(first === undefined || second === undefined
      ? []
      : [`Compare two: orchestra diff ${second.task} --against ${first.task}`]),
    `Pick one: ${green.map(({task}) => `orchestra pick ${task}`).join('   ')}`,
  ];
}
