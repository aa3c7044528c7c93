import {
  isReady,
  isTaskId,
  runIdIn,
  selectAttempt,
  selectNeeds,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectTask,
  selectVariantGroups,
  type State,
  selectWaitingSession,
  type TaskId,
} from '../../domain/index.ts';
import {selectAgent, selectAgents, selectModels} from '../model/agent-choice.ts';
import {focusedPane, selectedRow} from '../model/pane-grid.ts';
import type {Binding} from './binding.ts';
import type {Model} from '../model/model.ts';
import {selectAnswerOptions} from '../model/needs-queue.ts';
import {hasFilesBeside, selectReviewFiles} from '../review/select-review.ts';
import {selectTerminals} from '../model/select-terminals.ts';
import {alternativeActions, explainTypingRejected} from '../model/typing.ts';
import {selectPlanTask} from '../select/plan-screen.ts';
import {isBarInText, selectNeedWays} from '../select/need-ways.ts';
import {listComparable, listVariants} from '../select/variants-view.ts';

export type HintPriority = 'show' | 'hide' | 'default';

/**
 * Whether the status line shows a key now: `show` even if it is quiet, `hide` although it works,
 * because it would only explain why it does nothing.
 */
export function hintPriority(
  model: Model,
  {action, in: context}: Binding,
  state: State,
): HintPriority {
  if (context === 'need' && selectNeeds(state).length <= 1) return 'hide';
  if (action === 'next-need' && selectNeeds(state).length === 0) return 'hide';
  if (isInDecisionBar(model, action, state)) return 'hide';
  if (action === 'option')
    return model.need?.kind === 'question' && selectAnswerOptions(model.need).length > 0
      ? 'default'
      : 'hide';
  // They stand in the decision bar above.
  if (context === 'plan' && planWays.has(action)) return 'hide';
  if (context === 'plan' && taskWays.has(action))
    return selectPlanTask(model, state) === undefined ? 'hide' : 'show';
  if (context === 'prompt') return hintPriorityInPrompt(model, action, state);
  if (context === 'review') return hintPriorityInReview(model, action, state);
  if (context === 'audit' && action === 'next-subject')
    return selectOpenRuns(state).length > 1 ? 'default' : 'hide';
  if (action === 'open-agent' && model.repository.trouble !== undefined) return 'hide';
  if (action === 'screen-variants')
    return model.screen === 'workers' &&
      isTaskId(model.selected) &&
      listVariants(model.selected, state).length > 0
      ? 'show'
      : 'hide';
  if (context === 'variants') return hintPriorityInVariants(model, action, state);
  if (context !== 'workers') return 'default';
  const pane = focusedPane(model, state);
  const task = isTaskId(model.selected) ? selectTask(state, model.selected) : undefined;
  switch (action) {
    case 'type':
      return pane !== undefined && explainTypingRejected(model, pane.session, state) === undefined
        ? 'default'
        : 'hide';
    case 'note':
    case 'tell':
    case 'take-over':
    case 'stop':
    case 'start-command':
      return pane !== undefined && alternativeActions(pane.session, state).has(action)
        ? 'show'
        : 'default';
    case 'zoom':
    case 'scroll':
      return pane === undefined ? 'hide' : 'default';
    case 'check':
      return task !== undefined && isWaitingTask(task.id, state) ? 'show' : 'default';
    case 'hand-back':
    case 'hand-to-agent':
      return task?.stage.at === 'taken-over' ? 'show' : 'default';
    case 'resume':
      return task?.hold !== undefined ||
        (task?.stage.at === 'attempting' && selectAttempt(task)?.step.at === 'pausing') ||
        (task !== undefined && selectRun(state, runIdIn(task.id))?.hold !== undefined) ||
        isHeldRun(model, state)
        ? 'show'
        : 'default';
    case 'other-terminal':
      return task !== undefined &&
        (task.stage.at === 'merged' || task.stage.at === 'stopped') &&
        selectTerminals(state, task.id).length > 1
        ? 'show'
        : 'default';
    default:
      return 'default';
  }
}

