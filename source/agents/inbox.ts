import type {MessageDelivery} from '../domain/index.ts';
import {asFields, asText, parseObject} from './stream/fields.ts';

/**
 * The files of one message in a session's inbox. The daemon writes `asked`. The agent's runner
 * writes `begun` before anything of the message reaches the agent, and `done` afterwards.
 */
export const inboxFiles = {
  asked: (number: number): string => `${number}.json`,
  begun: (number: number): string => `${number}.begun`,
  done: (number: number): string => `${number}.done`,
};

/** The number of a message file, if the name is one. */
export function parseInboxName(name: string): number | undefined {
  const digits = /^([1-9]\d{0,5})\.json$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export type InboxMessage = {readonly number: number; readonly text: string};

export function parseInboxMessage(number: number, json: string): InboxMessage | undefined {
  const text = asText(asFields(parseObject(json))['text']);
  return text === '' ? undefined : {number, text};
}

/** How the runner delivered a message; `none` if nothing of it reached the agent. */
export type InboxResult = Extract<MessageDelivery, 'channel' | 'restart'> | 'none';

export function parseInboxResult(json: string): InboxResult | undefined {
  const how = asText(asFields(parseObject(json))['how']);
  return how === 'channel' || how === 'restart' || how === 'none' ? how : undefined;
}

/** A message as an agent reads it in the middle of its work. */
export function formatInboxMessage(text: string): string {
  return (
    `The person who follows your work sends you this message:\n\n${text}\n\n` +
    'Go on with your task and take it into account. End with your report, as before.'
  );
}
