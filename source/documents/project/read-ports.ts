import type {Project} from '../../domain/index.ts';
import {portRangeOf} from './project-defaults.ts';
import {type Report, readFields, until} from './read-fields.ts';
import {readNumber} from './read-values.ts';
import type {YamlMapping} from './yaml-value.ts';

/** Half of it would give tasks other ports than the file seems to say, so it counts as a whole or not at all. */
export function readPorts(mapping: YamlMapping, report: Report): Project['ports'] {
  const usual = portRangeOf({});
  const refuse = until(`ports are given from ${usual.from} on, ${usual.perTask} to a task`, report);
  const fields = readFields(mapping, 'ports', {known: ['from', 'perTask']}, report);
  const [fromField, perTaskField] = [fields.get('from'), fields.get('perTask')];
  const from =
    fromField === undefined
      ? usual.from
      : readNumber(fromField, 'ports.from', {least: 1024, most: 60_000}, refuse);
  const perTask =
    perTaskField === undefined
      ? usual.perTask
      : readNumber(perTaskField, 'ports.perTask', {least: 1, most: 100}, refuse);
  return from === undefined || perTask === undefined ? undefined : {from, perTask};
}
