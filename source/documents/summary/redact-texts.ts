/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** The same plain data with every text in it redacted: what is written from it cannot hold what was taken out. */
export function redactTexts<T>(value: T, redact: Redact): T {
  return walk(value, redact) as T;
}

function walk(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((member) => walk(member, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, walk(member, redact)]),
  );
}
