import {type FailureMatch, type Place} from '../failure-match.ts';
import {linesAbove, linesBelow, hasBody, isRule} from './blocks.ts';
import {findAnyPlace} from './any-place.ts';
import {
  isPassed,
  isSummary,
  type Mark,
  numberedName,
  weigh,
  type Weight,
  weights,
} from './line-kinds.ts';
import {findBlockPlaces, findHeading, findName} from './slots.ts';

/** A failure that the structure of the log shows, and how strongly. */
export type StructureMatch = FailureMatch & {readonly weight: Weight};

type Candidate = Mark & {readonly at: number};

/**
 * Finds the first failure of any tool by what all tools have in common: marks of failure, blocks,
 * and counts. Takes linear time. Returns the best matches, the first failure first.
 */
export function readStructure(lines: readonly string[]): readonly StructureMatch[] {
  const candidates = findCandidates(lines);
  const chosen = choose(candidates);
  if (chosen === undefined) return [];
  const first = toMatch(lines, chosen);
  const end = Math.max(chosen.at, first.at) + first.excerpt.length;
  const next = candidates.find(
    ({at, weight}) => at > end && weight >= Math.min(chosen.weight, weights.item),
  );
  return next === undefined ? [first] : [first, toMatch(lines, next)];
}

/** The first lines of each weight are enough; a log may have millions. */
const maxCandidates = 200;

function findCandidates(lines: readonly string[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const counts = [0, 0, 0, 0, 0, 0];
  let isRun = false;
  let isListing = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    if (isListHeading(line)) isListing = true;
    const name = isListing ? numberedName(line) : undefined;
    const mark: Mark =
      name === undefined ? weigh(line) : {weight: weights.mark, name, isTest: true};
    if (mark.weight === weights.none) {
      isRun ||= isPassed(line);
      continue;
    }

    // Output of a test that passes may look like anything; only a mark stands for a failure then.
    const weight = isRun && mark.weight === weights.error ? weights.item : mark.weight;
    counts[weight] = (counts[weight] ?? 0) + 1;
    if ((counts[weight] ?? 0) <= maxCandidates && !isIgnoredBelow(lines, at))
      candidates.push({...mark, weight, at});
    isRun ||= mark.isTest === true;
  }

  return candidates;
}

/** `Failures:`, `2 failing`, `There was 1 failure:`; a numbered list follows. */
function isListHeading(line: string): boolean {
  return (
    /^\W{0,10}(?:Failures?|Failed \w+|Errors?|There (?:was|were) \d+ (?:failures?|errors?)|\d+ (?:failing|failed|failures?|errors?)|Failed examples?)\b.{0,20}$/.test(
      line,
    ) || /^Randomized with seed|^Running ExUnit/.test(line)
  );
}

/** Ansible, make and CI say on a later line that a failure does not count. */
function isIgnoredBelow(lines: readonly string[], at: number): boolean {
  return lines
    .slice(at + 1, at + 3)
    .some((line) => /^\W{0,6}(?:ignoring|\S{0,20} ?\(ignored\)|ignored)\b/i.test(line));
}

/** The earliest of the heaviest; an error above all output of tests is earlier than their marks. */
function choose(candidates: readonly Candidate[]): Candidate | undefined {
  for (const weight of [
    weights.mark,
    weights.error,
    weights.statement,
    weights.item,
    weights.word,
  ]) {
    const found = candidates.find((candidate) => candidate.weight === weight);
    if (found === undefined) continue;
    const earlier = candidates.find(
      (candidate) => candidate.weight >= weights.error && candidate.at < found.at,
    );
    return earlier ?? found;
  }

  return undefined;
}

function toMatch(lines: readonly string[], candidate: Candidate): StructureMatch {
  const {weight} = candidate;
  const at = detailAt(lines, candidate);
  const line = (lines[at] ?? '').trim();
  const below = linesBelow(lines, at);
  const above = linesAbove(lines, at);
  const heading = findHeading(lines, at);
  const name = findName({mark: candidate.name, line, above, below, heading});
  const places: Place[] =
    weight === weights.statement
      ? []
      : findBlockPlaces({line, above, below, heading, source: lines[candidate.at] ?? ''});
  const headings = heading === undefined || above.includes(heading) ? [] : [heading];
  return {
    at: candidate.at,
    tool: 'unknown',
    ...(name !== undefined && {test: name}),
    message: [line],
    places,
    excerpt: [...headings, ...above, ...below],
    weight,
  };
}

/**
 * Many tools mark a failure twice: in the progress, and again with its details. The details are
 * below the mark, above it (output of the test comes first), or below the name's next mention.
 */
function detailAt(lines: readonly string[], {at, name, isTest}: Candidate): number {
  if (isTest !== true || name === undefined || name.length < 3 || hasBody(lines, at)) return at;
  for (let index = at + 1; index < lines.length && index - at < maxDistance; index += 1) {
    const line = lines[index] ?? '';
    if (line.includes(name) && !isPassed(line) && hasBody(lines, index)) return index;
  }

  return at;
}

const maxDistance = 20_000;
export {isRule, isSummary, findAnyPlace};
