import {
  type RunId,
  selectAttempt,
  selectChecks,
  selectChoice,
  selectRun,
  selectTask,
  selectVariants,
  selectWorktree,
  type Service,
  type Session,
  type State,
  type TaskId,
} from '../domain/index.ts';
import {describeStop} from './messages/describe-reason.ts';
import {formatRun, formatService, formatTask} from './messages/describe-state.ts';
import {sanitizeText} from '../shared/index.ts';
import {toPlainLines} from '../failures/index.ts';

/** The answer of the tool `task_status`: the agent's own task, and the other tasks of the run. */
export function formatTaskStatus(state: State, {purpose}: Session, now: number): string {
  if (purpose.for === 'plan') return planStatus(state, purpose.run);
  const task = 'task' in purpose ? selectTask(state, purpose.task) : undefined;
  const run = task === undefined ? undefined : selectRun(state, task.id.split('.', 1)[0] as RunId);
  if (task === undefined || run === undefined) return 'You work on no task.';
  const attempt = selectAttempt(task);
  const worktree = selectWorktree(run, task.id);
  // Variants of the same task do not know of each other.
  const variants = selectVariants(run, task);
  const others = run.tasks.filter((other) => !variants.includes(other));
  return [
    `${task.id}: ${task.planned.title}`,
    `it: ${formatTask(state, run, task, now)}`,
    ...(attempt === undefined
      ? []
      : [
          `attempt ${attempt.number} of ` +
            `${task.allowed}${attempt.repairs === undefined ? '' : `; it repairs this failure: ${describeStop(attempt.repairs)}`}`,
        ]),
    ...(worktree === undefined
      ? []
      : [
          'worktree: ' +
            `${worktree.path}${worktree.branch === null ? '' : ` on ${worktree.branch}`}, ` +
            `from ${worktree.commit.slice(0, 12)}`,
        ]),
    `files that the plan gives you: ${task.planned.files.join(', ') || 'none named'}`,
    `checks, in order: ${
      selectChecks(run)
        .filter((check) => selectChoice(run, check) !== 'ignore')
        .map(({name, command}) => `${name}: ${command}`)
        .join('; ') || 'none'
    }`,
    ...(others.length === 0
      ? ['no other tasks']
      : [
          'other tasks:',
          ...others.map(
            (other) =>
              `- ${shortId(other.id)} ${other.planned.title}: ` +
              `${formatTask(state, run, other, now)}; files: ` +
              (other.planned.files.join(', ') || 'none named'),
          ),
        ]),
  ].join('\n');
}

function planStatus(state: State, id: RunId): string {
  const run = selectRun(state, id);
  return run === undefined
    ? 'You are not a planner.'
    : `${id}: ${run.request.objective}\nstate: ${formatRun(state, run)}. You are its ` +
        'planner: read, and hand in the plan.';
}

function shortId(task: TaskId): string {
  return task.slice(task.indexOf('.') + 1);
}

/**
 * Shortens an output to its beginning and end, at line breaks where possible, and says how much was
 * left out.
 */
export function fitOutput(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  const head = lineEndBefore(text, half);
  const tail = lineStartAfter(text, text.length - half);
  const between = text.slice(head, tail);
  return `${text.slice(0, head).trimEnd()}\n[… ${formatOmitted(between)} left out …]\n${text.slice(tail)}`;
}

function formatOmitted(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '').length;
  return lines > 1 ? `${lines} lines` : `${text.length} characters`;
}

function lineEndBefore(text: string, place: number): number {
  const newline = text.lastIndexOf('\n', place);
  return newline > place / 2 ? newline + 1 : place;
}

function lineStartAfter(text: string, place: number): number {
  const newline = text.indexOf('\n', place);
  return newline !== -1 && newline < place + (text.length - place) / 2 ? newline + 1 : place;
}

/** One line for each declared service: its state, port and command. */
export function formatServiceStatus(services: readonly Service[], now: number): string {
  if (services.length === 0) return 'No service is declared in .orchestra/project.yaml.';
  return services
    .map(
      (service) =>
        `${service.spec.name}: ` +
        `${formatService(service, now)}${service.spec.port === undefined ? '' : `; port ${service.spec.port}`}${formatRequester(service)}; ` +
        `command: ${service.spec.command}`,
    )
    .join('\n');
}

function formatRequester({desire, wantedBy}: Service): string {
  return desire !== 'wanted' || wantedBy === undefined
    ? ''
    : `; started for ${wantedBy === 'person' ? 'a person' : wantedBy}`;
}

export type ShellOutput = {
  readonly head: string;
  readonly tail: string;
  readonly leftOut: {readonly lines: number; readonly bytes: number};
};

/**
 * The output of a command as short plain text: its beginning and end, and how much was left out.
 */
export function formatShellOutput(
  {head, tail, leftOut}: ShellOutput,
  maxCharacters: number,
): string {
  if (leftOut.lines === 0 && leftOut.bytes === 0)
    return fitOutput(toPlainText(head + tail), maxCharacters);
  const half = Math.floor(maxCharacters / 2);
  const [first, last] = [toPlainText(head), toPlainText(tail)];
  const start = first.slice(0, half).replace(/\n[^\n]*$/, '');
  const end = last.slice(-half).replace(/^[^\n]*\n/, '');
  const lines =
    leftOut.lines + countLines(first) - countLines(start) + countLines(last) - countLines(end);
  const dropped = leftOut.bytes === 0 ? '' : ` and ${leftOut.bytes} bytes that were not kept`;
  return `${start}\n[… ${lines} lines${dropped} left out …]\n${end}`;
}

function toPlainText(text: string): string {
  return sanitizeText(toPlainLines(text).join('\n').replace(/^\n+/, '').trimEnd());
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length;
}
