import path from 'node:path';
import {z} from 'zod';

/** A schema for each field, so that the compiler misses one that is added to the type. What a client sends beyond them is dropped. */
export type Fields<T> = {readonly [Key in keyof T]-?: z.ZodType};

/** Only the fields that are named are read, each by itself: no name in what was sent, not even `__proto__`, can reach anything else. */
export function objectOf<T>(fields: Fields<T>): z.ZodObject {
  return z.object({...fields});
}

/** In characters. Texts as a whole are bounded by the frame that they come in, and by `maxWishCharacters`. */
const maxName = 200;

const hasNoNul = (text: string): boolean => !text.includes('\0');

export const text = z.string();
/** Ids and names: whether there is one is looked up. */
export const name = z.string().max(maxName).refine(hasNoNul, 'expected no NUL character');
export const argument = z.string().refine(hasNoNul, 'expected no NUL character');
export const directory = argument.refine(
  (value) => path.isAbsolute(value),
  'expected an absolute path',
);
export const number = z.number();
export const count = z.int().nonnegative();
export const positive = z.int().positive();
export const flag = z.boolean();
export const optional = <T extends z.ZodType>(schema: T): z.ZodOptional<T> => schema.optional();

/** A terminal may have no size, or an impossible one: then none counts. */
const extent = z.int().min(1).max(0xff_ff);
export const size = objectOf<{readonly columns: number; readonly rows: number}>({
  columns: extent,
  rows: extent,
})
  .optional()
  .catch(undefined);

/** Names that no program could get are refused; `__proto__` is dropped. */
export const environment = z.record(z.string().regex(/^[^=\0]+$/), argument);

const maxDepth = 64;

/** Anything, but not so deep that whoever walks it runs out of stack. */
export const anything = z
  .unknown()
  .refine((value) => isShallow(value), `expected at most ${maxDepth} levels`);

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }

  return true;
}

/** What is wrong, in one sentence: where, and what was expected. What was sent is not quoted: it may be anything, and of any length. */
export function describeIssue(what: string, error: z.ZodError): string {
  const [issue] = error.issues;
  const where =
    issue === undefined || issue.path.length === 0
      ? what
      : `${issue.path.map(String).join('.')} of ${what}`;
  return `expected ${where} to be well-formed: ${(issue?.message ?? 'it is not').replace(/^Invalid input: /, '')}`.slice(
    0,
    500,
  );
}
