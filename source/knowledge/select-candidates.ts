import {type KnowledgeLine, parseKnowledgeLines} from './knowledge-lines.ts';
import type {Summary} from './parse-summary.ts';

/** A summary with its path in the repository. */
export type KnownSummary = {readonly path: string; readonly summary: Summary};

/** A summary that has something to say, and what that is. */
export type Candidate = KnownSummary & {
  readonly lines: readonly KnowledgeLine[];
  /** It never became part of the product: only why it failed can be of use. */
  readonly isDiscarded: boolean;
};

/** A run that a person discarded, after its summaries were written or before. */
export type DiscardedRun = {
  readonly run: string;
  /** The objective and the titles of its tasks, because ids repeat across clones. */
  readonly titles: readonly string[];
};

export type CandidateOptions = {
  /** The task that asks, and its other variants: their own summaries are never recalled. */
  readonly own?: readonly {readonly task: string; readonly title: string}[];
  readonly discarded?: readonly DiscardedRun[];
};

/**
 * The summaries that may be recalled: one for each task, its latest, with a cause, a decision, a
 * rejected alternative or a failure in it. A run counts only where none of its tasks left a summary.
 */
export function selectCandidates(
  known: readonly KnownSummary[],
  {own = [], discarded = []}: CandidateOptions = {},
): Candidate[] {
  const withTasks = new Set(known.flatMap(({summary: {run, task}}) => (task ? [run] : [])));
  const tasks = latestOfEach(
    known.filter(({summary: {run, task}}) => task !== undefined || !withTasks.has(run)),
  );
  const gone = new Map(discarded.map(({run, titles}) => [run, new Set(titles.map(toKey))]));
  return tasks
    .filter(
      ({summary: {task, title}}) =>
        !own.some((other) => task === other.task && toKey(title) === toKey(other.title)),
    )
    .map((one): Candidate => {
      const {outcome, run = '', title} = one.summary;
      const isDiscarded =
        outcome === 'discarded' || gone.get(run)?.has(toKey(title)) === true || isInGoneRun(one);
      const lines = parseKnowledgeLines(one.summary);
      return {
        ...one,
        isDiscarded,
        lines:
          isDiscarded && !lines.some(({kind}) => kind === 'failure')
            ? []
            : lines.filter(({kind}) => !isDiscarded || kind === 'failure' || kind === 'root-cause'),
      };
    })
    .filter(({lines}) => lines.length > 0);

  /** Its run has a summary that says so. */
  function isInGoneRun({summary: {run, task}}: KnownSummary): boolean {
    return (
      task !== undefined &&
      known.some(
        ({summary}) =>
          summary.task === undefined &&
          summary.run === run &&
          run !== undefined &&
          summary.outcome === 'discarded',
      )
    );
  }
}

/**
 * A task that was stopped and later merged leaves two summaries; so does one that was planned again
 * in another run. The later one holds.
 */
function latestOfEach(known: readonly KnownSummary[]): KnownSummary[] {
  const retained: KnownSummary[] = [];
  const byTitle = new Map<string, KnownSummary[]>();
  for (const one of known.toSorted(latestFirst)) {
    const key = toKey(one.summary.title);
    const others = byTitle.get(key) ?? [];
    if (others.some((other) => isSameTask(one.summary, other.summary))) continue;
    retained.push(one);
    byTitle.set(key, [...others, one]);
  }

  return retained;
}

/** Of two with the same title. */
function isSameTask(one: Summary, other: Summary): boolean {
  if (one.task === undefined || other.task === undefined) return false;
  return one.task === other.task || one.files.some((file) => other.files.includes(file));
}

function latestFirst(a: KnownSummary, b: KnownSummary): number {
  const [one = '', other = ''] = [a.summary.date, b.summary.date];
  if (one !== other) return one < other ? 1 : -1;
  const rank = numberOf(b) - numberOf(a) || outcomeRank(a) - outcomeRank(b);
  if (rank !== 0) return rank;
  return a.path < b.path ? -1 : 1;
}

/** Of two of one day, the name of the later one ends in a number: `2026-10-20-r1-t1-2.md`. */
function numberOf({path}: KnownSummary): number {
  return Number(/-t\d{1,6}-(\d{1,6})\.md$/.exec(path)?.[1] ?? 1);
}

/** Of two of one day, the merged one is the later one. */
function outcomeRank({summary: {outcome}}: KnownSummary): number {
  return ['accepted', 'merged', 'ready', 'discarded', 'stopped', 'unknown'].indexOf(outcome);
}

function toKey(title: string): string {
  return title.toLowerCase().replaceAll(/\s+/g, ' ').replace(/…$/, '').trim().slice(0, 150);
}
