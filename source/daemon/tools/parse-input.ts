import type {ToolInput} from './tool.ts';

type Kind = 'text' | 'count' | 'texts' | 'object' | 'objects';

/**
 * A field of a tool's input; undefined if it is missing. Throws, for the agent to read, if it is of
 * another kind or too large.
 */
export function parseField(
  input: ToolInput,
  name: string,
  kind: 'text',
  max?: number,
): string | undefined;
export function parseField(
  input: ToolInput,
  name: string,
  kind: 'count',
  max?: number,
): number | undefined;
export function parseField(
  input: ToolInput,
  name: string,
  kind: 'texts',
  max?: number,
): readonly string[] | undefined;
export function parseField(
  input: ToolInput,
  name: string,
  kind: 'object',
  max?: number,
): object | undefined;
export function parseField(
  input: ToolInput,
  name: string,
  kind: 'objects',
  max?: number,
): readonly ToolInput[] | undefined;
export function parseField(
  input: ToolInput,
  name: string,
  kind: Kind,
  max = kind === 'count' ? Number.MAX_SAFE_INTEGER : defaultMax,
): unknown {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!kindChecks[kind](value))
    throw new Error(`expected "${name}" to be ${kindTexts[kind]}, got ${formatValue(value)}`);
  const size = measure(value);
  if (size > max)
    throw new Error(
      `expected at most ${max} ${kind === 'count' ? '' : 'characters '}in "${name}", got ${size}`,
    );
  return value;
}

/** A text field that must be present. */
export function parseRequiredText(input: ToolInput, name: string, max?: number): string {
  const text = parseField(input, name, 'text', max);
  if (text === undefined) throw new Error(`expected "${name}", a text, got nothing`);
  return text;
}

const defaultMax = 4000;

const kindChecks: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && !value.includes('\0'),
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  texts: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes('\0')),
  object: isObject,
  objects: (value) => Array.isArray(value) && value.every(isObject),
};

const kindTexts: Readonly<Record<Kind, string>> = {
  text: 'a text without NUL',
  count: 'a whole number',
  texts: 'a list of texts',
  object: 'an object',
  objects: 'a list of objects',
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number counts as itself, everything else by its characters. */
function measure(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

function formatValue(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
