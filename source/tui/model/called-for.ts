import {
  attemptOf,
  isReady,
  isTaskId,
  needsOf,
  openRunsOf,
  runIdIn,
  runOf,
  taskOf,
  type State,
} from '../../domain/index.ts';
import {agentsOf, chosenAgent} from './agents-of.ts';
import {focusedPane, selectedRow} from './focus.ts';
import type {Binding} from './keymap.ts';
import type {Model} from './model.ts';
import {modelsOf} from './models-of.ts';
import {answersTo} from './needs-queue.ts';
import {reviewFiles} from './review-files.ts';
import {terminalsOf} from './terminals-of.ts';
import {insteadDeeds, typingRefused} from './typing-refused.ts';

/** Whether a key is worth room in the status line here: `yes` though it is a quiet one, `no` though it works, for it would only say why not. */
export function calledFor(
  model: Model,
  {does, in: context}: Binding,
  state: State,
): 'yes' | 'no' | 'usual' {
  if (context === 'need' && needsOf(state).length <= 1) return 'no';
  if (does === 'option')
    return model.need?.kind === 'question' && answersTo(model.need).length > 0 ? 'usual' : 'no';
  if (context === 'prompt') return calledForInPrompt(model, does, state);
  if (context === 'review') return calledForInReview(model, does, state);
  if (context !== 'workers') return 'usual';
  const pane = focusedPane(model, state);
  const task = isTaskId(model.selected) ? taskOf(state, model.selected) : undefined;
  switch (does) {
    case 'type':
      return pane !== undefined && typingRefused(model, pane.session, state) === undefined
        ? 'usual'
        : 'no';
    case 'note':
    case 'take-over':
    case 'stop':
    case 'start-command':
      return pane !== undefined && insteadDeeds(pane.session, state).has(does) ? 'yes' : 'usual';
    case 'zoom':
    case 'scroll':
      return pane === undefined ? 'no' : 'usual';
    case 'hand-back':
    case 'hand-to-agent':
      return task?.stage.at === 'taken-over' ? 'yes' : 'usual';
    case 'resume':
      return task?.hold !== undefined ||
        (task?.stage.at === 'attempting' && attemptOf(task)?.step.at === 'pausing') ||
        (task !== undefined && runOf(state, runIdIn(task.id))?.hold !== undefined) ||
        isHeldRun(model, state)
        ? 'yes'
        : 'usual';
    case 'other-terminal':
      return task !== undefined &&
        (task.stage.at === 'merged' || task.stage.at === 'stopped') &&
        terminalsOf(state, task.id).length > 1
        ? 'yes'
        : 'usual';
    default:
      return 'usual';
  }
}

function isHeldRun(model: Model, state: State): boolean {
  const row = selectedRow(model, state);
  return row?.kind === 'run' && runOf(state, row.key as `r${number}`)?.hold !== undefined;
}

/** Where there is nobody to choose, or nothing to choose for them. */
function calledForInPrompt(model: Model, does: Binding['does'], state: State): 'no' | 'usual' {
  const agent = chosenAgent(model, state);
  switch (does) {
    case 'next-agent':
      return agentsOf(model, state).length > 1 ? 'usual' : 'no';
    case 'next-model':
    case 'name-model':
      return agent === undefined || modelsOf(model, agent, 'worker', state).none !== undefined
        ? 'no'
        : 'usual';
    // Where nothing is at work, the queue is the same as beginning.
    case 'queue-objective':
      return openRunsOf(state).some(({stage}) => stage.at === 'planning' || stage.at === 'working')
        ? 'usual'
        : 'no';
    case 'older':
      return model.objectives.length === 0 ? 'no' : 'usual';
    default:
      return 'usual';
  }
}

/** Where there is nothing to compare, one file, one task, or a run that is not done, the keys for more have nothing to do. */
function calledForInReview(model: Model, does: Binding['does'], state: State): 'no' | 'usual' {
  const {
    subject,
    answers: {diff},
  } = model;
  const run = subject === undefined ? undefined : runOf(state, runIdIn(subject));
  const files = diff?.of === subject ? reviewFiles(model).length : 0;
  switch (does) {
    case 'other-side':
    case 'comment-line':
      return files === 0 ? 'no' : 'usual';
    case 'next-file':
    case 'previous-file':
      return files < 2 ? 'no' : 'usual';
    case 'accept':
    case 'propose':
      return run !== undefined && isReady(run) ? 'usual' : 'no';
    case 'discard':
      return run === undefined ? 'no' : 'usual';
    case 'next-subject':
      return (run?.tasks.filter(({attempts}) => attempts.length > 0).length ?? 0) === 0
        ? 'no'
        : 'usual';
    default:
      return 'usual';
  }
}
