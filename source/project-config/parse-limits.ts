import {emptyState, type Limits, type LoopAnswer} from '../domain/index.ts';
import {getLimits} from './defaults.ts';
import {
  type NumberRange,
  parseFields,
  parseNumber,
  parseWord,
  type Report,
  withConsequence,
} from './fields.ts';
import type {YamlMapping, YamlValue} from '../syntax/index.ts';

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

const isLoopAnswer = (word: string): word is LoopAnswer => word === 'ask' || word === 'stop';

/** The limits in the file, and the defaults of those that every project has. */
export function parseLimits(mapping: YamlMapping, report: Report): Limits {
  const usual = getLimits(emptyState.project);
  const fields = parseFields(mapping, 'limits', {known: [...names, 'onLoop']}, report);
  const read = names.flatMap((name) => {
    const field = fields.get(name);
    const consequence = usual[name] === undefined ? 'there is no limit' : `it is ${usual[name]}`;
    const value = field && parseLimit(field, name, withConsequence(consequence, report));
    return value === undefined ? [] : [[name, value] as const];
  });
  const answer = fields.get('onLoop');
  const onLoop =
    answer &&
    parseWord(
      answer,
      'limits.onLoop',
      {expectation: '"ask" or "stop"', isMeant: isLoopAnswer},
      withConsequence('it is ask', report),
    );
  return {
    ...emptyState.project.limits,
    ...Object.fromEntries(read),
    ...(onLoop === undefined ? {} : {onLoop}),
  };
}

/** A number, or `off` where that is allowed. */
function parseLimit(field: YamlValue, name: NumberName, report: Report): number | undefined {
  if (!switches.has(name)) return parseNumber(field, `limits.${name}`, limitRanges[name], report);
  if (field.is === 'text' && field.text === 'off') return 0;
  return parseNumber(field, `limits.${name}`, limitRanges[name], (line, text) => {
    report(line, text.replace('expected a whole number', 'expected "off" or a whole number'));
  });
}
