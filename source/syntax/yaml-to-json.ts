import type {YamlEntry, YamlMapping, YamlValue} from './parse-yaml.ts';

export type JsonOfYaml = {
  readonly json: string;
  /** For each line of the JSON the line of the YAML that it comes from. */
  readonly lines: readonly number[];
};

/** Where a value is in the document: keys and indexes. */
export type YamlSteps = readonly (string | number)[];

export type YamlToJsonOptions = {
  /**
   * Called for a value that JSON does not have, such as an alias. `null` is written in its place.
   */
  readonly onOther: (value: Extract<YamlValue, {is: 'other'}>, steps: YamlSteps) => void;
  /** Selects the entries of a mapping; all of them by default, repeated keys included. */
  readonly selectEntries?: (mapping: YamlMapping, steps: YamlSteps) => readonly YamlEntry[];
};

/**
 * Writes a YAML value as JSON with one token to a line, so that a parser of JSON can report
 * problems with YAML lines.
 */
export function yamlToJson(document: YamlValue, options: YamlToJsonOptions): JsonOfYaml {
  const {onOther, selectEntries = ({entries}: YamlMapping) => entries} = options;
  const tokens: string[] = [];
  const lines: number[] = [];
  const put = (token: string, line = lines.at(-1) ?? 1): void => {
    tokens.push(token);
    lines.push(line);
  };

  const write = (value: YamlValue, steps: YamlSteps): void => {
    switch (value.is) {
      case 'nothing':
        put('null', value.line);
        return;
      case 'text':
        put(JSON.stringify(value.text), value.line);
        return;
      case 'number':
        // `.inf` and `.nan` are not JSON.
        put(Number.isFinite(value.number) ? String(value.number) : '0', value.line);
        return;
      case 'other':
        if (isBoolean(value.what)) {
          put(value.what, value.line);
          return;
        }

        onOther(value, steps);
        put('null', value.line);
        return;
      case 'list':
        put('[', value.line);
        for (const [index, item] of value.items.entries()) {
          if (index > 0) put(',');
          write(item, [...steps, index]);
        }

        put(']');
        return;
      case 'mapping':
        put('{', value.line);
        for (const [index, {key, line, value: member}] of selectEntries(value, steps).entries()) {
          if (index > 0) put(',');
          put(`${JSON.stringify(key)}:`, line);
          write(member, [...steps, key]);
        }

        put('}');
    }
  };

  write(document, []);
  return {json: tokens.join('\n'), lines};
}

function isBoolean(what: string): boolean {
  return what === 'true' || what === 'false';
}
