import {isRecord, toSha256} from '../shared/index.ts';
import type {Plan} from './plan.ts';

/** The hash that an approval is bound to. It does not depend on the order of the plan's fields. */
export function planHash(plan: Plan): string {
  return toSha256(
    JSON.stringify(plan, (_, value: unknown) => (isRecord(value) ? sortKeys(value) : value)),
  );
}

function sortKeys(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
