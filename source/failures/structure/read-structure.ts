import type {CodePlace, FailureMatch} from '../failure-match.ts';
import {indentation} from '../log-lines.ts';
import {type ClassifiedLog, linesAbove, linesBelow} from './blocks.ts';
import {findAnyPlace, findBareFile} from './any-place.ts';
import {type FailureCandidate, chooseCandidates} from './choose-candidates.ts';
import {classifyLine} from './line-kinds.ts';
import {
  findBlockPlaces,
  findBareFiles,
  findHeading,
  headingName,
  isFileLine,
  isLonePlace,
  rowPlace,
  splitBlock,
} from './slots.ts';
import {nameBeside} from './test-names.ts';

/** A failure that the structure of a log shows, how sure that is, and where its block ends. */
export type StructureMatch = FailureMatch & {
  readonly kind: FailureCandidate['kind'];
  readonly end: number;
};

/**
 * Finds the first failure of any tool by what all tools have in common: marks of failure, blocks,
 * headings and counts. The first failure comes first, the next best second. Takes linear time.
 */
export function readStructure(lines: readonly string[]): readonly StructureMatch[] {
  const log: ClassifiedLog = {lines, kinds: lines.map(classifyLine)};
  return chooseCandidates(log).map((candidate) =>
    candidate.kind === 'failed' ? testMatch(log, candidate) : errorMatch(log, candidate),
  );
}

/** A failed test: its details are below its mark, above it, or below a later mention of its name. */
function testMatch(log: ClassifiedLog, candidate: FailureCandidate): StructureMatch {
  const {at, names} = innermost(log, candidate);
  const title = log.lines[at] ?? '';
  const details = findDetails(log, at, names.at(-1) ?? '');
  const own = log.lines[details.at] ?? '';
  const heading = names.length > 1 ? (log.lines[candidate.at] ?? '') : findHeading(log, details.at);
  const before = log.lines[details.at - 1] ?? '';
  const {test, body} = withName(names, title, details.lines);
  const {message, excerpt} = splitBlock(fromError(body, details.isAbove));
  const isInTitle = titleWithMessage.test(title) || !body.some((line) => assertive.test(line));
  const aboveTitle = /^\s*\S+:\d+(?::\d+)?:$/.test(before) ? [before] : [];
  const repeated = before.includes(names.at(-1) ?? ' ') && before !== title ? [before.trim()] : [];
  const places = [
    ...(titleWithMessage.test(title) ? [title] : aboveTitle).flatMap(
      (line) => findAnyPlace(line) ?? [],
    ),
    ...(findBareFile(title) === undefined ? [] : [rowPlace('', body, title)]),
    ...findBlockPlaces(title, fromError(details.lines, details.isAbove), heading),
    ...findBlockPlaces(own, [], undefined),
  ].filter((place) => place !== undefined);
  return {
    kind: 'failed',
    at: candidate.at,
    end: Math.max(at, details.at) + details.lines.length,
    tool: 'unknown',
    test,
    message: [...repeated, ...(isInTitle ? [title.trim()] : []), ...message],
    places: places.length > 0 ? places : findBareFiles([title, heading ?? '', ...body.slice(0, 4)]),
    excerpt,
  };
}

const titleWithMessage =
  /(?:FAIL|F:\S+|failed|issue at \S+): \S|:\d+: .{10}|\(\d+\): .{10}|\([\w./-]+\.\w+:\d+\)$/;

/** When the mark names no test but a place or nothing, the next line is the name. */
function withName(
  names: readonly string[],
  title: string,
  lines: readonly string[],
): {readonly test: string; readonly body: readonly string[]} {
  const last = names.at(-1) ?? '';
  const isUnnamed = last === '' || /^(?:→|->)? ?\S+(?: @ |:)\d+$/.test(last);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (!isUnnamed || first === -1) return {test: names.join(' > ') || title.trim(), body: lines};
  return {test: (lines[first] ?? '').trim(), body: lines.slice(first + 1)};
}

/** Output of the test may stand before its error. */
function fromError(lines: readonly string[], isAbove: boolean): readonly string[] {
  if (!isAbove) return lines;
  const start = lines.findIndex((line) => /^(?:error|crash)$/.test(classifyLine(line).kind));
  return start === -1 ? lines : lines.slice(start);
}

