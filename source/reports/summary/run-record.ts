import type {
  Attempt,
  Change,
  CheckResult,
  Event,
  Failure,
  Judgement,
  Plan,
  Rules,
  Run,
  Task,
} from '../../domain/index.ts';

/**
 * Everything known about one attempt. Of a failed attempt the state keeps only the failure; the
 * rest comes from the events.
 */
export type AttemptRecord = {
  readonly number: number;
  readonly by: 'agent' | 'person';
  readonly interruptions: number;
  readonly repairs?: Failure;
  readonly hint?: string;
  readonly change?: Change;
  readonly judgement?: Judgement;
  readonly results: readonly CheckResult[];
  /** Results of the checks that ran after merging with the other tasks. */
  readonly merged: readonly CheckResult[];
  readonly failure?: Failure;
  readonly gaveUp?: string;
  readonly commit?: string;
  readonly end: 'passed' | 'failed' | 'gave-up' | 'abandoned' | 'under-way';
};

/** Every attempt of a task, in order. Without events, only what the state has kept. */
export function toAttemptRecords(task: Task, events: readonly Event[] = []): AttemptRecord[] {
  const own = events.filter((event) => 'task' in event && event.task === task.id);
  return task.attempts.map((attempt) => ({
    ...recordFromState(attempt),
    ...recordFromEvents(own, attempt.number),
  }));
}

function recordFromState({number, by, interruptions, repairs, hint, step}: Attempt): AttemptRecord {
  return {
    number,
    by,
    interruptions,
    merged: [],
    results: 'results' in step ? step.results : [],
    end: toEnd(step.at),
    ...(repairs !== undefined && {repairs}),
    ...(hint !== undefined && {hint}),
    ...('change' in step && {change: step.change}),
    ...('judgement' in step && {judgement: step.judgement}),
    ...('failure' in step && {failure: step.failure}),
    ...('words' in step && {gaveUp: step.words}),
    ...('commit' in step && {commit: step.commit}),
  };
}

function toEnd(at: Attempt['step']['at']): AttemptRecord['end'] {
  return at === 'passed' || at === 'failed' || at === 'gave-up' || at === 'abandoned'
    ? at
    : 'under-way';
}

/**
 * What the events say about one attempt. Of a check that ran more than once, the last result
 * counts.
 */
function recordFromEvents(events: readonly Event[], attempt: number): Partial<AttemptRecord> {
  const own = events.filter((event) => 'attempt' in event && event.attempt === attempt);
  const change = own.findLast((event) => event.type === 'change-captured')?.change;
  const judgement = own.findLast((event) => event.type === 'change-judged')?.judgement;
  const gaveUp = own.findLast((event) => event.type === 'agent-gave-up')?.words;
  const commit = own.findLast((event) => event.type === 'change-committed')?.commit;
  const finished = own.filter((event) => event.type === 'check-finished');
  const results = lastOfEach(finished.filter(({on}) => on === 'change').map(({result}) => result));
  const merged = lastOfEach(finished.filter(({on}) => on === 'merge').map(({result}) => result));
  return {
    ...(change !== undefined && {change}),
    ...(judgement !== undefined && {judgement}),
    ...(gaveUp !== undefined && {gaveUp}),
    ...(commit !== undefined && {commit}),
    ...(results.length > 0 && {results}),
    ...(merged.length > 0 && {merged}),
  };
}

function lastOfEach(results: readonly CheckResult[]): CheckResult[] {
  return [...new Map(results.map((result) => [result.check.name, result])).values()];
}

/**
 * The plan and rules of a run. The state drops them when the run is over; the events still have
 * them.
 */
export function planOfRun(
  run: Run,
  events: readonly Event[] = [],
): {readonly plan?: Plan; readonly rules?: Rules} {
  const {stage} = run;
  const own = events.filter((event) => 'run' in event && event.run === run.id);
  const plan =
    'proposal' in stage
      ? stage.proposal.plan
      : own.findLast(
          (event) =>
            event.type === 'plan-received' ||
            event.type === 'plan-made' ||
            event.type === 'plan-edited',
        )?.plan;
  const rules = 'ground' in stage ? stage.ground.rules : rulesIn(own);
  return {...(plan !== undefined && {plan}), ...(rules !== undefined && {rules})};
}

function rulesIn(events: readonly Event[]): Rules | undefined {
  const last = events.findLast(
    (event) => event.type === 'run-surveyed' || event.type === 'rules-changed',
  );
  if (last === undefined) return undefined;
  return last.type === 'run-surveyed' ? last.ground.rules : last.rules;
}
