import {
  isRunActive,
  memoizedNeeds,
  type Plan,
  type Run,
  selectCountedTasks,
  selectOpenRuns,
  selectTokens,
  type State,
  usageOfRun,
} from '../../domain/index.ts';
import {type NeedLabel, toNeedLabel, toSafeLine} from '../../reports/index.ts';
import {countTasks, type TaskCounts} from './count-tasks.ts';

/** The right side of row 0: how far the run in view is, and what it has used. */
export type RunProgress = {
  readonly merged: number;
  /** Without discarded tasks, and of several variants one. Before the approval: the tasks of the proposed plan. */
  readonly all: number;
  readonly tokens: number;
  /** Undefined where no agent reports it. */
  readonly cost: number | undefined;
};

export function selectRunProgress(state: State, run: Run): RunProgress {
  const usage = usageOfRun(state, run);
  const open = selectCountedTasks(run).filter(({stage}) => stage.at !== 'discarded');
  const proposed = 'proposal' in run.stage ? countPlanned(run.stage.proposal.plan) : 0;
  return {
    merged: open.filter(({stage}) => stage.at === 'merged').length,
    all: run.tasks.length === 0 ? proposed : open.length,
    tokens: selectTokens(usage),
    cost: usage.cost,
  };
}

/** Variants count once, with the task that they are variants of. */
function countPlanned({tasks}: Plan): number {
  return tasks.filter(({variantOf}) => variantOf === undefined).length;
}

/** Row 1: what needs the person. `key` is the action that its key leads to. */
export type Attention =
  /** `lastSeen`: when the daemon last answered. */
  | {
      readonly kind: 'disconnected';
      readonly tone: 'warn';
      readonly lastSeen: number | undefined;
    }
  /** The disk is full, or the journal cannot be written. */
  | {readonly kind: 'trouble'; readonly tone: 'bad'; readonly text: string}
  | {
      readonly kind: 'needs';
      readonly tone: 'warn';
      readonly count: number;
      readonly need: NeedLabel;
      readonly waitingMs: number;
      readonly key: {readonly action: 'next-need'; readonly verb: NeedLabel['verb']};
    }
  | {
      readonly kind: 'ready';
      readonly tone: 'good';
      readonly run: Run['id'];
      readonly objective: string;
      /** The branch that it is accepted into. */
      readonly branch: string;
      readonly key: {readonly action: 'accept-run'};
    }
  | {
      readonly kind: 'running';
      readonly tone: 'dim';
      readonly counts: TaskCounts;
      readonly isAccepting: boolean;
      /** Since the oldest run that is under way was asked for. */
      readonly elapsedMs: number;
    }
  | {readonly kind: 'idle'; readonly tone: 'dim'; readonly key: {readonly action: 'new-objective'}};

export type AttentionOptions = {
  readonly now: number;
  /** The need that is on the screen; without it, the oldest is named. */
  readonly shown?: string | undefined;
  /** Set while the app has no connection. */
  readonly disconnected?: {readonly lastSeen: number | undefined} | undefined;
  /** The sentence about the journal or the disk, if something is wrong with them. */
  readonly trouble?: string | undefined;
};

/** The first row of the table in the design that holds. */
export function selectAttention(
  state: State,
  {now, shown, disconnected, trouble}: AttentionOptions,
): Attention {
  if (disconnected !== undefined)
    return {kind: 'disconnected', tone: 'warn', lastSeen: disconnected.lastSeen};
  if (trouble !== undefined) return {kind: 'trouble', tone: 'bad', text: toSafeLine(trouble)};
  return selectNeedsAttention(state, shown, now) ?? selectQuietAttention(state, now);
}

function selectNeedsAttention(
  state: State,
  shown: string | undefined,
  now: number,
): Attention | undefined {
  const needs = memoizedNeeds(state);
  const need = needs.find(({id}) => id === shown) ?? needs[0];
  if (need === undefined) return undefined;
  const label = toNeedLabel(state, need);
  // A single run that is ready is good news, not a problem.
  if (needs.length === 1 && need.kind === 'accept' && need.refusal === undefined)
    return {
      kind: 'ready',
      tone: 'good',
      run: need.run,
      objective: label.title,
      branch: selectBranch(state, need.run),
      key: {action: 'accept-run'},
    };
  return {
    kind: 'needs',
    tone: 'warn',
    count: needs.length,
    need: label,
    waitingMs: Math.max(0, now - need.since),
    key: {action: 'next-need', verb: label.verb},
  };
}

function selectBranch(state: State, id: Run['id']): string {
  const run = selectOpenRuns(state).find((one) => one.id === id);
  const branch = run !== undefined && 'ground' in run.stage ? run.stage.ground.branch : null;
  return toSafeLine(branch ?? 'your branch');
}

function selectQuietAttention(state: State, now: number): Attention {
  const runs = selectOpenRuns(state).filter(isRunActive);
  const counts = countTasks(state, runs, now);
  const {plans, works, checks, waits} = counts;
  const isAccepting = runs.some(({stage}) => stage.at === 'accepting');
  if (plans + works + checks + waits === 0 && !isAccepting)
    return {kind: 'idle', tone: 'dim', key: {action: 'new-objective'}};
  return {
    kind: 'running',
    tone: 'dim',
    counts,
    isAccepting,
    elapsedMs: Math.max(0, now - Math.min(...runs.map(({createdAt}) => createdAt))),
  };
}
