import MiniSearch from 'minisearch';
import {sanitizeText} from '../../base/index.ts';
import {pathMatcher} from '../path-matcher.ts';
import {hasTooManyWildcards} from '../read-glob.ts';
import {dateIn, readSummary, type Summary} from './read-summary.ts';
import {termsOf, wordsOf} from './terms-of.ts';

export type Recalled = {
  readonly path: string;
  readonly title: string;
  readonly outcome: Summary['outcome'];
  readonly date?: string;
  readonly files: readonly string[];
  readonly score: number;
  /** The line that fits best. */
  readonly excerpt: string;
  /** The whole summary without its front, safe to print. */
  readonly text: string;
};

export type Recall = {
  /** By words, the best first. */
  readonly search: (words: string) => Recalled[];
  /** By paths or globs that are about to be touched, the most touched and the newest first. */
  readonly byFiles: (paths: readonly string[]) => Recalled[];
};

/** An index over summaries, in memory. What is searched is hostile as well: it was written by agents, or by anybody. */
export function createRecall(
  summaries: readonly {readonly path: string; readonly text: string}[],
): Recall {
  const entries = summaries
    .map(({path, text}) => entryOf(path, text))
    .toSorted(newestFirst)
    .slice(0, mostSummaries);
  const newest = dayOf(entries[0]?.date);
  const index = new MiniSearch<Indexed>({
    fields: ['title', 'files', 'body'],
    tokenize: wordsOf,
    processTerm: termsOf,
    searchOptions: {
      boost: {title: 3, files: 2},
      prefix: (term) => term.length >= 3,
      fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
      maxFuzzy: 1,
      weights: {fuzzy: 0.3, prefix: 0.5},
    },
  });
  index.addAll(
    entries.map(({title, files, text}, id) => ({id, title, files: files.join(' '), body: text})),
  );

  return {
    search: (words) =>
      index
        .search(words.slice(0, mostQueryCharacters), {
          boostDocument: (id) => freshness(entries[id as number]?.date, newest),
        })
        .slice(0, mostResults)
        .flatMap(({id, score, terms}) => {
          const entry = entries[id as number];
          return entry === undefined
            ? []
            : [{...entry, score: rounded(score), excerpt: bestLineOf(entry.text, terms)}];
        }),
    byFiles: (paths) => {
      const globs = paths
        .slice(0, mostPaths)
        .filter((path) => path !== '' && path.length <= 1000 && !hasTooManyWildcards(path));
      const isTouched = pathMatcher(globs);
      return entries
        .flatMap((entry) => {
          const touched = entry.files.filter((file) => isTouched(file));
          if (touched.length === 0) return [];
          return [
            {
              ...entry,
              score: rounded(touched.length * freshness(entry.date, newest)),
              excerpt: `touched ${touched.slice(0, 3).join(', ')}${touched.length > 3 ? ` and ${touched.length - 3} more` : ''}`,
            },
          ];
        })
        .toSorted((a, b) => b.score - a.score || newestFirst(a, b))
        .slice(0, mostResults);
    },
  };
}

type Indexed = {
  readonly id: number;
  readonly title: string;
  readonly files: string;
  readonly body: string;
};
type Entry = Omit<Recalled, 'score' | 'excerpt'>;

const mostSummaries = 5000;
const mostResults = 50;
const mostPaths = 200;
const mostQueryCharacters = 400;

function entryOf(path: string, source: string): Entry {
  const {title, outcome, date = dateIn(path), files, body} = readSummary(source).value;
  const shown = sanitizeText(path.replaceAll(/[\n\t]/g, ' ')).slice(0, 1000);
  return {
    path: shown,
    title: title === '' ? shown : title,
    outcome,
    ...(date !== undefined && {date}),
    files,
    text: body,
  };
}

function newestFirst(a: Pick<Entry, 'date' | 'path'>, b: Pick<Entry, 'date' | 'path'>): number {
  const [one = '', other = ''] = [a.date, b.date];
  if (one !== other) return one < other ? 1 : -1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** From 1 for the newest down to a half for what is a year older, and never to nothing: the clock is the newest summary. */
function freshness(date: string | undefined, newest: number): number {
  const age = date === undefined ? 365 : Math.max(0, newest - dayOf(date));
  return 0.5 + 0.5 / (1 + age / 90);
}

function dayOf(date: string | undefined): number {
  return date === undefined ? 0 : Date.parse(date) / 86_400_000;
}

function bestLineOf(text: string, terms: readonly string[]): string {
  const wanted = new Set(terms);
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .slice(0, 400);
  const counts = lines.map(
    (line) =>
      new Set(
        wordsOf(line)
          .flatMap(termsOf)
          .filter((term) => wanted.has(term)),
      ).size,
  );
  const best = lines[counts.indexOf(Math.max(...counts))] ?? '';
  const line = best.replace(/^\s*[-*] /, '').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
