import type {Plan} from '../plan.ts';
import type {Check} from '../rules.ts';
import type {Run} from '../run.ts';
import {baselineResultOf, isBaselineDue} from '../select/baseline.ts';
import {runOf} from '../select/find.ts';
import {checksOf} from '../select/progress.ts';
import type {RunId} from '../ids.ts';
import type {State} from '../state.ts';
import {type Answer, refuse, type Refusal, type Wishes} from './answer.ts';
import {changedAtWork} from './plan-wishes.ts';

export const baselineWishes: Wishes<'choose-baseline' | 'baseline-again'> = {
  'choose-baseline': (state, {run: id, check: name, choice, plan, hash}) => {
    const found = checkOf(state, id, name);
    if ('refused' in found) return found;
    const {run, check} = found;
    const base = baselineResultOf(run, check)?.result;
    if (base?.outcome === 'passed')
      return refuse(`${name} is green on the base of ${id}; there is nothing to decide about it`);
    if (choice === 'no-new' && base === undefined)
      return refuse(
        `what ${name} shows on the base of ${id} is not known yet; wait for it, or choose another way`,
      );
    if (choice === 'no-new' && (base?.failures ?? []).length === 0)
      return refuse(
        `the report of ${name} does not name what failed, so new failures cannot be told from old ones; mend, ignore or count it`,
      );
    if (choice !== 'mend') return {type: 'baseline-chosen', run: id, check, choice};
    return mend(run, check, base === undefined, plan, hash);
  },

  'baseline-again': (state, {run: id, check: name}) => {
    const run = runOf(state, id);
    if (run === undefined) return refuse(`there is no run ${id}`);
    if (name !== undefined) {
      const found = checkOf(state, id, name);
      if ('refused' in found) return found;
    }

    if (!isBaselineDue(state, run))
      return refuse(
        `the base of ${id} cannot be checked ${run.head === undefined || run.stage.at === 'planning' ? 'before there is a plan' : 'any more: nothing may be merged yet, and there must be checks'}`,
      );
    return {type: 'baseline-asked-again', run: id, ...(name === undefined ? {} : {check: name})};
  },
};

function mend(
  run: Run,
  check: Check,
  isUnknown: boolean,
  plan: Plan | undefined,
  hash: string | undefined,
): Answer {
  if (isUnknown)
    return refuse(
      `what ${check.name} shows on the base of ${run.id} is not known yet; wait for it`,
    );
  if (plan === undefined || hash === undefined)
    return refuse('mending a check needs the plan with its first task');
  const begun = changedAtWork(run, plan);
  if (begun !== undefined)
    return refuse(
      `${begun} is at work already, so no task can come before it; ignore ${check.name}, accept no new failures, or count it`,
    );
  return {type: 'baseline-chosen', run: run.id, check, choice: 'mend', plan, hash};
}

function checkOf(
  state: State,
  id: RunId,
  name: string,
): {readonly run: Run; readonly check: Check} | Refusal {
  const run = runOf(state, id);
  if (run === undefined) return refuse(`there is no run ${id}`);
  if (run.stage.at !== 'reviewing' && run.stage.at !== 'working')
    return refuse(`${id} is ${run.stage.at}; its checks are decided about once there is a plan`);
  const checks = checksOf(run);
  const check = checks.find((one) => one.name === name);
  return check === undefined
    ? refuse(
        `${id} has no check "${name}"; its checks are ${checks.map((one) => one.name).join(', ') || 'none'}`,
      )
    : {run, check};
}
