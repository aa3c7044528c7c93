import {
  countTokens,
  hasTooManyWildcards,
  pathMatcher,
  sanitizeText,
  toSha256,
} from '../shared/index.ts';
import type {KnowledgeLine} from './knowledge-lines.ts';
import {
  type Candidate,
  type CandidateOptions,
  type KnownSummary,
  selectCandidates,
} from './select-candidates.ts';
import {parseTerms, type Terms} from './terms.ts';

export type PromptQuery = CandidateOptions & {
  /** Objective, title and brief. */
  readonly text: string;
  /** The paths and globs that the task may change. */
  readonly files: readonly string[];
  /** Ids of the entries that the conversation has been given before. */
  readonly given?: readonly string[];
};

export type PromptRecall = {
  readonly path: string;
  /** What to give: causes, decisions, rejected alternatives, failures. */
  readonly text: string;
  readonly tokens: number;
  /** At least `minScore`. */
  readonly score: number;
  /** Changes with the content, so that a changed summary is given again. */
  readonly id: string;
};

/**
 * Below it nothing is recalled: an unrelated summary costs more than a missing one. Chosen on
 * `test/knowledge/labelled/shop.yaml`.
 */
export const minScore = 0.5;

const maxEntries = 6;
const maxEntryTokens = 220;

/** What earlier tasks found out that this prompt needs, best first. Often nothing. */
export function recallForPrompt(
  known: readonly KnownSummary[],
  query: PromptQuery,
  budget: number,
): PromptRecall[] {
  const candidates = selectCandidates(known, query).map(toScored);
  const wanted = parseTerms(query.text);
  const common = countUse(candidates);
  const given = new Set(query.given);
  const found = candidates
    .map((one) => ({...one, score: scoreOf(one, wanted, query.files, common)}))
    .filter(({score, id}) => score >= minScore && !given.has(id))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? 1 : -1))
    .slice(0, maxEntries);
  const pieces: PromptRecall[] = [];
  let left = budget;
  for (const one of found) {
    const text = formatEntry(one, wanted, Math.min(left, maxEntryTokens));
    if (text === undefined) continue;
    const tokens = countTokens(text);
    left -= tokens;
    pieces.push({
      path: one.path,
      text,
      tokens,
      score: Math.round(one.score * 1000) / 1000,
      id: one.id,
    });
  }

  return pieces;
}

type Scored = Candidate & {readonly id: string; readonly terms: Terms};

function toScored(candidate: Candidate): Scored {
  const {path, summary, lines} = candidate;
  const objective = /\n## Objective\n(.{0,400})/.exec(summary.body)?.[1] ?? '';
  const own = [summary.title, objective, ...lines.map(({text}) => text)].join('\n');
  return {
    ...candidate,
    id: toSha256(`${path}\n${summary.body}`).slice(0, 16),
    terms: parseTerms(own),
  };
}

/** In how many candidates each term and each file occurs. */
type Use = {readonly total: number; readonly of: (term: string) => number};

function countUse(candidates: readonly Scored[]): Use {
  const counts = new Map<string, number>();
  for (const {terms, summary} of candidates)
    for (const term of new Set([...terms.stems, ...terms.symbols, ...summary.files]))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  return {total: candidates.length, of: (term) => counts.get(term) ?? 0};
}

/** From 1 for a term that one task uses down towards 0 for one that all use. */
function rarity(term: string, {total, of}: Use): number {
  const size = Math.max(total, 8);
  return Math.log((size + 1) / Math.max(1, of(term))) / Math.log(size + 1);
}

/** Files and names of code weigh most; words count only if several fit. */
function scoreOf(
  {summary, terms, isDiscarded}: Scored,
  wanted: Terms,
  files: readonly string[],
  use: Use,
): number {
  const byFile = fileScore(summary.files, terms, [...files, ...wanted.paths], use);
  // Why an approach was given up matters to whoever changes the same file, and to nobody else.
  if (isDiscarded) return byFile >= 0.5 ? byFile : 0;
  const symbols = [...wanted.symbols].filter((symbol) => terms.symbols.has(symbol));
  const bySymbol = symbols.reduce((sum, symbol) => sum + 0.5 * rarity(symbol, use), 0);
  return byFile + Math.min(1, bySymbol) + wordScore(terms.stems, wanted.stems, use);
}

function wordScore(stems: ReadonlySet<string>, wanted: ReadonlySet<string>, use: Use): number {
  const shared = [...wanted].filter((word) => stems.has(word));
  if (shared.length < 2) return 0;
  const weight = (list: Iterable<string>): number =>
    [...list].reduce((sum, word) => sum + rarity(word, use), 0);
  // Long objectives name many things: some of them suffice.
  const share = weight(shared) / Math.min(maxWantedWeight, weight(wanted));
  return Math.min(1, share) * (shared.length === 2 ? 0.7 : 1);
}

