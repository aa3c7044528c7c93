import {columns} from './columns.ts';

export type FactLine = {readonly name: string} & (
  {readonly value: unknown; readonly source: string} | {readonly unknown: string}
);

/** One fact a line, each with where it was read. */
export function formatFacts(facts: readonly FactLine[]): string {
  return columns(
    facts.map((fact) =>
      'unknown' in fact
        ? [fact.name, 'unknown', fact.unknown]
        : [fact.name, fact.source, describe(fact.value)],
    ),
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => JSON.stringify(item)).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
