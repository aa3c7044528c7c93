import {nearest} from '../../base/index.ts';
import {excerpt} from '../excerpt.ts';
import type {YamlEntry, YamlMapping, YamlValue} from './yaml-value.ts';

/** Takes what is wrong with the file, and where. */
export type Report = (line: number, text: string) => void;

export type FieldNames<Name extends string> = {
  readonly known: readonly Name[];
  /** Fields that the design has and this version has not. */
  readonly later?: readonly string[];
};

/** The known fields of a mapping; one with nothing after it counts as left out. Whatever else stands there is reported and ignored. */
export function readFields<Name extends string>(
  mapping: YamlMapping,
  path: string,
  {known, later = []}: FieldNames<Name>,
  report: Report,
): ReadonlyMap<Name, YamlValue> {
  const fields = new Map<Name, YamlValue>();
  for (const {key, line, value} of readEntries(mapping, path, report)) {
    const name = known.find((candidate) => candidate === key);
    if (name !== undefined) {
      if (value.is !== 'nothing') fields.set(name, value);
    } else if (later.includes(key)) {
      report(
        line,
        `${pathInto(path, key)}: is not supported by this version yet, so it does nothing. Leave it out.`,
      );
    } else {
      report(
        line,
        `${pathInto(path, key)}: is not a field here, so it is ignored. ${hintFor(key, known)}`,
      );
    }
  }

  return fields;
}

/** The entries of a mapping without those that cannot be meant: of two with one key the first counts, and nothing is merged. */
export function readEntries({entries}: YamlMapping, path: string, report: Report): YamlEntry[] {
  const seen = new Set<string>();
  return entries.filter(({key, line}) => {
    if (key === '<<') {
      report(
        line,
        `${pathInto(path, key)}: does not merge anything here, so it is ignored. Write the fields themselves.`,
      );
      return false;
    }

    if (seen.has(key)) {
      report(
        line,
        `${pathInto(path, key)}: stands here a second time; the first one counts. Leave one out.`,
      );
      return false;
    }

    seen.add(key);
    return true;
  });
}

/** `services.web.port` */
export function pathInto(path: string, key: string): string {
  const name = key === '' ? '""' : excerpt(key, 40);
  return path === '' ? name : `${path}.${name}`;
}

/** Reports what happens as long as the file stays as it is. */
export function until(consequence: string, report: Report): Report {
  return (line, text) => {
    report(line, `${text} Until then ${consequence}.`);
  };
}

function hintFor(key: string, known: readonly string[]): string {
  const meant = nearest(key.toLowerCase(), known);
  return meant === undefined
    ? `The fields here are: ${known.join(', ')}.`
    : `Did you mean "${meant}"?`;
}
