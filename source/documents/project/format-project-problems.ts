import {type Problem, sanitizeText} from '../../base/index.ts';

/** Problems for a person, one to a line, each with its place in the form that editors and terminals can jump to. */
export function formatProjectProblems(file: string, problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, mostLines)
    .map(({line, text}) => onOneLine(`${file}:${line}: ${text}`));
  const left = problems.length - shown.length;
  return [...shown, ...(left > 0 ? [onOneLine(`${file}: and ${left} more`)] : [])].join('\n');
}

const mostLines = 40;

function onOneLine(text: string): string {
  return sanitizeText(text.replaceAll(/[\n\t]+/g, ' '));
}
