import {without} from '../../base/index.ts';
import {type Baseline, type BaselineResult} from '../baseline.ts';
import type {Run} from '../run.ts';
import {baselineOf} from '../select/baseline.ts';
import {attemptOf} from '../select/find.ts';
import {isServiceReady} from '../select/progress.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import type {CheckResult} from '../verdict.ts';
import {cameTooLate, changeRun, type Fit, type Handlers, withAttempt} from './change.ts';

type BaselineEvent =
  | 'baseline-recalled'
  | 'baseline-checked'
  | 'baseline-interrupted'
  | 'baseline-failed'
  | 'baseline-chosen'
  | 'baseline-asked-again';

export const baseline: Handlers<BaselineEvent> = {
  'baseline-recalled': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {base, rules, plan, setup, results, at} = event;
      const before = baselineOf(run);
      const found = results.map((result): BaselineResult => ({
        base,
        ...(setup === undefined ? {} : {setup}),
        result,
        isRecalled: true,
        ...lacking(state, run, result),
        at,
      }));
      return {
        ...run,
        baseline: {
          ...before,
          recalled: {base, rules, plan, ...(setup === undefined ? {} : {setup})},
          recalls: before.recalls + 1,
          results: merged(before.results, found),
        },
      };
    }),

  'baseline-checked': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {base, setup, result, at} = event;
      const before = baselineOf(run);
      return {
        ...run,
        baseline: {
          ...without(before, 'session'),
          results: merged(before.results, [
            {
              base,
              ...(setup === undefined ? {} : {setup}),
              result,
              ...lacking(state, run, result),
              at,
            },
          ]),
        },
      };
    }),

  'baseline-interrupted': (state, event) =>
    changeRun(state, event.run, (run) => {
      const before = baselineOf(run);
      return before.session === event.session
        ? {
            ...run,
            baseline: {...without(before, 'session'), interruptions: before.interruptions + 1},
          }
        : cameTooLate(event, 'another session');
    }),

  'baseline-failed': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {setup} = state.project;
      return {
        ...run,
        baseline: {
          ...without(baselineOf(run), 'session'),
          failed: {
            why: event.why,
            base: run.head ?? '',
            ...(setup === undefined ? {} : {setup}),
            at: event.at,
          },
        },
      };
    }),

  'baseline-chosen': (state, event) =>
    changeRun(state, event.run, (run): Fit<Run> => {
      const {check, choice, plan, hash, at} = event;
      if (run.stage.at !== 'reviewing' && run.stage.at !== 'working')
        return cameTooLate(event, run.stage.at);
      const before = baselineOf(run);
      const choices = [
        ...before.choices.filter((other) => other.check.name !== check.name),
        {check, choice, at},
      ];
      const {proposal} = run.stage;
      const stage =
        plan === undefined || hash === undefined
          ? run.stage
          : {...run.stage, proposal: {...proposal, plan, hash}};
      return {
        ...run,
        stage,
        baseline: {...before, choices},
        tasks: run.tasks.map((task) => decided(task, check.name)),
      };
    }),

  'baseline-asked-again': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {check} = event;
      const before = baselineOf(run);
      const isMeant = (name: string): boolean => check === undefined || check === name;
      const asked: Baseline = {
        ...without(before, 'failed'),
        interruptions: 0,
        results: before.results.filter(
          ({result}) => result.outcome === 'passed' || !isMeant(result.check.name),
        ),
        choices: before.choices.filter(
          (choice) => check === undefined || choice.check.name !== check,
        ),
      };
      return {
        ...run,
        baseline: asked,
        tasks: run.tasks.map((task) => (check === undefined ? task : decided(task, check))),
      };
    }),
};

/** Services begin with the tasks that rely on them: a check that asks one of them is red on the base for want of it. */
function lacking(
  state: State,
  {stage}: Run,
  {outcome}: CheckResult,
): Pick<BaselineResult, 'lacks'> {
  if (
    (outcome !== 'failed' && outcome !== 'timed-out') ||
    (stage.at !== 'reviewing' && stage.at !== 'working')
  )
    return {};
  const names = new Set(stage.proposal.plan.tasks.flatMap(({services}) => services));
  const lacks = [...names].filter((name) => !isServiceReady(state, name));
  return lacks.length === 0 ? {} : {lacks};
}

/** A later result of the same check on the same base takes the place of the one before. */
function merged(
  before: readonly BaselineResult[],
  found: readonly BaselineResult[],
): BaselineResult[] {
  const isReplaced = (known: BaselineResult): boolean =>
    found.some(
      ({base, result: {check}}) =>
        base === known.base &&
        check.name === known.result.check.name &&
        check.command === known.result.check.command,
    );
  return [...before.filter((known) => !isReplaced(known)), ...found];
}

/** A task that waited for a person's word about this check goes on by it. */
function decided(task: Task, check: string): Task {
  const why = task.trouble?.why;
  return (why?.kind === 'red-on-base' || why?.kind === 'broken-check') && why.name === check
    ? without(task, 'trouble')
    : task;
}

/** Whatever was at work on the base is not counted on any more; it is begun anew where it is still wanted. */
export function withoutBaselineSession(run: Run): Run {
  return run.baseline?.session === undefined
    ? run
    : {...run, baseline: without(run.baseline, 'session')};
}

/** A check that was red, as it was without the change, is run again after a person's word. */
export function withoutResult(task: Task, check: string): Task {
  const attempt = attemptOf(task);
  const {stage} = task;
  if (stage.at === 'merging' && stage.step.at === 'checking')
    return {
      ...task,
      stage: {
        ...stage,
        step: {
          ...stage.step,
          results: stage.step.results.filter((result) => result.check.name !== check),
        },
      },
    };
  if (attempt?.step.at !== 'checking') return task;
  return withAttempt(task, {
    ...attempt,
    step: {
      ...attempt.step,
      results: attempt.step.results.filter((result) => result.check.name !== check),
    },
  });
}
