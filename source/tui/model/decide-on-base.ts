import {mendingPlan, planHash} from '../../documents/index.ts';
import {
  choiceOf,
  isBaselineFailed,
  redOnBase,
  runOf,
  undecidedOf,
  type BaselineDecision,
  type State,
} from '../../domain/index.ts';
import type {Model} from './model.ts';
import {only, saying, wishing, type Result} from './action.ts';

export type BaselineDeed =
  'baseline-mend' | 'baseline-ignore' | 'baseline-no-new' | 'baseline-count' | 'baseline-again';

const decisions: Readonly<Record<Exclude<BaselineDeed, 'baseline-again'>, BaselineDecision>> = {
  'baseline-mend': 'mend',
  'baseline-ignore': 'ignore',
  'baseline-no-new': 'no-new',
  'baseline-count': 'count',
};

/** About the first check that is red on the base and that nothing is decided about; those of the rules first, for the approval waits for them. */
export function decideOnBase(model: Model, does: BaselineDeed, state: State, now: number): Result {
  const run = model.run === undefined ? undefined : runOf(state, model.run);
  if (run === undefined || !('proposal' in run.stage))
    return only(saying(model, 'There is no plan yet, so its checks are not known.', now));
  if (does === 'baseline-again') {
    const isGreen = redOnBase(run).length === 0 && !isBaselineFailed(state, run);
    return isGreen
      ? only(saying(model, 'Nothing is red on the base; there is nothing to check again.', now))
      : wishing(model, {type: 'baseline-again', run: run.id});
  }

  const [red] = [
    ...undecidedOf(run),
    ...redOnBase(run).filter(({result}) => choiceOf(run, result.check) === undefined),
  ];
  if (red === undefined)
    return only(saying(model, 'No check is red on the base that nothing is decided about.', now));
  const wish = {
    type: 'choose-baseline',
    run: run.id,
    check: red.result.check.name,
    choice: decisions[does],
  } as const;
  if (does !== 'baseline-mend') return wishing(model, wish);
  const plan = mendingPlan(run.stage.proposal.plan, red.result);
  return wishing(model, {...wish, plan, hash: planHash(plan)});
}
