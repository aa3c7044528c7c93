import type {Check, Plan} from '../plan.ts';
import type {Run} from '../run.ts';
import {isBaselineDue, selectBaselineResult} from '../select/baseline.ts';
import {selectRun} from '../select/find.ts';
import {selectChecks} from '../select/progress.ts';
import type {RunId} from '../ids.ts';
import type {State} from '../state.ts';
import {type Answer, type CommandHandlers, type Refusal, refuse} from './answer.ts';
import {findChangedTaskAtWork} from './plan-commands.ts';

export const baselineCommandHandlers: CommandHandlers<'choose-baseline' | 'baseline-again'> = {
  'choose-baseline': (state, {run: id, check: name, choice, plan, hash}) => {
    const found = findCheck(state, id, name);
    if ('refused' in found) return found;
    const {run, check} = found;
    const base = selectBaselineResult(run, check)?.result;
    if (base?.outcome === 'passed')
      return refuse(`${name} passed on the base of ${id}; there is nothing to decide about it`);
    if (choice === 'no-new' && base === undefined)
      return refuse(
        `the result of ${name} on the base of ${id} is not known yet; wait for it, or choose another way`,
      );
    if (choice === 'no-new' && (base?.failures ?? []).length === 0)
      return refuse(
        `the report of ${name} does not name what failed, so new failures look like old ones; mend, ignore or count it`,
      );
    if (choice !== 'mend') return {type: 'baseline-chosen', run: id, check, choice};
    return mendCheck(run, check, base === undefined, plan, hash);
  },

  'baseline-again': (state, {run: id, check: name}) => {
    const run = selectRun(state, id);
    if (run === undefined) return refuse(`there is no run ${id}`);
    if (name !== undefined) {
      const found = findCheck(state, id, name);
      if ('refused' in found) return found;
    }

    if (!isBaselineDue(state, run))
      return refuse(
        `the base of ${id} cannot be checked ` +
          (run.head === undefined || run.stage.at === 'planning'
            ? 'before there is a plan'
            : 'now: that needs checks, and no merged task'),
      );
    return {type: 'baseline-asked-again', run: id, ...(name === undefined ? {} : {check: name})};
  },
};

function mendCheck(
  run: Run,
  check: Check,
  isUnknown: boolean,
  plan: Plan | undefined,
  hash: string | undefined,
): Answer {
  if (isUnknown)
    return refuse(
      `the result of ${check.name} on the base of ${run.id} is not known yet; wait for it`,
    );
  if (plan === undefined || hash === undefined)
    return refuse('mending a check needs the plan with its first task');
  const begun = findChangedTaskAtWork(run, plan);
  if (begun !== undefined)
    return refuse(
      `${begun} has already started, so no task can come before it; ignore ` +
        `${check.name}, accept no new failures, or count it`,
    );
  return {type: 'baseline-chosen', run: run.id, check, choice: 'mend', plan, hash};
}

function findCheck(
  state: State,
  id: RunId,
  name: string,
): {readonly run: Run; readonly check: Check} | Refusal {
  const run = selectRun(state, id);
  if (run === undefined) return refuse(`there is no run ${id}`);
  if (run.stage.at !== 'reviewing' && run.stage.at !== 'working')
    return refuse(`${id} is ${run.stage.at}; decide about its checks once there is a plan`);
  const checks = selectChecks(run);
  const check = checks.find((one) => one.name === name);
  return check === undefined
    ? refuse(
        `${id} has no check "${name}"; its checks are ${checks.map((one) => one.name).join(', ') || 'none'}`,
      )
    : {run, check};
}