/** `FAIL  file` directly above rows of tests is their heading; the first marked row failed. */
function markedRow({lines, kinds}: ClassifiedLog, at: number): number | undefined {
  if (!/^\s*FAIL\s/.test(lines[at] ?? '')) return undefined;
  for (let index = at + 1; index < lines.length && index - at < 60; index += 1) {
    const kind = kinds[index]?.kind;
    if (kind === 'failed' && /^\s*[✖✘✗✕×⨯]/u.test(lines[index] ?? '')) return index;
    if (kind !== 'passed') return undefined;
  }

  return undefined;
}

/** A suite, a file or a scenario is marked as well; the failure is the marked line inside it. */
function innermost(
  {lines, kinds}: ClassifiedLog,
  {at, name = ''}: FailureCandidate,
): {readonly at: number; readonly names: readonly string[]} {
  const names = [name];
  let inner = markedRow({lines, kinds}, at) ?? at;
  if (inner !== at) names.push(kinds[inner]?.name ?? '');
  for (let index = at + 1; index < lines.length && index - at < 60; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    if (indentation(line) <= indentation(lines[inner] ?? '')) break;
    const found = kinds[index];
    if (found?.kind !== 'failed' || found.name === undefined) continue;
    inner = index;
    if (names.at(-1)?.includes(found.name) === true) names.pop();
    names.push(found.name);
    if (names.length > 6) break;
  }

  return {at: inner, names};
}

type Details = {
  readonly at: number;
  readonly lines: readonly string[];
  readonly isAbove: boolean;
};

function findDetails(log: ClassifiedLog, at: number, name: string): Details {
  const below = linesBelow(log, at);
  const isBelow = below.some((line) => line.trim() !== '' && classifyLine(line).kind !== 'wrapper');
  const above = linesAbove(log, at, {max: 40, isAcrossGaps: true});
  const isAbove = above.some((line) => /^(?:error|crash|item)$/.test(classifyLine(line).kind));
  if (isBelow && !(isAbove && isLastBare(log, at))) return {at, lines: below, isAbove: false};
  if (isAbove) return {at, lines: above, isAbove};
  const next = isBelow ? undefined : errorAfterMarks(log, at);
  if (next !== undefined) return next;
  const later = laterMention(log, at, name);
  return later ?? {at, lines: isBelow ? below : above.slice(-12), isAbove: !isBelow};
}

/** The paragraph after a list of marked tests, if it is about an error. */
function errorAfterMarks(log: ClassifiedLog, at: number): Details | undefined {
  for (let index = at + 1; index < log.lines.length && index - at < 200; index += 1) {
    const kind = log.kinds[index]?.kind;
    if ((log.lines[index] ?? '').trim() === '' || kind === 'passed' || kind === 'failed') continue;
    if (kind !== 'error' && kind !== 'crash') return undefined;
    return {at: index, lines: [log.lines[index] ?? '', ...linesBelow(log, index)], isAbove: false};
  }

  return undefined;
}

/** Runners that print the details before the mark print nothing after the last one. */
function isLastBare(log: ClassifiedLog, at: number): boolean {
  const indent = indentation(log.lines[at] ?? '');
  let last = at;
  for (let index = at; index < log.lines.length && index - at < maxDistance; index += 1)
    if (log.kinds[index]?.kind === 'failed' && indentation(log.lines[index] ?? '') === indent)
      last = index;
    else if (log.kinds[index]?.kind === 'section') break;
  return !linesBelow(log, last).some((line) => line.trim() !== '' && indentation(line) >= indent);
}

function laterMention(log: ClassifiedLog, at: number, name: string): Details | undefined {
  const wanted = (name.split(/ (?:>|›|»|::) /).at(-1) ?? name).replace(/^.*:\d+:\d+ › /, '');
  if (wanted.length < 3) return undefined;
  let [first, tried]: [Details | undefined, number] = [undefined, 0];
  for (let index = at + 1; index < log.lines.length && index - at < maxDistance; index += 1) {
    const line = log.lines[index] ?? '';
    if (!line.includes(wanted) || log.kinds[index]?.kind === 'passed') continue;
    const below = linesBelow(log, index);
    if (!below.some((text) => text.trim() !== '')) continue;
    first ??= {at: index, lines: below, isAbove: false};
    if (below.some((text) => assertive.test(text)))
      return {at: index, lines: below, isAbove: false};
    tried += 1;
    if (tried > 20) break;
  }

  return first;
}

