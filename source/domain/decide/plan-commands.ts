import {isSame} from '../../shared/index.ts';
import type {Plan} from '../plan.ts';
import type {Run, RunStage} from '../run.ts';
import {selectUndecided} from '../select/baseline.ts';
import {selectRun, selectService} from '../select/find.ts';
import {selectOpenPlanner, selectUnreadTurn} from '../select/planner.ts';
import type {RunId} from '../ids.ts';
import type {State} from '../state.ts';
import type {CheckResult} from '../verdict.ts';
import {type CommandHandlers, type Refusal, refuse} from './answer.ts';

export const planCommandHandlers: CommandHandlers<
  'comment-plan' | 'edit-plan' | 'reject-plan' | 'approve-plan' | 'plan-again'
> = {
  'comment-plan': (state, {run: id, line, text}) => {
    const review = findReview(state, id);
    return 'refused' in review ? review : {type: 'plan-commented', run: id, line, text};
  },

  'edit-plan': (state, {run: id, plan, hash}) => {
    const run = selectRun(state, id);
    if (run?.stage.at !== 'reviewing' && run?.stage.at !== 'working')
      return refuse(`${id} has no plan that can be edited`);
    if (run.stage.proposal.hash === hash) return refuse('the plan is the same as before');
    const begun = findChangedTaskAtWork(run, plan);
    if (begun !== undefined)
      return refuse(`${begun} has already started; an edited plan must keep it unchanged`);
    return {type: 'plan-edited', run: id, plan, hash};
  },

  'reject-plan': (state, {run: id, plan, reason}) => {
    const review = findReview(state, id);
    if ('refused' in review) return review;
    if (review.proposal.hash !== plan)
      return refuse('the plan has changed since you looked; read the new one first');
    if (reason.trim() === '' && review.proposal.comments.length === 0)
      return refuse('a rejection needs a reason; the planner uses it for the next plan');
    const hasBegun = selectRun(state, id)?.tasks.some(({attempts}) => attempts.length > 0) ?? false;
    if (hasBegun)
      return refuse(`work on ${id} has started under this plan; edit the plan, or discard the run`);
    return {type: 'plan-rejected', run: id, reason};
  },

  'approve-plan': (state, {run: id, plan, rules, base, by}) => {
    const review = findReview(state, id);
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
      .find((name) => selectService(state, name) === undefined);
    if (unknown !== undefined)
      return refuse(
        `the plan needs the service "${unknown}", which is not declared; declare it or edit the plan`,
      );
    const run = selectRun(state, id);
    const [undecided] = run === undefined ? [] : selectUndecided(run);
    if (undecided !== undefined) return refuse(formatRedCheck(id, undecided.result));
    const planner = run === undefined ? undefined : selectOpenPlanner(state, run);
    if (planner !== undefined && selectUnreadTurn(planner) !== undefined)
      return refuse('the planner has just answered; read its answer before you approve');
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
    const stage = selectRun(state, id)?.stage;
    if (stage === undefined) return refuse(`there is no run ${id}`);
    if (stage.at !== 'planless')
      return refuse(`${id} is ${stage.at}; planning again is possible after planning failed`);
    // A conversation that failed, or in which the planner changed files, would lead to the same
    // result.
    const isAnew = stage.why.kind === 'planner-failed' || stage.why.kind === 'planner-wrote';
    return {
      type: 'planning-retried',
      run: id,
      ...(reason === undefined ? {} : {reason}),
      ...(isAnew ? {anew: true} : {}),
    };
  },
};

const redOutcomes: Readonly<Record<CheckResult['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  'timed-out': 'timed out',
  broken: 'cannot run',
};

/** An approval requires a decision about every check that is red on the base. */
function formatRedCheck(id: RunId, {check: {name}, outcome}: CheckResult): string {
  return (
    `${name} ${redOutcomes[outcome]} on the unchanged base of ${id}; decide first what to ` +
    `do about it: mend, ignore, no-new or count (orchestra baseline ${id})`
  );
}

function findReview(state: State, id: RunId): Extract<RunStage, {at: 'reviewing'}> | Refusal {
  const stage = selectRun(state, id)?.stage;
  if (stage === undefined) return refuse(`there is no run ${id}`);
  return stage.at === 'reviewing'
    ? stage
    : refuse(`${id} has no plan that waits for your approval; it is ${stage.at}`);
}

/** A task that has begun and is changed by, or missing from, the new plan. */
export function findChangedTaskAtWork(run: Run, {tasks}: Plan): string | undefined {
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
