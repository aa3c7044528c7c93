import {
  attemptOf,
  checksOf,
  choiceOf,
  runOf,
  taskOf,
  worktreeOf,
  type RunId,
  type Session,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {describeStop} from '../events/describe-reason.ts';
import {runInWords, taskInWords} from '../story/stage-in-words.ts';

/** What an agent is told about its own task and the others beside it. */
export function formatTaskStatus(state: State, {purpose}: Session, now: number): string {
  if (purpose.for === 'plan') return planStatus(state, purpose.run);
  const task = 'task' in purpose ? taskOf(state, purpose.task) : undefined;
  const run = task === undefined ? undefined : runOf(state, task.id.split('.', 1)[0] as RunId);
  if (task === undefined || run === undefined) return 'You work on no task.';
  const attempt = attemptOf(task);
  const worktree = worktreeOf(run, task.id);
  const others = run.tasks.filter(({id}) => id !== task.id);
  return [
    `${task.id}: ${task.planned.title}`,
    `it: ${taskInWords(state, run, task, now)}`,
    ...(attempt === undefined
      ? []
      : [
          `attempt ${attempt.number} of ${task.allowed}${attempt.repairs === undefined ? '' : `; it repairs: ${describeStop(attempt.repairs)}`}`,
        ]),
    ...(worktree === undefined
      ? []
      : [
          `worktree: ${worktree.path}${worktree.branch === null ? '' : ` on ${worktree.branch}`}, from ${worktree.commit.slice(0, 12)}`,
        ]),
    `files that the plan gives you: ${task.planned.files.join(', ') || 'none named'}`,
    `checks, in order: ${
      checksOf(run)
        .filter((check) => choiceOf(run, check) !== 'ignore')
        .map(({name, command}) => `${name}: ${command}`)
        .join('; ') || 'none'
    }`,
    ...(others.length === 0
      ? ['no other tasks']
      : [
          'other tasks:',
          ...others.map(
            (other) =>
              `- ${short(other.id)} ${other.planned.title}: ${taskInWords(state, run, other, now)}; files: ${other.planned.files.join(', ') || 'none named'}`,
          ),
        ]),
  ].join('\n');
}

function planStatus(state: State, id: RunId): string {
  const run = runOf(state, id);
  return run === undefined
    ? 'You plan nothing.'
    : `${id}: ${run.request.objective}\nit: ${runInWords(state, run)}. You are its planner: read, and hand in the plan.`;
}

function short(task: TaskId): string {
  return task.slice(task.indexOf('.') + 1);
}
