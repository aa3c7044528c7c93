import {sha256Of} from '../../base/index.ts';
import type {Plan} from '../../domain/index.ts';

/** What an approval binds: the same plan has the same hash, in whatever order its fields were written. */
export function planHash(plan: Plan): string {
  return sha256Of(
    JSON.stringify(plan, (_, value: unknown) => (isRecord(value) ? sorted(value) : value)),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
