import {stringify} from 'yaml';
import {sanitizeText} from '../../base/index.ts';

/** What stands between the dashes at the top of a summary, for recall and other programs. */
export type SummaryFront = {
  readonly run: string;
  readonly task?: string;
  readonly outcome: Outcome;
  readonly date: string;
  readonly files: readonly string[];
  readonly commits: readonly string[];
  readonly tokens: number;
};

export const outcomes = ['merged', 'stopped', 'discarded', 'accepted', 'ready'] as const;
export type Outcome = (typeof outcomes)[number];

export const mostFiles = 200;

export function formatFront({
  run,
  task,
  outcome,
  date,
  files,
  commits,
  tokens,
}: SummaryFront): string {
  const shown = files.slice(0, mostFiles).map((file) => sanitizeText(file));
  return `---\n${stringify({run, ...(task !== undefined && {task}), outcome, date, files: shown, commits, tokens}, {lineWidth: 0, schema: 'core'})}---\n`;
}
