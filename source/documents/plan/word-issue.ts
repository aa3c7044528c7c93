import type {z} from 'zod';
import {jsonPath} from './json-path.ts';

/** A finding about a value of the plan. */
export type Placed = {
  readonly steps: readonly (string | number)[];
  readonly level: 'error' | 'warning';
  readonly text: string;
};

/** Says what zod found in our way: the path, what was expected, what was got, what to do. */
export function wordIssue(issue: z.core.$ZodIssue, document: unknown): Placed {
  const steps = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const name = steps.length === 0 ? 'the plan' : jsonPath(steps);
  return {steps, level: 'error', text: `${name}: ${wordsOf(issue, valueAt(document, steps))}`};
}

function wordsOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `is missing. Add ${kindOf(issue.expected)}.`
        : `expected ${kindOf(issue.expected)}, got ${describe(value)}. Change it.`;
    case 'too_small':
      return `expected at least ${String(issue.minimum)}, got ${describe(value)}. Add what is missing.`;
    case 'too_big':
      return `expected at most ${String(issue.maximum)} ${typeof value === 'string' ? 'characters' : 'of them'}, got ${describe(value)}. Make it shorter.`;
    default:
      return issue.message;
  }
}

function valueAt(document: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    document,
  );
}

function kindOf(type: string): string {
  return (
    {string: 'a text in quotes', array: 'a list [ … ]', object: 'an object { … }'}[type] ?? type
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}
