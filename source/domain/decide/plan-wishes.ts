import {isSame} from '../../base/index.ts';
import type {Plan} from '../plan.ts';
import type {Run, RunStage} from '../run.ts';
import {undecidedOf} from '../select/baseline.ts';
import {runOf, serviceOf} from '../select/find.ts';
import type {RunId} from '../ids.ts';
import type {State} from '../state.ts';
import type {CheckResult} from '../verdict.ts';
import {refuse, type Refusal, type Wishes} from './answer.ts';

export const planWishes: Wishes<
  'comment-plan' | 'edit-plan' | 'reject-plan' | 'approve-plan' | 'plan-again'
> = {
  'comment-plan': (state, {run: id, line, text}) => {
    const review = reviewOf(state, id);
    return 'refused' in review ? review : {type: 'plan-commented', run: id, line, text};
  },

  'edit-plan': (state, {run: id, plan, hash}) => {
    const run = runOf(state, id);
    if (run?.stage.at !== 'reviewing' && run?.stage.at !== 'working')
      return refuse(`${id} has no plan that can be edited`);
    if (run.stage.proposal.hash === hash) return refuse('the plan is the same as before');
    const begun = changedAtWork(run, plan);
    if (begun !== undefined)
      return refuse(`${begun} is at work already; an edited plan keeps it as it is`);
    return {type: 'plan-edited', run: id, plan, hash};
  },

  'reject-plan': (state, {run: id, plan, reason}) => {
    const review = reviewOf(state, id);
    if ('refused' in review) return review;
    if (review.proposal.hash !== plan)
      return refuse('another plan has come since; look at it first');
    if (reason.trim() === '' && review.proposal.comments.length === 0)
      return refuse('say why: the planner plans again with your reason');
    const hasBegun = runOf(state, id)?.tasks.some(({attempts}) => attempts.length > 0) ?? false;
    if (hasBegun)
      return refuse(`work on ${id} has begun under this plan; edit the plan, or discard the run`);
    return {type: 'plan-rejected', run: id, reason};
  },

  'approve-plan': (state, {run: id, plan, rules, base, by}) => {
    const review = reviewOf(state, id);
    if ('refused' in review) return review;
    const {ground, proposal} = review;
    const different = [
      ...(plan === proposal.hash ? [] : ['the plan']),
      ...(rules === ground.rules.hash ? [] : ['the rules']),
      ...(base === ground.base ? [] : ['the base commit']),
    ];
    if (different.length > 0)
      return refuse(
        `${different.join(' and ')} changed since you looked; read it again before you approve`,
      );
    const unknown = proposal.plan.tasks
      .flatMap(({services}) => services)
      .find((name) => serviceOf(state, name) === undefined);
    if (unknown !== undefined)
      return refuse(
        `the plan needs a service "${unknown}" that nobody has declared; declare it or edit the plan`,
      );
    const run = runOf(state, id);
    const [undecided] = run === undefined ? [] : undecidedOf(run);
    if (undecided !== undefined) return refuse(redWords(id, undecided.result));
    return {
      type: 'plan-approved',
      run: id,
      plan,
      rules,
      base,
      client: by.kind === 'person' ? by.client : by.session,
    };
  },

  'plan-again': (state, {run: id, reason}) => {
    const stage = runOf(state, id)?.stage;
    if (stage === undefined) return refuse(`there is no run ${id}`);
    if (stage.at !== 'planless')
      return refuse(`${id} is ${stage.at}; a plan is asked for again when planning has failed`);
    // A conversation that failed, or in which the planner wrote, would only bring the same again.
    const isAnew = stage.why.kind === 'planner-failed' || stage.why.kind === 'planner-wrote';
    return {
      type: 'planning-retried',
      run: id,
      ...(reason === undefined ? {} : {reason}),
      ...(isAnew ? {anew: true} : {}),
    };
  },
};

/** Whoever approves has said what is done about what is red already. */
function redWords(id: RunId, {check: {name}, outcome}: CheckResult): string {
  const state =
    outcome === 'broken' ? 'cannot be run' : outcome === 'timed-out' ? 'takes too long' : 'is red';
  return `${name} ${state} on the base of ${id}, without any change; say first what is done about it: mend, ignore, no-new or count (orchestra baseline ${id})`;
}

function reviewOf(state: State, id: RunId): Extract<RunStage, {at: 'reviewing'}> | Refusal {
  const stage = runOf(state, id)?.stage;
  if (stage === undefined) return refuse(`there is no run ${id}`);
  return stage.at === 'reviewing'
    ? stage
    : refuse(`${id} has no plan that waits for you; it is ${stage.at}`);
}

/** A task that has begun, and that the new plan lacks or changes. */
export function changedAtWork(run: Run, {tasks}: Plan): string | undefined {
  return run.tasks.find(({planned, stage, attempts}) => {
    const hasBegun = stage.at !== 'waiting' || attempts.length > 0;
    return (
      hasBegun &&
      !isSame(
        planned,
        tasks.find(({id}) => id === planned.id),
      )
    );
  })?.id;
}
