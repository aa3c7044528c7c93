import {type Limits, emptyState} from '../../domain/index.ts';
import {limitsOf} from './limits-of.ts';
import {type Report, readFields, until} from './read-fields.ts';
import {type NumberRange, readNumber} from './read-values.ts';
import type {YamlMapping} from './yaml-value.ts';

const minutes: NumberRange = {least: 1, most: 1440};
const tokens: NumberRange = {least: 1000, most: 1_000_000_000};

export const limitRanges = {
  workers: {least: 1, most: 64},
  runs: {least: 1, most: 16},
  attemptMinutes: minutes,
  noProgressMinutes: minutes,
  checkMinutes: minutes,
  pauseSeconds: {least: 1, most: 3600},
  pauseMinutes: {least: 1, most: 10_080},
  attemptTokens: tokens,
  runTokens: tokens,
  contextTokens: {least: 1000, most: 200_000},
  toolResultTokens: {least: 200, most: 100_000},
} as const satisfies Readonly<Record<keyof Limits, NumberRange>>;

const names = Object.keys(limitRanges) as (keyof Limits)[];

/** The limits that the file has, and the defaults of those that every project has. */
export function readLimits(mapping: YamlMapping, report: Report): Limits {
  const usual = limitsOf(emptyState.project);
  const fields = readFields(mapping, 'limits', {known: names}, report);
  const read = names.flatMap((name) => {
    const field = fields.get(name);
    const consequence = usual[name] === undefined ? 'there is no limit' : `it is ${usual[name]}`;
    const value = field && readNumber(field, `limits.${name}`, limitRanges[name], until(consequence, report));
    return value === undefined ? [] : [[name, value] as const];
  });
  return {...emptyState.project.limits, ...Object.fromEntries(read)};
}
