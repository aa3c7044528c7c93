import {isRecord} from '../shared/index.ts';

/**
 * Checks for untrusted JSON. Written by hand because they are part of the keeper, which must stay
 * small.
 */
type FieldCheck = (value: unknown) => boolean;
export type Checks<T> = Readonly<Record<Exclude<keyof T, 'type'>, FieldCheck>>;

/** The checked fields of a value and no others, or the name of the first wrong one. */
export type FieldsParseResult<T> = {readonly fields: T} | {readonly wrong: string};

export function parseFields<T>(value: unknown, checks: Checks<T>): FieldsParseResult<T> {
  if (!isRecord(value)) return {wrong: 'the whole'};
  const fields: Record<string, unknown> = {};
  for (const [key, check] of Object.entries<FieldCheck>(checks)) {
    const field = Object.hasOwn(value, key) ? value[key] : undefined;
    if (!check(field)) return {wrong: key};
    if (field !== undefined) fields[key] = field;
  }

  return {fields: fields as T};
}

export function undefinedOr(check: FieldCheck): FieldCheck {
  return (value) => value === undefined || check(value);
}

export function oneOfValues(...allowed: readonly unknown[]): FieldCheck {
  return (value) => allowed.includes(value);
}

export function nullOr(check: FieldCheck): FieldCheck {
  return (value) => value === null || check(value);
}

/**
 * Text that can be an argument, a path or a variable: the kernel ends each of them at a NUL byte.
 */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isPositive(value: unknown): value is number {
  return isCount(value) && value > 0;
}

/** Columns or rows within the kernel's limit. */
export function isExtent(value: unknown): value is number {
  return isPositive(value) && value <= 0xffff;
}
