import {without} from '../../shared/index.ts';
import type {Baseline, BaselineResult} from '../baseline.ts';
import type {Run} from '../run.ts';
import {selectBaseline} from '../select/baseline.ts';
import {isServiceReady} from '../select/progress.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import type {CheckResult} from '../verdict.ts';
import {changeRun, type EventHandlers, formatOutOfOrder, type TransitionResult} from './change.ts';

type BaselineEvent =
  | 'baseline-recalled'
  | 'baseline-checked'
  | 'baseline-interrupted'
  | 'baseline-failed'
  | 'baseline-chosen'
  | 'baseline-asked-again';

export const baselineHandlers: EventHandlers<BaselineEvent> = {
  'baseline-recalled': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {base, rules, plan, setup, results, at} = event;
      const before = selectBaseline(run);
      const found = results.map((result): BaselineResult => ({
        base,
        ...(setup === undefined ? {} : {setup}),
        result,
        isRecalled: true,
        ...findMissingServices(state, run, result),
        at,
      }));
      return {
        ...run,
        baseline: {
          ...before,
          recalled: {base, rules, plan, ...(setup === undefined ? {} : {setup})},
          recalls: before.recalls + 1,
          results: mergeResults(before.results, found),
        },
      };
    }),

  'baseline-checked': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {base, setup, result, at} = event;
      const before = selectBaseline(run);
      return {
        ...run,
        baseline: {
          ...without(before, 'session'),
          results: mergeResults(before.results, [
            {
              base,
              ...(setup === undefined ? {} : {setup}),
              result,
              ...findMissingServices(state, run, result),
              at,
            },
          ]),
        },
      };
    }),

  'baseline-interrupted': (state, event) =>
    changeRun(state, event.run, (run) => {
      const before = selectBaseline(run);
      return before.session === event.session
        ? {
            ...run,
            baseline: {...without(before, 'session'), interruptions: before.interruptions + 1},
          }
        : formatOutOfOrder(event, 'another session');
    }),

  'baseline-failed': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {setup} = state.project;
      return {
        ...run,
        baseline: {
          ...without(selectBaseline(run), 'session'),
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
    changeRun(state, event.run, (run): TransitionResult<Run> => {
      const {check, choice, plan, hash, at} = event;
      if (run.stage.at !== 'reviewing' && run.stage.at !== 'working')
        return formatOutOfOrder(event, run.stage.at);
      const before = selectBaseline(run);
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
        tasks: run.tasks.map((task) => withoutCheckTrouble(task, check.name)),
      };
    }),

  'baseline-asked-again': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {check} = event;
      const before = selectBaseline(run);
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
        tasks: run.tasks.map((task) =>
          check === undefined ? task : withoutCheckTrouble(task, check),
        ),
      };
    }),
};

/**
 * Services start with the tasks that rely on them, so a check that needs one of them is red on the
 * base without it.
 */
function findMissingServices(
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

/** A later result of the same check on the same base replaces the earlier one. */
function mergeResults(
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

/** A task that waited for a decision about this check continues. */
function withoutCheckTrouble(task: Task, check: string): Task {
  const why = task.trouble?.why;
  return (why?.kind === 'red-on-base' || why?.kind === 'broken-check') && why.name === check
    ? without(task, 'trouble')
    : task;
}

/** Forgets the session that worked on the base; a new one starts if it is still needed. */
export function withoutBaselineSession(run: Run): Run {
  return run.baseline?.session === undefined
    ? run
    : {...run, baseline: without(run.baseline, 'session')};
}
