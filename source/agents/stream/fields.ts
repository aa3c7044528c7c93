/** One line of a stream, parsed: anything may be in it. */
export type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = {};

/** Own fields only; what is no object has none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : nothing;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function amountOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

/** All text of a content that is a string or a list of parts. */
export function contentTextOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => textOf(fieldsOf(part)['text']))
    .filter((text) => text !== '')
    .join('\n');
}
