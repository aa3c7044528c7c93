/** Access to parsed JSON of unknown shape. Whatever is not there, or of another type, is missing. */
export function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }

  return found;
}

export function textIn(value: unknown, ...names: readonly string[]): string {
  const found = fieldOf(value, ...names);
  return typeof found === 'string' ? found : '';
}

export function listIn(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = fieldOf(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** A line or a column, counted from 1. */
export function positionIn(value: unknown, ...names: readonly string[]): number | undefined {
  const found = fieldOf(value, ...names);
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : undefined;
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function hasFields(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => Object.hasOwn(value as object, name));
}

/** Parses JSON; undefined if it is none. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The objects of a text with one on each line. Other lines are left out; after many that are almost
 * JSON the text counts as something else.
 */
export function* parseJsonLines(text: string): Generator {
  let malformed = 0;
  for (let start = 0; start < text.length && malformed < maxMalformed;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (text[start] === '{') {
      const value = tryParseJson(text.slice(start, end));
      if (value === undefined) malformed += 1;
      else yield value;
    }

    start = end + 1;
  }
}

const maxMalformed = 1000;

export function toCodePlace(
  file: string,
  line: number | undefined,
  column?: number,
): {readonly place?: {readonly file: string; readonly line?: number; readonly column?: number}} {
  if (file === '') return {};
  return {
    place: {
      file,
      ...(line !== undefined && {line}),
      ...(line !== undefined && column !== undefined && {column}),
    },
  };
}
