import {z} from 'zod';
import {checkName} from '../check-name.ts';
import {vaguenessOf} from '../command-quality.ts';
import {excerpt} from '../excerpt.ts';
import {hasHiddenCharacters} from '../hidden-characters.ts';
import {toNfc} from '../to-nfc.ts';
import {readPlanPath} from './read-plan-path.ts';

// Messages of refinements go on after the path of the value: "tasks[0].files[1]: …".

const file = z.string().transform((text, context) => {
  const reading = readPlanPath(text);
  if ('path' in reading) return reading.path;
  context.addIssue({code: 'custom', message: `"${excerpt(text)}" ${reading.refused}`});
  return z.NEVER;
});

const command = z
  .string()
  .max(1000)
  .transform((text, context) => {
    const line = text.trim();
    const isPlain = !hasHiddenCharacters(line) && !/[\n\t]/.test(line);
    const fault = isPlain
      ? vaguenessOf(line)
      : 'has line breaks, control or hidden characters: write it on one line, without them.';
    if (fault !== undefined)
      context.addIssue({code: 'custom', message: `the command "${excerpt(line)}" ${fault}`});
    return line;
  });

export const taskSchema = z.object({
  id: named(/^t[1-9][0-9]{0,2}$/, 'an id like t1, t2, … t999'),
  title: words(200).transform((text) => text.replaceAll(/\s+/g, ' ')),
  brief: words(8000),
  files: z.array(file).min(1).max(200),
  after: optionalList(z.string(), 50),
  services: optionalList(
    named(/^[a-z0-9][a-z0-9-]{0,39}$/, 'the name of a service (small letters, digits, "-")'),
    20,
  ),
  skill: named(
    /^[a-z0-9][a-z0-9-]{0,63}$/,
    'the name of a skill (small letters, digits, "-")',
  ).nullish(),
  tools: optionalList(
    named(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      'the name of a server of tools (small letters, digits, "-")',
    ),
    20,
  ),
});

export const rejectedSchema = z.object({alternative: words(2000), reason: words(2000)});

export const checkSchema = z.object({
  name: named(checkName, 'a name of small letters, digits and "-", at most 31'),
  command,
});

/** What a planner may say; docs/plan.md explains it. Types are strict, and null stands for an optional field left out. */
export const planSchema = z.object({
  objective: words(4000).nullish(),
  problem: words(8000),
  rootCause: words(8000),
  assumptions: optionalList(words(2000), 50),
  invariants: optionalList(words(2000), 50),
  risks: optionalList(words(2000), 50),
  rejected: optionalList(rejectedSchema, 50),
  tasks: z.array(taskSchema).min(1).max(50),
  validation: optionalList(checkSchema, 20),
});

function words(most: number): z.ZodType<string, string> {
  return z
    .string()
    .max(most)
    .transform((text) => toNfc(text.replaceAll(/\r\n?/g, '\n').trim()))
    .refine((text) => text !== '', 'expected words, got none. Say it in a sentence.');
}

function named(pattern: RegExp, expectation: string): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => pattern.test(text), {
      error: ({input}) => `expected ${expectation}, got "${excerpt(String(input))}". Change it.`,
    });
}

function optionalList<Member>(member: z.ZodType<Member>, most: number): z.ZodType<Member[]> {
  return z
    .array(member)
    .max(most)
    .nullish()
    .transform((members) => members ?? []);
}
