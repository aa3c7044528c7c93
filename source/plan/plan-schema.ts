import {z} from 'zod';
import {
  checkName,
  excerpt,
  hasHiddenCharacters,
  isRecord,
  shortName,
  skillName,
  toNfc,
} from '../shared/index.ts';
import {findVagueness} from '../rules/index.ts';
import {parsePlanPath} from './parse-plan-path.ts';
import {jsonPath} from '../syntax/index.ts';
import type {PlanIssue} from './check-plan.ts';

// Messages of refinements continue after the path of the value: "tasks[0].files[1]: …".

const pathSchema = z.string().transform((text, context) => {
  const parsed = parsePlanPath(text);
  if ('path' in parsed) return parsed.path;
  context.addIssue({code: 'custom', message: `"${excerpt(text)}" ${parsed.rejected}`});
  return z.NEVER;
});

const commandSchema = z
  .string()
  .max(1000)
  .transform((text, context) => {
    const line = text.trim();
    const isPlain = !hasHiddenCharacters(line) && !/[\n\t]/.test(line);
    const fault = isPlain
      ? findVagueness(line)
      : 'has line breaks, control or hidden characters: write it on one line, without them.';
    if (fault !== undefined)
      context.addIssue({code: 'custom', message: `the command "${excerpt(line)}" ${fault}`});
    return line;
  });

/** The name becomes an argument of the agent's program, so it must not look like an option. */
export const modelNamePattern = /^[A-Za-z0-9][\w.:/@-]{0,199}$/;

/** `t1` to `t999`. */
export const taskIdPattern = /^t[1-9][0-9]{0,2}$/;

export const taskSchema = z.object({
  id: nameSchema(taskIdPattern, 'an id like t1, t2, … t999'),
  variantOf: nameSchema(taskIdPattern, 'the id of an earlier task, like t1').nullish(),
  title: textSchema(200).transform((text) => text.replaceAll(/\s+/g, ' ')),
  brief: textSchema(8000),
  files: z.array(pathSchema).min(1).max(200),
  after: optionalList(z.string(), 50),
  services: optionalList(
    nameSchema(shortName, 'the name of a service (small letters, digits, "-")'),
    20,
  ),
  skill: nameSchema(skillName, 'the name of a skill (small letters, digits, "-")').nullish(),
  tools: optionalList(
    nameSchema(shortName, 'the name of a tool server (small letters, digits, "-")'),
    20,
  ),
  agent: nameSchema(shortName, 'the name of an agent (small letters, digits, "-")').nullish(),
  model: nameSchema(
    modelNamePattern,
    'the name of a model (letters, digits and . : / @ _ -)',
  ).nullish(),
});

export const rejectedSchema = z.object({alternative: textSchema(2000), reason: textSchema(2000)});

export const checkSchema = z.object({
  name: nameSchema(checkName, 'a name of small letters, digits and "-", at most 31'),
  command: commandSchema,
});

/**
 * The plan as a planner writes it; docs/plan.md explains it. Types are strict; null equals a
 * missing optional field.
 */
export const planSchema = z.object({
  objective: textSchema(4000).nullish(),
  problem: textSchema(8000),
  rootCause: textSchema(8000),
  assumptions: optionalList(textSchema(2000), 50),
  invariants: optionalList(textSchema(2000), 50),
  risks: optionalList(textSchema(2000), 50),
  rejected: optionalList(rejectedSchema, 50),
  tasks: z.array(taskSchema).min(1).max(50),
  validation: optionalList(checkSchema, 20),
});

function textSchema(max: number): z.ZodType<string, string> {
  return z
    .string()
    .max(max)
    .transform((text) => toNfc(text.replaceAll(/\r\n?/g, '\n').trim()))
    .refine((text) => text !== '', 'expected a text, got none. Write a sentence.');
}

function nameSchema(pattern: RegExp, expectation: string): z.ZodType<string, string> {
  return z.string().refine((text) => pattern.test(text), {
    error: ({input}) => `expected ${expectation}, got "${excerpt(String(input))}". Change it.`,
  });
}

function optionalList<Member>(member: z.ZodType<Member>, max: number): z.ZodType<Member[]> {
  return z
    .array(member)
    .max(max)
    .nullish()
    .transform((members) => members ?? []);
}

/** Warnings for fields that a plan does not have: they are ignored, and the planner should know. */
export function findUnknownFields(document: unknown): PlanIssue[] {
  return [
    ...unknownIn(document, planSchema, []),
    ...listMembers(document, 'tasks').flatMap(([index, task]) =>
      unknownIn(task, taskSchema, ['tasks', index]),
    ),
    ...listMembers(document, 'rejected').flatMap(([index, one]) =>
      unknownIn(one, rejectedSchema, ['rejected', index]),
    ),
    ...listMembers(document, 'validation').flatMap(([index, check]) =>
      unknownIn(check, checkSchema, ['validation', index]),
    ),
  ];
}

function unknownIn(value: unknown, schema: z.ZodObject, steps: PlanIssue['steps']): PlanIssue[] {
  if (!isRecord(value)) return [];
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(schema.shape, key))
    .map((key) => ({
      steps: [...steps, key],
      level: 'warning',
      text:
        `${jsonPath([...steps, key])}: "${excerpt(key, 40)}" is not a field of a plan, so ` +
        'it is ignored. Leave it out.',
    }));
}

function listMembers(document: unknown, field: string): [index: number, member: unknown][] {
  const list = isRecord(document) ? document[field] : undefined;
  return Array.isArray(list) ? [...list.slice(0, 50).entries()] : [];
}
