import {z} from 'zod';
import type {Session} from '../../domain/index.ts';
import type {ToolAnswer} from '../../protocol/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import type {DaemonDirectory, PromptSources, RunVariables} from '../daemon-context.ts';

/** What all tools share. */
export type ToolContext = {
  readonly context: PromptSources & DaemonDirectory & RunVariables;
  readonly conductor: Conductor;
  /** How long a call waits before it answers that it is still waiting. */
  readonly waitMs: number;
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
};

/** One call by a live session. The input comes from an agent. */
export type ToolInvocation = {
  readonly session: Session;
  readonly input: ToolInput;
  /** A repeated call has the same name. */
  readonly call?: string;
  /** How long the caller can wait for a person, if longer than usual. */
  readonly waitMs?: number;
};

export type ToolInput = Readonly<Record<string, unknown>>;

/** Answers, or throws an error whose message the agent reads. */
export type Tool = (call: ToolInvocation) => Promise<ToolAnswer> | ToolAnswer;

const defaultMax = 4000;

const text = z.string().refine((value) => !value.includes('\0'));
const object = z.record(z.string(), z.unknown());
const kinds = {
  text,
  count: z.int().nonnegative(),
  texts: z.array(text),
  flag: z.boolean(),
  object,
  objects: z.array(object),
};

type Kind = keyof typeof kinds;

const kindTexts: Readonly<Record<Kind, string>> = {
  text: 'a text without NUL',
  count: 'a whole number',
  texts: 'a list of texts',
  flag: 'true or false',
  object: 'an object',
  objects: 'a list of objects',
};

/**
 * A field of a tool's input; undefined if it is missing. Throws, for the agent to read, if it is of
 * another kind or too large.
 */
export function parseField<Name extends Kind>(
  input: ToolInput,
  name: string,
  kind: Name,
  max = kind === 'count' ? Number.MAX_SAFE_INTEGER : defaultMax,
): z.output<(typeof kinds)[Name]> | undefined {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) return undefined;
  const parsed = kinds[kind].safeParse(value);
  if (!parsed.success)
    throw new Error(`expected "${name}" to be ${kindTexts[kind]}, got ${formatValue(value)}`);
  const size = measure(value);
  if (size > max)
    throw new Error(
      `expected at most ${max} ${kind === 'count' ? '' : 'characters '}in "${name}", got ${size}`,
    );
  return parsed.data as z.output<(typeof kinds)[Name]>;
}

/** A text field that must be present. */
export function parseRequiredText(input: ToolInput, name: string, max?: number): string {
  const text = parseField(input, name, 'text', max);
  if (text === undefined) throw new Error(`expected "${name}", a text, got nothing`);
  return text;
}

/** A number counts as itself, everything else by its characters. */
function measure(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

function formatValue(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
