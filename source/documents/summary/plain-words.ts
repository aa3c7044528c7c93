import {sanitizeText} from '../../base/index.ts';

/**
 * Somebody's words as one line of markdown: nothing in them acts on a terminal, hides the rest of the page (comments,
 * tags), loads a picture or begins a heading.
 */
export function plainWords(text: string, most = 400): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut =
    line.length > most || text.length > most * 4
      ? `${withoutHalf(line.slice(0, most - 1))}…`
      : line;
  return sanitizeText(cut)
    .replaceAll(/<(?=[!/?A-Za-z])/g, '\\<')
    .replaceAll('![', '!\\[')
    .replace(/^(?=[#>|+*=~-]|\d+[.)] )/, '\\');
}

/** Words in a code span, with as many backticks around them as it takes. */
export function codeWords(text: string, most = 200): string {
  const line =
    sanitizeText(text.slice(0, most).replaceAll(/\s+/g, ' ').trim()) +
    (text.length > most ? '…' : '');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Lines in a fenced block that they cannot leave. */
export function fencedLines(lines: readonly string[]): string[] {
  const safe = lines.map((line) => sanitizeText(line.replaceAll('\n', ' ')));
  const longest = Math.max(
    2,
    ...safe.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = '`'.repeat(longest + 1);
  return [fence, ...safe, fence];
}

/** A cut must not leave one half of a surrogate pair. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
