import {maxRefusedHosts} from '../domain/index.ts';
import type {RefusalReason} from './allow-list.ts';

/** What a session asked the network for and did not get. */
export type Refusal = {
  readonly host: string;
  readonly port: number;
  readonly why: RefusalReason;
  readonly times: number;
};

/** Different ones of a session that are kept; the last of them stands for all others. */
export const maxRefusals = maxRefusedHosts;

const reasons: ReadonlySet<unknown> = new Set<RefusalReason>([
  'not-listed',
  'port-not-listed',
  'private-address',
  'not-a-host',
  'too-many',
]);

/** Reads what a supervisor wrote; what is not of this form is left out. */
export function parseRefusals(text: string): readonly Refusal[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }

  return Array.isArray(value)
    ? value
        .slice(0, maxRefusals)
        .filter(isRefusal)
        .map(({host, port, why, times}) => ({host, port, why, times}))
    : [];
}

function isRefusal(value: unknown): value is Refusal {
  const {host, port, why, times} = (value ?? {}) as Partial<Record<keyof Refusal, unknown>>;
  return (
    typeof host === 'string' &&
    host.length <= 253 &&
    Number.isInteger(port) &&
    Number.isInteger(times) &&
    reasons.has(why)
  );
}
