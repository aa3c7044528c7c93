import {z} from 'zod';
import type {ClientMessage, Question} from '../protocol/index.ts';
import {count, describeIssue, objectOf, type Fields} from './schemas/fields.ts';
import {questionSchemas} from './schemas/questions.ts';

type MessageOf<Type> = Omit<Extract<ClientMessage, {readonly type: Type}>, 'type'>;

const range = objectOf<{readonly min: number; readonly max: number}>({min: count, max: count});
const ability = z.boolean().optional().catch(undefined);

const hello: Fields<MessageOf<'hello'>> = {
  protocol: range,
  build: z.string().max(1000),
  token: z.string().max(1000),
  parts: ability,
  factParts: ability,
  typed: ability,
  code: z.string().max(100).optional().catch(undefined),
};
const ask: Fields<MessageOf<'ask'>> = {id: count, question: z.looseObject({about: z.string()})};

const message = z.union([
  objectOf({type: z.literal('hello'), ...hello}),
  objectOf({type: z.literal('ask'), ...ask}),
]);

/** Nothing for what is not a message; the connection is then dropped. Its question is not checked yet: what is wrong with that is answered. */
export function readClientMessage(value: unknown): ClientMessage | undefined {
  const reading = message.safeParse(value);
  return reading.success ? (reading.data as ClientMessage) : undefined;
}

/** The question, with the fields that this daemon knows and no others. Throws with a sentence when it is malformed. */
export function checkQuestion(question: Question, build: string): Question {
  const about: string = question.about;
  const schema = Object.hasOwn(questionSchemas, about) ? questionSchemas[about] : undefined;
  if (schema === undefined)
    throw new Error(
      `this daemon (${build}) does not understand the question; \`orchestra daemon restart\` keeps every session`,
    );
  const reading = schema.safeParse(question);
  if (!reading.success)
    throw new Error(describeIssue(`the question about ${about}`, reading.error));
  return reading.data as Question;
}
