/**
 * A plan that is right, with some of its fields replaced or, by undefined, left out; one field to a
 * line.
 */
export function planText(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify(
    {problem: 'It is broken.', rootCause: 'A typo.', tasks: [task()], ...changes},
    undefined,
    1,
  );
}

export function task(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: 't1',
    title: 'Repair it',
    brief: 'Correct the typo.',
    files: ['src/a.ts'],
    ...changes,
  };
}
