import {type FieldNames, type Report, readFields} from '../project/read-fields.ts';
import {type YamlValue, describeYaml} from '../project/yaml-value.ts';

export type Shape<Required extends string, Optional extends string> = {
  readonly required: readonly Required[];
  readonly optional?: readonly Optional[];
};

/** The fields of a mapping that must have some of them. What is missing is reported here, on the line of the mapping. */
export function readShape<Required extends string, Optional extends string = never>(
  value: YamlValue,
  path: string,
  {required, optional = []}: Shape<Required, Optional>,
  report: Report,
): ReadonlyMap<Required | Optional, YamlValue> | undefined {
  const known: FieldNames<Required | Optional>['known'] = [...required, ...optional];
  if (value.is !== 'mapping') {
    report(
      value.line,
      `${path}: expected the fields ${known.join(', ')}, got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields = readFields(value, path, {known}, report);
  for (const name of required)
    if (!fields.has(name)) report(value.line, `${path}.${name}: is missing. Add it.`);
  return fields;
}
