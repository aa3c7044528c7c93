import {selectTask, type State, type TaskId, type TaskMessage} from '../../domain/index.ts';

export type MessageSign = {readonly text: string; readonly isBad: boolean};

/** How long a message that was delivered is shown. */
const shownMs = 60_000;

/** What became of the last message to the worker of a task, for the foot of its pane. */
export function selectMessageSign(
  state: State,
  task: TaskId,
  now: number,
): MessageSign | undefined {
  const message = selectTask(state, task)?.messages?.at(-1);
  if (message === undefined || (message.fate === 'delivered' && now - message.at > shownMs))
    return undefined;
  return {text: describe(message), isBad: message.fate === 'failed'};
}

function describe({fate, held}: TaskMessage): string {
  switch (fate) {
    case 'pending':
      return held === undefined ? 'message on its way' : `message waits for ${waitsFor[held.why]}`;
    case 'queued':
      return 'message goes into its next prompt';
    case 'delivered':
      return 'message delivered';
    case 'failed':
      return 'message not delivered';
  }
}

const waitsFor = {
  draft: 'your unfinished text',
  dialog: 'your answer',
  turn: 'the end of its turn',
} as const;
