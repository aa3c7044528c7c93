import type {Retry, StreamEvent} from './stream-event.ts';

/**
 * A line in which an agent says that it asks its service again by itself: codex "Reconnecting... 2/5 (unexpected status 500)",
 * gemini "Attempt 3 failed with status 503. Retrying with backoff...". Agents that tell it as a record of their own need no words.
 */
export function retryIn(line: string): Retry | undefined {
  const text = line.slice(0, maxCharacters);
  if (
    !/\bretrying\b(?! the (?:test|command)s?\b)|\breconnecting\b|\bwill retry\b|\btrying again\b|\bretry (?:in|after) \d/i.test(
      text,
    )
  )
    return undefined;
  const count =
    /(?:reconnecting|retrying|retry|attempt)\D{0,12}?(\d{1,3})(?:\s*(?:\/|of)\s*(\d{1,3}))?/i.exec(
      text,
    );
  const status =
    /(?:status(?: code)?:? |http[ /]|error:? |\()([45]\d\d)\b|\b([45]\d\d) error\b/i.exec(text);
  return {
    said: text.trim(),
    ...(status !== null && {status: Number(status[1] ?? status[2])}),
    ...(count?.[1] !== undefined && {attempt: Number(count[1])}),
    ...(count?.[2] !== undefined && {of: Number(count[2])}),
  };
}

const maxCharacters = 1000;

/** What an agent says beside its work. */
export function noticeOf(text: string): StreamEvent {
  const retry = retryIn(text);
  return retry === undefined ? {type: 'notice', text} : {type: 'retry', ...retry};
}
