import type {Buffer} from 'node:buffer';
import {encodeMessage, longestFrame, type DaemonMessage} from '../protocol/index.ts';

/** What a client said in its hello that it can put together. */
export type Abilities = {
  /** Long answers. */
  readonly parts: boolean;
  /** Long events. */
  readonly factParts: boolean;
};

/** In characters: none becomes more than three bytes, so each part fits into a frame. */
const partLength = 256 * 1024;

/** Of a refusal. What a client sent may be quoted in it, and must not make the refusal too long to be sent. */
const maxRefusalCharacters = 16 * 1024;

/**
 * The frames of a message, whatever its size. `undefined` when the client cannot put together what does not fit into one
 * frame and leaving it out would be a lie: its connection has to end. An answer that is no JSON is refused.
 */
export function encodeForClient(
  message: DaemonMessage,
  abilities: Abilities,
): readonly Buffer[] | undefined {
  switch (message.type) {
    case 'answer':
      return encodeAnswer(message, abilities.parts);
    case 'fact':
      return encodeFact(message, abilities.factParts);
    case 'refusal':
      return [encodeMessage({...message, text: message.text.slice(0, maxRefusalCharacters)})];
    default:
      return [encodeMessage(message)];
  }
}

/** To a client that cannot put it together a long answer is refused: it asked, so it knows what it lacks. */
function encodeAnswer(
  {id, value}: Extract<DaemonMessage, {type: 'answer'}>,
  takesParts: boolean,
): readonly Buffer[] {
  const text = textOf(value);
  if (text === undefined)
    return [encodeMessage({type: 'refusal', id, text: 'the answer cannot be put into JSON'})];
  const whole = encodeIfShort({type: 'answer', id, value}, text);
  if (whole !== undefined) return [whole];
  if (!takesParts)
    return [encodeMessage({type: 'refusal', id, text: 'the answer is too long to be sent'})];
  return [
    ...piecesOf(text).map((piece) => encodeMessage({type: 'part', id, text: piece})),
    encodeMessage({type: 'answer', id}),
  ];
}

function encodeFact(
  {seq, event}: Extract<DaemonMessage, {type: 'fact'}>,
  takesParts: boolean,
): readonly Buffer[] | undefined {
  const text = textOf(event) ?? 'null';
  const whole = encodeIfShort({type: 'fact', seq, event}, text);
  if (whole !== undefined) return [whole];
  if (!takesParts) return undefined;
  const pieces = piecesOf(text);
  return pieces.map((piece, index) =>
    encodeMessage({
      type: 'fact-part',
      seq,
      text: piece,
      ...(index === pieces.length - 1 && {last: true}),
    }),
  );
}

function encodeIfShort(message: DaemonMessage, text: string): Buffer | undefined {
  if (text.length > longestFrame) return undefined;
  try {
    return encodeMessage(message);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  try {
    const text: unknown = JSON.stringify(value);
    // Nothing is an answer too.
    return typeof text === 'string' ? text : 'null';
  } catch {
    return undefined;
  }
}

function piecesOf(text: string): string[] {
  return Array.from({length: Math.ceil(text.length / partLength)}, (_, index) =>
    text.slice(index * partLength, (index + 1) * partLength),
  );
}
