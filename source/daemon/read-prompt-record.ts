import type {SessionId} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';
import {exchangeOf} from './launch/exchange.ts';
import type {Workshop} from './workshop.ts';

const mostBytes = 256 * 1024;

/**
 * What the prompt of a session is made of, for the audit. Versions before this one kept it where the agent can write; what stands
 * there is taken only if it has the form that they wrote.
 */
export function readPromptRecord(
  workshop: Pick<Workshop, 'stateDirectory' | 'store'>,
  session: SessionId,
): object | undefined {
  const note = workshop.store.noteOf(session, 'context');
  if (typeof note === 'object' && note !== null) return note;
  const {context, below} = exchangeOf(workshop, session);
  const text = tryReadText(context, {maxBytes: mostBytes, below});
  try {
    return text === undefined ? undefined : olderRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function olderRecord(value: unknown): object | undefined {
  if (!isRecord(value)) return undefined;
  const {agent, model, for: purpose, tokens, budget, isOver, parts} = value;
  const isWhole =
    typeof agent === 'string' &&
    typeof purpose === 'string' &&
    typeof tokens === 'number' &&
    typeof budget === 'number' &&
    Array.isArray(parts) &&
    parts.every(isPart);
  return isWhole
    ? {
        agent,
        ...(typeof model === 'string' && {model}),
        for: purpose,
        tokens,
        budget,
        isOver: isOver === true,
        parts,
      }
    : undefined;
}

function isPart(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['tokens'] === 'number' &&
    typeof value['full'] === 'number' &&
    typeof value['isCut'] === 'boolean'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
