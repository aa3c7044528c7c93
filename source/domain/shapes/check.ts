/**
 * Whether an external value has the form that its type says. Written by hand because clients fold
 * events too, and should not load a library for it.
 */
type ShapeCheck = (value: unknown) => boolean;

/** A check for each field: the compiler reports a missing one. Additional fields are allowed. */
export type ShapeFields<T> = {readonly [Key in keyof T]-?: ShapeCheck};

export const text: ShapeCheck = (value) => typeof value === 'string';

export const number: ShapeCheck = (value) => Number.isFinite(value);

export const flag: ShapeCheck = (value) => typeof value === 'boolean';

export function optional(check: ShapeCheck): ShapeCheck {
  return (value) => value === undefined || check(value);
}

export function nullable(check: ShapeCheck): ShapeCheck {
  return (value) => value === null || check(value);
}

export function either(...checks: readonly ShapeCheck[]): ShapeCheck {
  return (value) => checks.some((check) => check(value));
}

export function matching(isIt: (value: string) => boolean): ShapeCheck {
  return (value) => typeof value === 'string' && isIt(value);
}

export function listOf(check: ShapeCheck): ShapeCheck {
  return (value) => Array.isArray(value) && value.every((one) => check(one));
}

/** An object with any keys. */
export function namedBy(check: ShapeCheck): ShapeCheck {
  return (value) => isRecord(value) && Object.values(value).every((one) => check(one));
}

/** All values are listed: the compiler reports a missing one. */
export function oneOf<T extends string | number>(allowed: Readonly<Record<T, true>>): ShapeCheck {
  return (value) =>
    (typeof value === 'string' || typeof value === 'number') && Object.hasOwn(allowed, value);
}

export function record<T>(fields: ShapeFields<T>): ShapeCheck {
  const checks = Object.entries<ShapeCheck>(fields);
  return (value) => isRecord(value) && checks.every(([name, check]) => check(fieldOf(value, name)));
}

/** One of several records, distinguished by the field `tag`. */
export function tagged<Tag extends string, T extends Readonly<Record<Tag, string>>>(
  tag: Tag,
  kinds: {
    readonly [Kind in T[Tag]]: ShapeFields<Omit<Extract<T, Readonly<Record<Tag, Kind>>>, Tag>>;
  },
): ShapeCheck {
  const checks = new Map(
    Object.entries<Readonly<Record<string, ShapeCheck>>>(kinds).map(([kind, fields]) => [
      kind,
      record(fields),
    ]),
  );
  return (value) => isRecord(value) && checks.get(String(fieldOf(value, tag)))?.(value) === true;
}

/** The name of the first field that is not as expected. */
export function findWrongField(
  value: object,
  fields: Readonly<Record<string, ShapeCheck>>,
): string | undefined {
  return Object.entries(fields).find(([name, check]) => !check(fieldOf(value, name)))?.[0];
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Inherited properties do not count as fields. */
function fieldOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
