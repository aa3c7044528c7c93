import {readFileSync} from 'node:fs';
import {
  isRunId,
  type MessageHold,
  type RunId,
  selectRun,
  selectTask,
  selectWorkerSession,
  type State,
  type TaskId,
  type TaskMessage,
} from '../../domain/index.ts';
import type {LiveState} from '../../client/index.ts';
import {describeMessageFate} from '../../reports/index.ts';
import {sanitizeText} from '../../shared/index.ts';
import {withLive} from '../with-daemon.ts';
import {UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {parseRunId, parseTaskId} from './find-subject.ts';

/** Sends a message to the worker of a task, and waits until it is delivered, queued or failed. */
export async function messageTask(
  id: string,
  given: string,
  options: {readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  const text = (given === '-' ? readFileSync(0, 'utf8') : given).replaceAll('\r\n', '\n').trim();
  return withLive(cli, async (live) => {
    const task = isRunId(id) ? findWorkingTask(live.state(), parseRunId(id)) : parseTaskId(id);
    const message = await submit(live, task, text, (waits) => {
      cli.err(`${task}: ${sanitizeText(describeMessageFate(waits))}\n`);
    });
    cli.out(
      options.json === true
        ? `${JSON.stringify({task, ...message})}\n`
        : `${task}: ${sanitizeText(describeMessageFate(message))}\n`,
    );
    return message.fate === 'failed' ? 1 : 0;
  });
}

/** `onHeld` is called when the message waits for something else than before. */
async function submit(
  live: LiveState,
  task: TaskId,
  text: string,
  onHeld: (message: TaskMessage) => void,
): Promise<TaskMessage> {
  const {events} = (await live.ask({
    about: 'wish',
    wish: {type: 'message-task', task, text},
  })) as {readonly events: readonly {readonly type: string; readonly number?: number}[]};
  const number = events.find(({type}) => type === 'message-asked')?.number;
  const find = (state: State): TaskMessage | undefined =>
    selectTask(state, task)?.messages?.find((one) => one.number === number);
  let held: MessageHold | undefined;
  const state = await live.until((now) => {
    const message = find(now);
    if (message?.held !== undefined && message.held.why !== held) onHeld(message);
    held = message?.held?.why;
    return message !== undefined && message.fate !== 'pending';
  });
  const message = find(state);
  if (message === undefined) throw new Error(`the message to ${task} is not in the state`);
  return message;
}

/** A run stands for its task if only one has a worker now. */
function findWorkingTask(state: State, id: RunId): TaskId {
  const run = selectRun(state, id);
  if (run === undefined) throw new UsageError(`there is no run ${id}. See: orchestra status`);
  const working = run.tasks.filter((task) => selectWorkerSession(state, run, task) !== undefined);
  const [only, ...more] = working;
  if (only === undefined)
    throw new UsageError(`no worker runs in ${id} now; name a task to leave it a message`);
  if (more.length > 0)
    throw new UsageError(
      `expected one of the tasks at work: ${working.map((task) => task.id).join(', ')}`,
    );
  return only.id;
}
