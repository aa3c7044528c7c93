import type {Problem} from './parse-result.ts';
import {sanitizeText} from './sanitize-text.ts';

/** Problems as a list for the author of the text, short enough for a prompt. */
export function formatProblems(problems: readonly Problem[], maxCharacters = 2000): string {
  const lines: string[] = [];
  let length = 0;
  for (const {line, text} of problems) {
    const item = sanitizeText(`- line ${line}: ${text.replaceAll(/\s+/g, ' ')}`);
    length += item.length + 1;
    if (length > maxCharacters - lengthOfMore) break;
    lines.push(item);
  }

  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

/** Characters reserved for `- and 12 more`. */
const lengthOfMore = 30;