const maxDistance = 20_000;

/** What a block about a failed assertion says. */
const assertive =
  /\b(?:expect\w*|actual|got|want|assert\w*|error|exception|panicked|equal|fail\w*)\b/i;

/** An error, an item of a list or a statement: the line itself, and what stands around it. */
function errorMatch(log: ClassifiedLog, {at, kind}: FailureCandidate): StructureMatch {
  const title = (log.lines[at] ?? '').trim();
  if (kind === 'wrapper') return wrapperMatch(log, at);
  const below = linesBelow(log, at);
  const above = linesAbove(log, at, {max: 4, isAcrossGaps: false});
  const heading = findHeading(log, at);
  const own = findAnyPlace(title);
  const message = [title, ...continuation(log.lines[at] ?? '', below)];
  const name = headingName(heading) ?? nameBeside(log, at);
  // A statement about the run has no place, unless it introduces one.
  const isPlaced = kind !== 'statement' || title.endsWith(':');
  const row =
    heading !== undefined && isFileLine(heading) ? rowPlace(title, below, heading) : undefined;
  const directlyAbove = above.at(-1) ?? '';
  const exact = [
    ...(own === undefined ? [] : [own]),
    ...(isLonePlace(directlyAbove) ? findBlockPlaces(directlyAbove, [], undefined) : []),
    ...(row === undefined ? [] : [row]),
    ...(isFileLine(title) ? [rowPlace('', below, title)] : []),
    ...findBlockPlaces(title, below, undefined),
    ...findBlockPlaces('', above.toReversed(), heading),
  ].filter((place) => place !== undefined);
  if (exact.length === 0 && kind === 'error') exact.push(...placesOfNextErrors(log, at, heading));
  const places =
    exact.length > 0
      ? exact
      : findBareFiles([title, ...above.toReversed(), ...(kind === 'error' ? [] : [heading ?? ''])]);
  return {
    kind,
    at,
    end: at + below.length,
    tool: 'unknown',
    ...(name !== undefined && isPlaced && {test: name}),
    message,
    places: isPlaced ? places : findBareFiles([/ for (\S+)$/.exec(title)?.[1] ?? '']),
    excerpt: [...above, ...below.slice(message.length - 1)].slice(0, 40),
  };
}

/** An error without a place may be followed by another of the same tool that has it. */
function placesOfNextErrors(
  {lines}: ClassifiedLog,
  at: number,
  heading: string | undefined,
): CodePlace[] {
  const start = /^\S{1,20}/.exec(lines[at] ?? '')?.[0] ?? '';
  const next = lines.slice(at + 1, at + 16);
  const placed = next.flatMap((line) =>
    start !== '' && line.startsWith(start) ? (findAnyPlace(line) ?? []) : [],
  );
  const row = rowPlace('', next.filter((line) => /^l\.\d+ /.test(line)).slice(0, 1), heading);
  return [...placed, ...(row === undefined ? [] : [row])];
}

/** Lines that go on below the first one, indented or after a colon. */
function continuation(title: string, below: readonly string[]): readonly string[] {
  const lines: string[] = [];
  const indent = indentation(title);
  for (const line of below.slice(0, 6)) {
    if (line.trim() === '' || findAnyPlace(line) !== undefined) break;
    if (indentation(line) <= indent && !/[:;,]$/.test(title)) break;
    lines.push(line);
  }

  return lines;
}

/** Only a wrapper says that something failed: what stands before it is the reason. */
function wrapperMatch(log: ClassifiedLog, at: number): StructureMatch {
  const above = linesAbove(log, at, {max: 12, isAcrossGaps: true}).filter(
    (line) => line.trim() !== '',
  );
  const title = (log.lines[at] ?? '').trim();
  return {
    kind: 'wrapper',
    at,
    end: at,
    tool: 'unknown',
    message: [...above.slice(-4), title],
    places: [],
    excerpt: above.slice(0, -4),
  };
}
