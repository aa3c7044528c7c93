import type {Summary} from './parse-summary.ts';

/** What a line of a summary is about; `note` is the text of a file that a person wrote. */
export type LineKind = 'failure' | 'root-cause' | 'decision' | 'rejected' | 'note';

export type KnowledgeLine = {readonly kind: LineKind; readonly text: string};

/**
 * The lines of a summary that help a later task: causes, decisions, rejected alternatives and
 * failures. The objective, the checks and the record are left out.
 */
export function parseKnowledgeLines({body, outcome}: Summary): KnowledgeLine[] {
  const lines = body.split('\n').slice(0, maxLines);
  if (outcome === 'unknown')
    return lines
      .filter((line) => line.trim() !== '' && !/^ {0,3}#{1,6} /.test(line))
      .map((line) => ({kind: 'note', text: cutLine(line)}));
  let kind: LineKind | undefined;
  const found: KnowledgeLine[] = [];
  for (const line of lines) {
    const heading = /^## (.{1,40})$/.exec(line)?.[1];
    if (heading !== undefined) kind = sections[heading];
    else if (kind !== undefined && line.trim() !== '' && !isPassed(kind, line))
      found.push({kind, text: cutLine(line)});
  }

  return withoutRepeats(found);
}

const sections: Readonly<Record<string, LineKind>> = {
  'Why it failed': 'failure',
  'What failed first': 'failure',
  'Root cause': 'root-cause',
  Decisions: 'decision',
  Rejected: 'rejected',
};

/** In the list of attempts: one that did not fail, or that a person ended without a reason. */
function isPassed(kind: LineKind, line: string): boolean {
  return (
    kind === 'failure' &&
    (/^- try \d+[^:]{0,400}: (?:green|in progress|ended early)/.test(line) ||
      line === '- discarded by a person')
  );
}

/** Attempts often fail in the same way: the same failure is kept once. */
function withoutRepeats(lines: readonly KnowledgeLine[]): KnowledgeLine[] {
  const seen = new Set<string>();
  return lines.filter(({kind, text}) => {
    const key = kind === 'failure' ? text.replace(/^.*?failed[,:] /, '').replace(/;.*$/, '') : text;
    return !seen.has(key) && seen.add(key);
  });
}

function cutLine(line: string): string {
  const text = line.trim().replace(/^[-*] /, '');
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength - 1)}…` : text;
}

const maxLines = 400;
const maxLineLength = 300;
