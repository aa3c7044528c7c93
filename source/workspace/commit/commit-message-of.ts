import {sanitizeText} from '../../base/index.ts';

export type CommitWords = {
  readonly title: string;
  readonly body?: string;
  readonly run: string;
  /** Absent for a commit that brings a whole run home. */
  readonly task?: string;
  /** The hash of the approved plan. */
  readonly plan?: string;
};

const longestTitle = 72;

/** A title on one line, then a body, then the trailers that say where the commit comes from. */
export function commitMessageOf({title, body, run, task, plan}: CommitWords): string {
  const trailers = [
    ['Orchestra-Run', run],
    ['Orchestra-Task', task],
    ['Orchestra-Plan', plan],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLineOf(value)}`]));
  return `${[titleOf(title), bodyOf(body ?? ''), trailers.join('\n')].filter((part) => part !== '').join('\n\n')}\n`;
}

function titleOf(text: string): string {
  const line = oneLineOf(text);
  const characters = Array.from(line);
  if (characters.length === 0) return 'Change without a title';
  return characters.length <= longestTitle
    ? line
    : `${characters
        .slice(0, longestTitle - 1)
        .join('')
        .trimEnd()}…`;
}

/** A body cannot pass for trailers: a line that looks like one of ours is moved in. */
function bodyOf(text: string): string {
  return sanitizeText(text)
    .trim()
    .split('\n')
    .map((line) => (/^Orchestra-/i.test(line) ? `  ${line}` : line).trimEnd())
    .join('\n');
}

function oneLineOf(text: string): string {
  return sanitizeText(text.replaceAll(/\s+/g, ' ')).trim();
}
