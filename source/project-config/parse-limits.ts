import type {z} from 'zod';
import {emptyState, type Limits, type LoopAnswer} from '../domain/index.ts';
import {getLimits} from './defaults.ts';
import {type ReportProblem, withConsequence} from './fields.ts';
import {parseEachField} from './parse-with-schema.ts';
import {type NumberRange, numberSchema, wordSchema} from './schemas.ts';
import type {YamlMapping} from '../syntax/index.ts';

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
  sameCalls: {least: 2, most: 1000},
  sameFailures: {least: 2, most: 1000},
  undoneEdits: {least: 2, most: 1000},
  unchangedMinutes: minutes,
} as const satisfies Readonly<Record<NumberName, NumberRange>>;

type NumberName = Exclude<keyof Limits, 'onLoop'>;

const names = Object.keys(limitRanges) as NumberName[];

/** The limits that may be `off`. */
const switches: ReadonlySet<string> = new Set<keyof Limits>([
  'sameCalls',
  'sameFailures',
  'undoneEdits',
  'unchangedMinutes',
]);

const limitsShape = {
  ...(Object.fromEntries(
    names.map((name) => [name, numberSchema(limitRanges[name], {mayBeOff: switches.has(name)})]),
  ) as Readonly<Record<NumberName, z.ZodType<number>>>),
  onLoop: wordSchema({
    expectation: '"ask" or "stop"',
    isMeant: (word): word is LoopAnswer => word === 'ask' || word === 'stop',
  }),
};

/** The limits in the file, and the defaults of those that every project has. */
export function parseLimits(mapping: YamlMapping, report: ReportProblem): Limits {
  const usual: Readonly<Partial<Record<string, number | string>>> = getLimits(emptyState.project);
  const reportOf = (name: string): ReportProblem =>
    withConsequence(
      usual[name] === undefined ? 'there is no limit' : `it is ${usual[name]}`,
      report,
    );
  return {
    ...emptyState.project.limits,
    ...parseEachField(limitsShape, mapping, 'limits', report, reportOf),
  };
}
