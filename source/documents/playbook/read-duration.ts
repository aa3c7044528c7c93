import type {Report} from '../project/read-fields.ts';
import {type YamlValue, describeYaml} from '../project/yaml-value.ts';

const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
]);
const mostMilliseconds = 60 * 60_000;

/** `300ms`, `2s`, `1m`, as milliseconds. */
export function readDuration(value: YamlValue, path: string, report: Report): number | undefined {
  const {amount, unit = ''} =
    (value.is === 'text'
      ? /^(?<amount>\d{1,7})(?<unit>ms|s|m)$/.exec(value.text)?.groups
      : undefined) ?? {};
  const milliseconds = Number(amount) * (units.get(unit) ?? Number.NaN);
  if (milliseconds >= 1 && milliseconds <= mostMilliseconds) return milliseconds;
  report(
    value.line,
    `${path}: expected a time like 300ms, 2s or 1m, from 1ms to 60m, got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}
