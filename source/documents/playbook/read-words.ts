import type {Report} from '../project/read-fields.ts';
import {type YamlValue, describeYaml} from '../project/yaml-value.ts';

/** A text that is not empty. A field that is missing was reported where its mapping was read. */
export function readWords(
  value: YamlValue | undefined,
  path: string,
  report: Report,
): string | undefined {
  if (value === undefined) return undefined;
  if (value.is === 'text' && value.text !== '') return value.text;
  const advice = value.is === 'number' || value.is === 'other' ? 'Put it in quotes.' : 'Write it.';
  report(value.line, `${path}: expected a text, got ${describeYaml(value)}. ${advice}`);
  return undefined;
}
