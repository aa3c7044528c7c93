import type {ServerNotification} from '@modelcontextprotocol/sdk/types.js';

export type Progress = {
  /** Absent: whoever asked does not want to hear of it. */
  readonly token: string | number | undefined;
  readonly words: string;
  readonly tell: (notification: ServerNotification) => Promise<void>;
  /** @default 10000 */
  readonly everyMs?: number;
};

/** Tells an agent that its call still lives, so that it does not give it up. */
export async function progressWhile<Value>(
  {token, words, tell, everyMs = 10_000}: Progress,
  waiting: Promise<Value>,
): Promise<Value> {
  if (token === undefined) return waiting;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    tell({
      method: 'notifications/progress',
      params: {progressToken: token, progress, message: words},
    }).catch(() => undefined);
  }, everyMs);
  return waiting.finally(() => {
    clearInterval(timer);
  });
}
