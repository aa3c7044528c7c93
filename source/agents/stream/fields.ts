import type {Usage} from '../../domain/index.ts';

/** A JSON object of unknown content, such as one line of a stream. */
export type Fields = Readonly<Record<string, unknown>>;

const noFields: Fields = {};

/** The object of a JSON text; undefined if the text is not JSON or not an object. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is not an object counts as one without fields. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : noFields;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function asAmount(value: unknown): number {
  return isAmount(value) ? value : 0;
}

export function isAmount(value: unknown, below = Number.POSITIVE_INFINITY): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < below;
}

/** A usage with both counts; undefined if one of them is missing or not an amount. */
export function parseUsage(
  {input, output, cost}: Fields,
  below = Number.POSITIVE_INFINITY,
): Usage | undefined {
  return isAmount(input, below) && isAmount(output, below)
    ? {input, output, ...(isAmount(cost, below) && {cost})}
    : undefined;
}

/** The text of a message content, which is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(asFields(part)['text']))
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Whether a text can be a conversation id. It becomes an argument of the agent, so it must not look
 * like an option.
 */
export function isConversationId(text: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,199}$/.test(text);
}
