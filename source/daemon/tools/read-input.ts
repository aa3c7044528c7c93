import type {ToolInput} from './tool.ts';

type Kind = 'text' | 'count' | 'texts' | 'object' | 'objects';

/** The field of a tool's input, or nothing if it was left out. What is of another kind or too large is said to the agent. */
export function fieldOf(
  input: ToolInput,
  name: string,
  kind: 'text',
  most?: number,
): string | undefined;
export function fieldOf(
  input: ToolInput,
  name: string,
  kind: 'count',
  most?: number,
): number | undefined;
export function fieldOf(
  input: ToolInput,
  name: string,
  kind: 'texts',
  most?: number,
): readonly string[] | undefined;
export function fieldOf(
  input: ToolInput,
  name: string,
  kind: 'object',
  most?: number,
): object | undefined;
export function fieldOf(
  input: ToolInput,
  name: string,
  kind: 'objects',
  most?: number,
): readonly ToolInput[] | undefined;
export function fieldOf(
  input: ToolInput,
  name: string,
  kind: Kind,
  most = kind === 'count' ? Number.MAX_SAFE_INTEGER : usualMost,
): unknown {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!checks[kind](value))
    throw new Error(`expected "${name}" to be ${words[kind]}, got ${shown(value)}`);
  const size =
    kind === 'count'
      ? Number(value)
      : kind === 'text'
        ? (value as string).length
        : JSON.stringify(value).length;
  if (size > most)
    throw new Error(
      `expected at most ${most} ${kind === 'count' ? '' : 'characters '}in "${name}", got ${size}`,
    );
  return value;
}

/** The same for what must be there. */
export function textOf(input: ToolInput, name: string, most?: number): string {
  const text = fieldOf(input, name, 'text', most);
  if (text === undefined) throw new Error(`expected "${name}", a text, got nothing`);
  return text;
}

const usualMost = 4000;

const checks: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && !value.includes('\0'),
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  texts: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes('\0')),
  object: isObject,
  objects: (value) => Array.isArray(value) && value.every(isObject),
};

const words: Readonly<Record<Kind, string>> = {
  text: 'a text without NUL',
  count: 'a whole number',
  texts: 'a list of texts',
  object: 'an object',
  objects: 'a list of objects',
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
