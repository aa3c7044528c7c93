import type {EventBody} from '../event.ts';
import {runIdIn, type TaskId} from '../ids.ts';
import type {Run} from '../run.ts';
import {selectWorker} from '../select/agents.ts';
import {selectRun, selectSession, selectTask} from '../select/find.ts';
import {hasGotPrompt, selectWorkerSession} from '../select/messages.ts';
import type {State} from '../state.ts';
import {maxMessageCharacters, maxMessages, type Task} from '../task.ts';
import {type CommandHandlers, refuse} from './answer.ts';

export const messageCommandHandlers: CommandHandlers<'message-task'> = {
  'message-task': (state, {task: id, text}) => {
    const task = selectTask(state, id);
    const run = selectRun(state, runIdIn(id));
    if (task === undefined || run === undefined) return refuse(`there is no task ${id}`);
    const problem =
      findTextProblem(text) ?? findStageProblem(run, task) ?? findAgentProblem(state, run, task);
    if (problem !== undefined) return refuse(problem);
    const number = (task.messages?.length ?? 0) + 1;
    if (number > maxMessages)
      return refuse(`${id} has had ${maxMessages} messages, which is the limit`);
    const session = selectWorkerSession(state, run, task);
    return {
      type: 'message-asked',
      task: id,
      number,
      text,
      ...(session === undefined ? {} : {session: session.id}),
    };
  },
};

function findTextProblem(text: string): string | undefined {
  if (text.trim() === '') return 'a message needs text';
  // It may be typed into a terminal, where a control character is a key.
  if (controlCharacter.test(text))
    return 'a message must have no control characters but line breaks';
  return text.length > maxMessageCharacters
    ? `a message has at most ${maxMessageCharacters} characters, and this one has ${text.length}`
    : undefined;
}

const controlCharacter = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;

/** Whether a worker that runs now can get a message. */
export function isTellable(state: State, id: TaskId): boolean {
  const task = selectTask(state, id);
  const run = selectRun(state, runIdIn(id));
  return (
    task !== undefined &&
    run !== undefined &&
    findAgentProblem(state, run, task) === undefined &&
    selectWorkerSession(state, run, task) !== undefined
  );
}

/** The agent that follows a script. */
const scriptedAgent = 'playbook';

/** A person works with whatever agent or shell a takeover started. */
function findAgentProblem(state: State, run: Run, task: Task): string | undefined {
  return selectWorker(state, run, task).agent === scriptedAgent && task.stage.at !== 'taken-over'
    ? `the ${scriptedAgent} agent follows its script and reads no messages. Change the work yourself: orchestra takeover ${task.id}`
    : undefined;
}

/** Why no worker of the task would read a message. */
function findStageProblem(
  {id: runId, stage: runStage}: Run,
  {id, stage}: Task,
): string | undefined {
  if (runStage.at === 'accepted' || runStage.at === 'discarded')
    return `${runId} is ${runStage.at}; nobody works on ${id} any more`;
  switch (stage.at) {
    case 'waiting':
    case 'preparing':
    case 'attempting':
    case 'taken-over':
      return undefined;
    case 'stopped':
      return `${id} is stopped, and no worker would read it. Give it one more try with your words: orchestra grant ${id} --hint "…"`;
    case 'validated':
    case 'merging':
    case 'merged':
      return `${id} is ${stage.at}, and no worker would read it. Ask for what is missing in a new run: orchestra run "…"`;
    case 'discarded':
      return `${id} is discarded, and no worker would read it. If that was a mistake: orchestra undo ${id}`;
  }
}

export function isMessageHeld(
  state: State,
  {task, number, why}: Extract<EventBody, {readonly type: 'message-held'}>,
): boolean {
  return (
    selectTask(state, task)?.messages?.find((message) => message.number === number)?.held?.why ===
    why
  );
}

/**
 * What follows for the messages of a task: a queued one is delivered once the session whose prompt
 * has it has started, and fails with the end of its task.
 */
export function nextMessageEvent(state: State, run: Run): EventBody | undefined {
  for (const task of run.tasks) {
    const next = task.messages === undefined ? undefined : settleMessage(state, run, task);
    if (next !== undefined) return next;
  }

  return undefined;
}

function settleMessage(state: State, {stage}: Run, task: Task): EventBody | undefined {
  const end = [task.stage.at, stage.at].find((at) => ends.has(at));
  for (const {number, fate, session: id} of task.messages ?? []) {
    if (fate !== 'queued') continue;
    const session = id === undefined ? undefined : selectSession(state, id);
    if (id !== undefined && session !== undefined && hasGotPrompt(session))
      return {type: 'message-delivered', task: task.id, number, session: id, how: 'prompt'};
    if (end !== undefined)
      return {
        type: 'message-failed',
        task: task.id,
        number,
        why: `${task.id} was ${end} before its next prompt`,
      };
  }

  return undefined;
}

const ends: ReadonlySet<string> = new Set(['merged', 'discarded', 'accepted']);
