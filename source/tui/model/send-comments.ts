import {
  attemptOf,
  isTaskId,
  runIdIn,
  runOf,
  type Run,
  type RunId,
  type State,
  type TaskId,
  type Wish,
} from '../../domain/index.ts';
import {only, saying, wishing, type Result} from './action.ts';
import {diffComments} from './diff-comments.ts';
import type {DiffComment, Model} from './model.ts';

/** All comments on what is reviewed, as one batch for each task: a new attempt with them as its hint where one can be granted, else a note. */
export function sendComments(model: Model, state: State, now: number): Result {
  const {subject} = model;
  const own = diffComments(model);
  const run = subject === undefined ? undefined : runOf(state, runIdIn(subject));
  if (subject === undefined || run === undefined || own.length === 0)
    return only(
      saying(model, 'There is no comment yet. c writes one on the line under the cursor.', now),
    );
  const targets = new Map<RunId | TaskId, DiffComment[]>();
  for (const comment of own) {
    const target = isTaskId(subject) ? subject : (taskThatChanged(run, comment.path) ?? run.id);
    targets.set(target, [...(targets.get(target) ?? []), comment]);
  }

  const batches = [...targets].map(([target, comments]) => ({
    comments,
    target,
    text: textOf(comments),
  }));
  const wishes = batches.map(({target, text}) => wishFor(run, target, text));
  // Until the daemon has them they stay, so that none is lost with the connection.
  const comments = model.comments.map((one) => {
    const sentAs = batches.find((batch) => batch.comments.includes(one))?.text;
    return sentAs === undefined ? one : {...one, sentAs};
  });
  const grants = wishes.filter(({type}) => type === 'grant-attempt').length;
  const words =
    grants === wishes.length
      ? 'Sent: a new attempt takes up your comments.'
      : grants === 0
        ? 'Kept as notes: the next worker reads them.'
        : 'Sent; some are kept as notes for the next worker.';
  return wishing(saying({...model, comments}, words, now, 'good'), ...wishes);
}

/** The last task that changed the file and is merged: it is asked to change it again. */
function taskThatChanged({tasks}: Run, path: string): TaskId | undefined {
  return tasks.findLast((task) => {
    const step = attemptOf(task)?.step;
    return (
      task.stage.at === 'merged' &&
      step?.at === 'passed' &&
      step.change.files.some((file) => file.path === path)
    );
  })?.id;
}

function wishFor(run: Run, target: RunId | TaskId, text: string): Wish {
  const stage = run.tasks.find(({id}) => id === target)?.stage.at;
  return isTaskId(target) && (stage === 'stopped' || stage === 'merged')
    ? {type: 'grant-attempt', task: target, hint: text}
    : {type: 'add-note', on: target, text};
}

/** Place, the line itself, and what the person says: an agent finds it also when lines have moved. */
function textOf(comments: readonly DiffComment[]): string {
  return [
    'Comments on your change:',
    ...comments.map(
      ({path, line, source, text}) =>
        `- ${path}:${line} \`${source.trim().slice(0, 120)}\`: ${text}`,
    ),
  ].join('\n');
}