const maxWantedWeight = 8;

function fileScore(
  touched: readonly string[],
  terms: Terms,
  wanted: readonly string[],
  use: Use,
): number {
  const scores = wanted.slice(0, maxPaths).map((path) => {
    if (path === '' || path.length > 1000) return 0;
    if (isGlob(path)) return matchesGlob(path, touched) ? 0.2 : 0;
    const exact = touched.find((file) => file === path || file.endsWith(`/${path}`));
    if (exact !== undefined) return (isHub(exact) ? 0.3 : 1) * Math.max(0.4, rarity(exact, use));
    if (terms.paths.has(path)) return isHub(path) ? 0.2 : 0.6;
    return touched.some((file) => toStem(file) !== '' && toStem(file) === toStem(path)) ? 0.4 : 0;
  });
  const best = Math.max(0, ...scores);
  return best + Math.min(0.3, 0.1 * Math.max(0, scores.filter((score) => score > 0).length - 1));
}

const maxPaths = 200;

function isGlob(path: string): boolean {
  return /[*?{]/.test(path) || path.endsWith('/');
}

function matchesGlob(glob: string, touched: readonly string[]): boolean {
  return !hasTooManyWildcards(glob) && touched.some(pathMatcher([glob]));
}

/** Files that many unrelated tasks change. */
function isHub(path: string): boolean {
  return /(?:^|\/)(?:package(?:-lock)?\.json|.*\.lock|.*lock\.yaml|readme\.md|changelog\.md|index\.[cm]?[jt]sx?|__init__\.py|mod\.rs|go\.mod|go\.sum|cargo\.toml|pyproject\.toml|makefile|\.gitignore)$/i.test(
    path.slice(-200),
  );
}

/** `token` of `src/auth/token.ts` and of `test/auth/token.test.ts`; empty where it says nothing. */
function toStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const stem = (name.split('.')[0] ?? '').replace(/^test_|_test$/g, '');
  return stem.length < 4 || vagueNames.has(stem) ? '' : stem;
}

const vagueNames = new Set([
  'index',
  'main',
  'utils',
  'util',
  'types',
  'common',
  'helpers',
  'readme',
]);

/**
 * The title and as many lines as fit, the best ones: decisions that the query mentions first. A
 * title alone says nothing, so there is at least one line.
 */
function formatEntry(
  {summary: {title, outcome, date, task}, lines, isDiscarded}: Scored,
  wanted: Terms,
  budget: number,
): string | undefined {
  const about = [task, isDiscarded ? 'discarded' : outcome, date]
    .filter((text) => text !== undefined && text !== 'unknown')
    .join(', ');
  const head = `# ${title}${about === '' ? '' : ` (${about})`}`;
  const ranked = lines
    .map((line, index) => ({line, index, value: lineValue(line, wanted)}))
    .toSorted((a, b) => b.value - a.value || a.index - b.index);
  const retained: {readonly line: KnowledgeLine; readonly index: number}[] = [];
  let used = countTokens(head);
  for (const one of ranked) {
    const cost = countTokens(`\n${formatLine(one.line)}`);
    if (used + cost > budget) continue;
    used += cost;
    retained.push(one);
  }

  if (retained.length === 0) return undefined;
  return sanitizeText(
    [
      head,
      ...retained.toSorted((a, b) => a.index - b.index).map(({line}) => formatLine(line)),
    ].join('\n'),
  );
}

function lineValue({kind, text}: KnowledgeLine, wanted: Terms): number {
  const {stems, symbols, paths} = parseTerms(text);
  const shared =
    count(stems, wanted.stems) +
    2 * count(symbols, wanted.symbols) +
    2 * count(paths, wanted.paths);
  return shared + kindValue[kind];
}

const kindValue: Readonly<Record<KnowledgeLine['kind'], number>> = {
  decision: 2,
  rejected: 2,
  failure: 1.5,
  note: 1.5,
  'root-cause': 1,
};

function count(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((term) => other.has(term)).length;
}

function formatLine({kind, text}: KnowledgeLine): string {
  return kind === 'note' ? text : `- ${labels[kind]}: ${text}`;
}

const labels: Readonly<Record<Exclude<KnowledgeLine['kind'], 'note'>, string>> = {
  failure: 'failed',
  'root-cause': 'root cause',
  decision: 'decided',
  rejected: 'rejected',
};
