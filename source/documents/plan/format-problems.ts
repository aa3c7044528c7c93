import {type Problem, sanitizeText} from '../../base/index.ts';

/** Problems as a list to send back to whoever wrote the text, short enough for a prompt. */
export function formatProblems(problems: readonly Problem[], mostCharacters = 2000): string {
  const lines: string[] = [];
  let length = 0;
  for (const {line, text} of problems) {
    const item = sanitizeText(`- line ${line}: ${text.replaceAll(/\s+/g, ' ')}`);
    length += item.length + 1;
    if (length > mostCharacters - roomForTheRest) break;
    lines.push(item);
  }

  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

const roomForTheRest = 30;
