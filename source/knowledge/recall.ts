import MiniSearch from 'minisearch';
import {countTokens, hasTooManyWildcards, pathMatcher, sanitizeText} from '../shared/index.ts';
import {findDate, parseSummary, type Summary} from './parse-summary.ts';
import {type PromptQuery, type PromptRecall, recallForPrompt} from './recall-for-prompt.ts';
import type {KnownSummary} from './select-candidates.ts';

export type Recalled = {
  readonly path: string;
  readonly title: string;
  readonly outcome: Summary['outcome'];
  readonly date?: string;
  readonly files: readonly string[];
  readonly score: number;
  /** The line that matches best. */
  readonly excerpt: string;
  /** The whole summary without its front matter, safe to print. */
  readonly text: string;
};

export type Recall = {
  /** By words, best first. */
  readonly search: (text: string) => Recalled[];
  /** By the paths or globs that a task may change; the most and the newest matches first. */
  readonly byFiles: (paths: readonly string[]) => Recalled[];
  /** What a prompt needs of them, best first, within a budget of tokens. Often nothing. */
  readonly forPrompt: (query: PromptQuery, budget: number) => PromptRecall[];
};

/** An in-memory index of summaries. Their text is hostile: agents or anybody else wrote it. */
export function createRecall(
  summaries: readonly {readonly path: string; readonly text: string}[],
): Recall {
  const parsed = summaries.map(({path, text}) => toKnown(path, text));
  const entries = parsed.map(toEntry).toSorted(newestFirst).slice(0, maxSummaries);
  const newest = toDay(entries[0]?.date);
  const index = new MiniSearch<Indexed>({
    fields: ['title', 'files', 'body'],
    tokenize,
    processTerm: toTerms,
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
    search: (text) =>
      index
        .search(text.slice(0, maxQueryCharacters), {
          boostDocument: (id) => freshness(entries[id as number]?.date, newest),
        })
        .slice(0, maxResults)
        .flatMap(({id, score, terms}) => {
          const entry = entries[id as number];
          return entry === undefined
            ? []
            : [{...entry, score: roundScore(score), excerpt: findBestLine(entry.text, terms)}];
        }),
    byFiles: (paths) => {
      const globs = paths
        .slice(0, maxPaths)
        .filter((path) => path !== '' && path.length <= 1000 && !hasTooManyWildcards(path));
      const isTouched = pathMatcher(globs);
      return entries
        .flatMap((entry) => {
          const touched = entry.files.filter((file) => isTouched(file));
          if (touched.length === 0) return [];
          return [
            {
              ...entry,
              score: roundScore(touched.length * freshness(entry.date, newest)),
              excerpt: `touched ${touched.slice(0, 3).join(', ')}${touched.length > 3 ? ` and ${touched.length - 3} more` : ''}`,
            },
          ];
        })
        .toSorted((a, b) => b.score - a.score || newestFirst(a, b))
        .slice(0, maxResults);
    },
    forPrompt: (query, budget) => recallForPrompt(parsed.slice(-maxSummaries), query, budget),
  };
}

type Indexed = {
  readonly id: number;
  readonly title: string;
  readonly files: string;
  readonly body: string;
};
type Entry = Omit<Recalled, 'score' | 'excerpt'>;

const maxSummaries = 5000;
const maxResults = 50;
const maxPaths = 200;
const maxQueryCharacters = 400;

function toKnown(path: string, source: string): KnownSummary {
  const {title, date = findDate(path), ...rest} = parseSummary(source).value;
  const shown = sanitizeText(path.replaceAll(/[\n\t]/g, ' ')).slice(0, 1000);
  return {
    path: shown,
    summary: {...rest, title: title === '' ? shown : title, ...(date !== undefined && {date})},
  };
}

function toEntry({path, summary: {title, outcome, date, files, body}}: KnownSummary): Entry {
  return {path, title, outcome, ...(date !== undefined && {date}), files, text: body};
}

function newestFirst(a: Pick<Entry, 'date' | 'path'>, b: Pick<Entry, 'date' | 'path'>): number {
  const [one = '', other = ''] = [a.date, b.date];
  if (one !== other) return one < other ? 1 : -1;
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}

/**
 * From 1 for the newest summary down towards 0.5. Age is relative to the newest summary, so no
 * clock is needed.
 */
function freshness(date: string | undefined, newest: number): number {
  const age = date === undefined ? 365 : Math.max(0, newest - toDay(date));
  return 0.5 + 0.5 / (1 + age / 90);
}

function toDay(date: string | undefined): number {
  return date === undefined ? 0 : Date.parse(date) / 86_400_000;
}

function findBestLine(text: string, terms: readonly string[]): string {
  const wanted = new Set(terms);
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .slice(0, 400);
  const counts = lines.map(
    (line) =>
      new Set(
        tokenize(line)
          .flatMap(toTerms)
          .filter((term) => wanted.has(term)),
      ).size,
  );
  const best = lines[counts.indexOf(Math.max(...counts))] ?? '';
  const line = best.replace(/^\s*[-*] /, '').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}

/** The words of a text, in order. */
export function tokenize(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu)?.slice(0, maxTextLength) ?? [];
}

/**
 * The search terms of a word: itself, and the parts of a name like `refreshToken` or
 * `refresh_token`.
 */
export function toTerms(word: string): string[] {
  if (word.length > maxTermLength) return [];
  const parts = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== '');
  return [...new Set([word, ...(parts.length > 1 ? parts : [])].map((term) => term.toLowerCase()))];
}

const maxTextLength = 10_000;
/** Longer words are hashes and base64, for which a fuzzy search is slow and finds nothing. */
const maxTermLength = 64;

export type RecalledPieces = {
  readonly pieces: readonly {
    readonly path: string;
    readonly text: string;
    readonly tokens: number;
  }[];
  readonly tokens: number;
  /** The paths of the summaries that did not fit. */
  readonly leftOut: readonly string[];
};

/**
 * The results that fit the budget, best first: whole if possible, otherwise the title and the best
 * line.
 */
export function recallWithin(results: readonly Recalled[], budget: number): RecalledPieces {
  const pieces: {readonly path: string; readonly text: string; readonly tokens: number}[] = [];
  const leftOut: string[] = [];
  let tokens = 0;
  for (const {path, title, outcome, excerpt, text} of unique(results)) {
    const forms = [text, `# ${title}\n${outcome}: ${excerpt}`]
      .filter((form) => form.length <= (budget - tokens) * maxCharactersPerToken)
      .map((form) => ({path, text: form, tokens: countTokens(form)}));
    const piece = forms.find((form) => form.tokens <= budget - tokens);
    if (piece === undefined) {
      leftOut.push(path);
      continue;
    }

    pieces.push(piece);
    tokens += piece.tokens;
  }

  return {pieces, tokens, leftOut};
}

/** No token is longer, so a longer text need not be counted. */
const maxCharactersPerToken = 128;

/** A summary that was found by words and by files counts once. */
function unique(results: readonly Recalled[]): Recalled[] {
  const seen = new Set<string>();
  return results.filter(({path}) => !seen.has(path) && seen.add(path));
}
