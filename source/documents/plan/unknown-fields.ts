import type {z} from 'zod';
import {excerpt} from '../excerpt.ts';
import {checkSchema, planSchema, rejectedSchema, taskSchema} from './plan-schema.ts';
import {jsonPath} from './json-path.ts';
import type {Placed} from './word-issue.ts';

/** Fields that nobody reads: a planner may say more than it was asked, but should know that it was not heard. */
export function unknownFields(document: unknown): Placed[] {
  return [
    ...unknownIn(document, planSchema, []),
    ...membersOf(document, 'tasks').flatMap(([index, task]) =>
      unknownIn(task, taskSchema, ['tasks', index]),
    ),
    ...membersOf(document, 'rejected').flatMap(([index, one]) =>
      unknownIn(one, rejectedSchema, ['rejected', index]),
    ),
    ...membersOf(document, 'validation').flatMap(([index, check]) =>
      unknownIn(check, checkSchema, ['validation', index]),
    ),
  ];
}

function unknownIn(value: unknown, schema: z.ZodObject, steps: Placed['steps']): Placed[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(schema.shape, key))
    .map((key) => ({
      steps: [...steps, key],
      level: 'warning',
      text: `${jsonPath([...steps, key])}: "${excerpt(key, 40)}" is not a field of a plan, so it is ignored. Leave it out.`,
    }));
}

function membersOf(document: unknown, field: string): [index: number, member: unknown][] {
  const list =
    typeof document === 'object' && document !== null
      ? (document as Record<string, unknown>)[field]
      : undefined;
  return Array.isArray(list) ? [...list.slice(0, 50).entries()] : [];
}
