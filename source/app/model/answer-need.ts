import {formatPlanFile} from '../../plan/index.ts';
import {selectRun, type State} from '../../domain/index.ts';
import {noChange, openField, type Result, withCommands, withEffects, withNotice} from './action.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from './model.ts';
import {selectAnswerOptions} from './needs-queue.ts';
import {selectPlanComments, sendPlanComments} from './comments.ts';

/** Approves, edits or rejects the plan in view. */
export function answerPlan(
  model: Model,
  action: 'approve' | 'edit-plan' | 'reject-plan',
  state: State,
  now: number,
): Result {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (run?.stage.at !== 'reviewing')
    return noChange(
      withNotice(
        model,
        run === undefined
          ? 'There is no plan.'
          : `The plan of ${run.id} does not wait for you: it is ${run.stage.at}.`,
        now,
      ),
    );
  const {proposal, ground} = run.stage;
  if (action === 'approve') {
    // No planner reads comments on an approved plan, but the journal records them.
    const {model: sending, commands} = sendPlanComments(model, run);
    return withCommands(sending, ...commands, {
      type: 'approve-plan',
      run: run.id,
      plan: proposal.hash,
      rules: ground.rules.hash,
      base: ground.base,
    });
  }

  if (action === 'edit-plan')
    return withEffects(model, {
      type: 'edit',
      name: `${run.id}-plan.yaml`,
      text: model.draft?.run === run.id ? model.draft.text : formatPlanFile(proposal.plan),
    });
  return noChange(
    openField(
      model,
      {what: 'reject', run: run.id, plan: proposal.hash},
      proposal.comments.length + selectPlanComments(model, run).length === 0
        ? 'Reason'
        : 'Reason (optional)',
    ),
  );
}

/** Sends the chosen option as the answer; without one, opens a field for it. */
export function answerQuestion(model: Model, option: number | undefined, now: number): Result {
  const {need} = model;
  if (
    need?.kind !== 'question' &&
    need?.kind !== 'uncertain-input' &&
    need?.kind !== 'planner-waits'
  )
    return noChange(model);
  if (need.kind === 'question' && need.secret)
    return noChange(
      openField(model, {what: 'secret', session: need.session, need: need.id}, 'Secret'),
    );
  const asked = need.kind === 'question' ? need.asked : undefined;
  if (option === undefined)
    return noChange(
      openField(
        model,
        {
          what: 'answer',
          session: need.session,
          need: need.id,
          ...(asked === undefined ? {} : {asked}),
        },
        'Answer',
      ),
    );
  const chosen = need.kind === 'question' ? selectAnswerOptions(need)[option - 1] : undefined;
  if (chosen === undefined)
    return noChange(
      withNotice(
        model,
        `There is no answer ${option}. ${keyFor(model, 'answer')} writes one.`,
        now,
      ),
    );
  return withCommands(
    withNotice(model, `Sent: ${chosen}`, now, 'good'),
    asked === undefined
      ? {type: 'send-input', session: need.session, text: `${chosen}\r`}
      : {type: 'answer-question', session: need.session, number: asked, text: chosen},
  );
}
