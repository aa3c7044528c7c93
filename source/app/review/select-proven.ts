import {
  type Failure,
  isTaskId,
  type Judgement,
  type Run,
  type RunId,
  runIdIn,
  selectAttempt,
  selectChecks,
  selectChoice,
  selectRun,
  type State,
  type Task,
  type TaskId,
} from '../../domain/index.ts';

/** One thing that is known about the change: proven, disproved, or left to the person. */
export type Proof = {readonly kind: 'proven' | 'broken' | 'open'; readonly text: string};

/** What tasks, checks and rules prove about a run or a task, and what is left to judge. */
export function selectProofs(state: State, subject: RunId | TaskId): readonly Proof[] {
  const run = selectRun(state, runIdIn(subject));
  if (run === undefined) return [];
  if (!isTaskId(subject))
    return [proofOfMerges(run), ...proofsOfChecks(run), ...proofsOfRules(run, run.tasks)];
  const task = run.tasks.find(({id}) => id === subject);
  return task === undefined ? [] : [...proofsOfTask(run, task), ...proofsOfRules(run, [task])];
}

function proofOfMerges({tasks}: Run): Proof {
  const open = tasks.filter(({stage}) => stage.at !== 'discarded');
  const merged = open.filter(({stage}) => stage.at === 'merged').length;
  if (merged < open.length || merged === 0)
    return {kind: 'open', text: `${merged} of ${open.length} tasks merged so far`};
  return {
    kind: 'proven',
    text: merged === 1 ? '1 task merged' : `${merged} tasks merged, one by one`,
  };
}

/** A merge counts only if all checks passed on its result. */
function proofsOfChecks(run: Run): Proof[] {
  const hasMerged = run.tasks.some(({stage}) => stage.at === 'merged');
  const checks = selectChecks(run);
  const ignored = checks.filter((check) => selectChoice(run, check) === 'ignore');
  const names = checks.filter((check) => !ignored.includes(check)).map(({name}) => name);
  return [
    ...(hasMerged && names.length > 0
      ? [{kind: 'proven' as const, text: `${names.join(', ')} green after each`}]
      : []),
    ...(checks.length === 0 && hasMerged
      ? [{kind: 'open' as const, text: 'no checks: nothing was run'}]
      : []),
    ...ignored.map(({name}): Proof => ({
      kind: 'open',
      text: `${name} was not run: it is red on the base`,
    })),
  ];
}

function proofsOfTask(run: Run, task: Task): Proof[] {
  const step = selectAttempt(task)?.step;
  const results = step !== undefined && 'results' in step ? step.results : [];
  if (task.stage.at === 'merged')
    return [{kind: 'proven', text: 'merged'}, ...proofsOfChecks({...run, tasks: [task]})];
  const failure = step?.at === 'failed' ? formatFailure(step.failure) : undefined;
  if (failure !== undefined) return [{kind: 'broken', text: failure}];
  if (results.length === 0) return [{kind: 'open', text: 'no check was run yet'}];
  return results.map(({check, outcome}) => ({
    kind: outcome === 'passed' ? 'proven' : 'broken',
    text: `${check.name} ${outcome}`,
  }));
}

/** Failures of checks and rules; the others say nothing about the change. */
function formatFailure(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'check':
      return `${failure.name} failed`;
    case 'rule':
      return `${failure.number} is broken: ${failure.detail}`;
    case 'scope':
      return `outside of the plan: ${failure.paths.join(', ')}`;
    default:
      return undefined;
  }
}

/** Each rule counts once: broken if one task broke it, kept if all kept it, else yours to judge. */
function proofsOfRules(run: Run, tasks: readonly Task[]): Proof[] {
  const judgements = tasks.flatMap((task) => selectJudgement(task) ?? []);
  const verdicts = new Map<string, Set<string>>();
  for (const {rules} of judgements)
    for (const {number, verdict} of rules)
      verdicts.set(number, (verdicts.get(number) ?? new Set()).add(verdict));
  const having = (verdict: string): string[] =>
    [...verdicts].filter(([, own]) => own.has(verdict)).map(([number]) => number);
  const broken = having('broken');
  // What a check proves stands in the line of that check.
  const checked = selectCheckedRules(run);
  const open = having('not-checkable').filter(
    (number) => !broken.includes(number) && !checked.has(number),
  );
  const metCount = having('kept').filter(
    (number) => !broken.includes(number) && !open.includes(number),
  ).length;
  const outside = [...new Set(judgements.flatMap((judgement) => judgement.outside))];
  return [
    ...(metCount === 0 ? [] : [toProofOfRules(metCount, broken.length)]),
    ...(broken.length === 0
      ? []
      : [{kind: 'broken' as const, text: `broken: ${broken.join(', ')}`}]),
    ...(outside.length === 0
      ? []
      : [{kind: 'broken' as const, text: `outside of the plan: ${outside.join(', ')}`}]),
    ...open.map((number): Proof => ({kind: 'open', text: toOpenText(run, number)})),
  ];
}

/** Rules that a check of the run proves. A check that is ignored proves nothing. */
function selectCheckedRules(run: Run): ReadonlySet<string> {
  if (!('ground' in run.stage)) return new Set();
  const names = new Set(
    selectChecks(run)
      .filter((check) => selectChoice(run, check) !== 'ignore')
      .map(({name}) => name),
  );
  return new Set(
    run.stage.ground.rules.rules
      .filter(({check}) => check !== undefined && names.has(check))
      .map(({number}) => number),
  );
}

function toProofOfRules(metCount: number, broken: number): Proof {
  const text = `${metCount} ${metCount === 1 ? 'rule' : 'rules'} kept`;
  return {kind: 'proven', text: broken === 0 ? `${text}, none broken` : text};
}

function toOpenText({stage}: Run, number: string): string {
  const rule =
    'ground' in stage ? stage.ground.rules.rules.find((one) => one.number === number) : undefined;
  return `${number} is yours to judge${rule === undefined ? '' : `: ${rule.text}`}`;
}

/** The latest attempt that was judged. */
function selectJudgement({attempts, stage}: Task): Judgement | undefined {
  if (stage.at === 'discarded') return undefined;
  const step = attempts.findLast((attempt) => 'judgement' in attempt.step)?.step;
  return step !== undefined && 'judgement' in step ? step.judgement : undefined;
}
