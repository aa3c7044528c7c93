import type {
  Attempt,
  Change,
  CheckResult,
  Event,
  Failure,
  Judgement,
  Task,
} from '../../domain/index.ts';

/** All that is known of one try, also of a red one, of which the state keeps the failure alone. */
export type AttemptRecord = {
  readonly number: number;
  readonly by: 'agent' | 'person';
  readonly interruptions: number;
  readonly repairs?: Failure;
  readonly hint?: string;
  readonly change?: Change;
  readonly judgement?: Judgement;
  readonly results: readonly CheckResult[];
  /** Those that were run beside the other tasks. */
  readonly merged: readonly CheckResult[];
  readonly failure?: Failure;
  readonly gaveUp?: string;
  readonly commit?: string;
  readonly end: 'passed' | 'failed' | 'gave-up' | 'abandoned' | 'under-way';
};

/** Every attempt of a task, in order. Without the events what the state has kept of them has to do. */
export function attemptRecordsOf(task: Task, events: readonly Event[] = []): AttemptRecord[] {
  const own = events.filter((event) => 'task' in event && event.task === task.id);
  return task.attempts.map((attempt) => ({...recordOf(attempt), ...toldOf(own, attempt.number)}));
}

function recordOf({number, by, interruptions, repairs, hint, step}: Attempt): AttemptRecord {
  return {
    number,
    by,
    interruptions,
    merged: [],
    results: 'results' in step ? step.results : [],
    end: endOf(step.at),
    ...(repairs !== undefined && {repairs}),
    ...(hint !== undefined && {hint}),
    ...('change' in step && {change: step.change}),
    ...('judgement' in step && {judgement: step.judgement}),
    ...('failure' in step && {failure: step.failure}),
    ...('words' in step && {gaveUp: step.words}),
    ...('commit' in step && {commit: step.commit}),
  };
}

function endOf(at: Attempt['step']['at']): AttemptRecord['end'] {
  return at === 'passed' || at === 'failed' || at === 'gave-up' || at === 'abandoned'
    ? at
    : 'under-way';
}

/** What the events say of one attempt. A check that was run again after a repair of the world counts by its last result. */
function toldOf(events: readonly Event[], attempt: number): Partial<AttemptRecord> {
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