const planWays: ReadonlySet<Binding['action']> = new Set<Binding['action']>([
  'approve',
  'comment-line',
  'edit-plan',
  'reject-plan',
]);

/** What can be chosen for the task under the cursor of the plan. */
const taskWays: ReadonlySet<Binding['action']> = new Set<Binding['action']>([
  'task-agent',
  'more-variants',
]);

function isHeldRun(model: Model, state: State): boolean {
  const row = selectedRow(model, state);
  return row?.kind === 'run' && selectRun(state, row.key as `r${number}`)?.hold !== undefined;
}

/** Hides keys that would choose from a single agent or model. */
/** Its agent was opened without a plan, and waits for the person. */
function isWaitingTask(id: TaskId, state: State): boolean {
  const run = selectRun(state, runIdIn(id));
  const task = selectTask(state, id);
  return (
    run !== undefined && task !== undefined && selectWaitingSession(state, run, task) !== undefined
  );
}

function hintPriorityInPrompt(
  model: Model,
  action: Binding['action'],
  state: State,
): Exclude<HintPriority, 'show'> {
  const agent = selectAgent(model, state);
  switch (action) {
    case 'next-agent':
      return selectAgents(model, state).length > 1 ? 'default' : 'hide';
    case 'next-model':
    case 'name-model':
      return agent === undefined || selectModels(model, agent, 'worker', state).none !== undefined
        ? 'hide'
        : 'default';
    // Without a running run, queueing is the same as starting.
    case 'queue-objective':
      return selectOpenRuns(state).some(
        ({stage}) => stage.at === 'planning' || stage.at === 'working',
      )
        ? 'default'
        : 'hide';
    // For somebody who has not seen a run yet.
    case 'open-demo':
      return selectRuns(state).length === 0 ? 'default' : 'hide';
    case 'older':
      return model.objectives.length === 0 ? 'hide' : 'default';
    default:
      return 'default';
  }
}

/** They stand in the decision bar, or need another task with variants. */
function hintPriorityInVariants(
  model: Model,
  action: Binding['action'],
  state: State,
): Exclude<HintPriority, 'show'> {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (action === 'next-subject')
    return run !== undefined && selectVariantGroups(run).length > 1 ? 'default' : 'hide';
  return action === 'see-pane' ? 'default' : 'hide';
}

/** Hides keys that need a diff, several files or tasks, or a finished run. */
function hintPriorityInReview(model: Model, action: Binding['action'], state: State): HintPriority {
  const {subject} = model;
  const run = subject === undefined ? undefined : selectRun(state, runIdIn(subject));
  const files = selectReviewFiles(model).length;
  switch (action) {
    case 'comment-line':
      return files === 0 || model.reviewFocus === 'files' ? 'hide' : 'default';
    case 'open':
      return files > 0 && model.reviewFocus === 'files' ? 'show' : 'default';
    case 'other-side':
      if (files > 0 && !hasFilesBeside(model)) return 'show';
      return files === 0 ? 'hide' : 'default';
    case 'next-change':
    case 'mark-viewed':
    case 'side-by-side':
      return files === 0 ? 'hide' : 'default';
    case 'next-file':
    case 'previous-file':
      return files < 2 ? 'hide' : 'default';
    case 'accept':
    case 'propose':
      return run !== undefined && isReady(run) ? 'default' : 'hide';
    case 'discard':
      return run === undefined ? 'hide' : 'default';
    case 'compare':
      return subject !== undefined && isTaskId(subject) && listComparable(subject, state).length > 0
        ? 'show'
        : 'hide';
    case 'next-subject':
      return (run?.tasks.filter(({attempts}) => attempts.length > 0).length ?? 0) === 0
        ? 'hide'
        : 'default';
    default:
      return 'default';
  }
}

/** The ways on of a need stand with their words above the last row, unless they may scroll away. */
function isInDecisionBar(model: Model, action: Binding['action'], state: State): boolean {
  if (model.screen !== 'needs' || isBarInText(model)) return false;
  return selectNeedWays(model, state).ways.some((way) => way.action === action);
}
