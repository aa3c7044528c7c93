import {sanitizeText} from '../../shared/index.ts';

/**
 * Foreign text as one line of markdown: it cannot act on a terminal, hide the rest of the page
 * (comments, tags), load an image or start a heading.
 */
export function formatPlain(text: string, max = 400): string {
  const line = text
    .slice(0, max * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut =
    line.length > max || text.length > max * 4 ? `${withoutHalf(line.slice(0, max - 1))}…` : line;
  return sanitizeText(cut)
    .replaceAll(/<(?=[!/?A-Za-z])/g, '\\<')
    .replaceAll('![', '!\\[')
    .replace(/^(?=[#>|+*=~-]|\d+[.)] )/, '\\');
}

/** Text in a code span, with more backticks around it than it has in it. */
export function formatCode(text: string, max = 200): string {
  const line =
    sanitizeText(text.slice(0, max).replaceAll(/\s+/g, ' ').trim()) +
    (text.length > max ? '…' : '');
  const maxRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(maxRun + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Lines in a fenced block whose fence is longer than any run of backticks in them. */
export function fencedLines(lines: readonly string[]): string[] {
  const safe = lines.map((line) => sanitizeText(line.replaceAll('\n', ' ')));
  const maxRun = Math.max(
    2,
    ...safe.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = '`'.repeat(maxRun + 1);
  return [fence, ...safe, fence];
}

/** Drops half of a surrogate pair that a cut left at the end. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** The same plain data with every string in it redacted. */
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
