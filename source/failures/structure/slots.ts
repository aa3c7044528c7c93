import {isOwn, type Place, toPlace} from '../failure-match.ts';
import {indentation} from '../log-lines.ts';
import {findAnyPlace} from './any-place.ts';
import {isRule} from './blocks.ts';
import {isPassed, toName} from './line-kinds.ts';

type Parts = {
  readonly line: string;
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly heading: string | undefined;
};

/**
 * The nearest line above that names what follows: a file whose problems are listed, a title between
 * rules, `TEST CASE: …`.
 */
export function findHeading(lines: readonly string[], at: number): string | undefined {
  const indent = indentation(lines[at] ?? '');
  for (let index = at - 1; index >= 0 && at - index < maxHeadingDistance; index -= 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '' || isRule(line)) continue;
    if (titled.test(line)) return line;
    if (isRule(lines[index + 1] ?? '') && isRule(lines[index - 1] ?? '')) return line;
    if (indentation(line) <= indent && isFileLine(line)) return line;
  }

  return undefined;
}

const maxHeadingDistance = 30;
const titled =
  /^\s*(?:\[ +RUN +\]|TEST CASE:|Test(?: case)?:|Scenario(?: Outline)?:|TASK \[|\* \[|=== RUN|Suite:|Running|(?:Testing|Checking|Processing|Linting)\b)\s*\S/;

/** A file alone on its line, perhaps with its place: `src/a.css`, `a.js:3:9 lint/rule ━━━`. */
function isFileLine(line: string): boolean {
  return (
    /^\W{0,6}(?:\.{0,2}\/)?[\w@.+/-]{1,200}\.[A-Za-z]\w{0,9}(?::\d+){0,2}(?::|$|\s+\S+(?:\s+\S+)?\s+[━─]{3,})/u.test(
      line,
    ) || /^\W{0,8}File:? ["']?\S+\.\w+/.test(line)
  );
}

export function findName({
  mark,
  line,
  above,
  below,
  heading,
}: Parts & {readonly mark: string | undefined}): string | undefined {
  if (mark !== undefined && /\w/.test(mark)) return mark;
  for (const text of [line, ...above.toReversed(), ...below, heading ?? '']) {
    const named = namedBy.exec(text);
    if (named !== null) return toName(named[1] ?? named[2] ?? '');
  }

  if (heading === undefined || isFileLine(heading)) return undefined;
  return toName(heading.trim()) === '' ? undefined : toName(heading.trim());
}

const namedBy =
  /^\W{0,10}(?:RUN|FAILED|TEST CASE|Test(?: case| name)?|Scenario|Failure|TASK)\W{1,10}(\S.*?)(?:\]\s*\**|\s\(\d+ ms\))?$|^test (\S+) /;

/**
 * Where it failed: in the line itself, in the frames below it (the innermost own frame), above it,
 * or in its heading.
 */
export function findBlockPlaces({
  line,
  above,
  below,
  heading,
  source,
}: Parts & {readonly source: string}): Place[] {
  const isPython = [line, ...below].some((text) => text.startsWith('Traceback (most recent'));
  const inBlock = [...below].flatMap((text) => findAnyPlace(text) ?? []);
  const own = [line, source].flatMap((text) => findAnyPlace(text) ?? []);
  const ordered = [
    ...own,
    ...(isPython ? inBlock.toReversed() : inBlock),
    ...above.toReversed().flatMap((text) => findAnyPlace(text) ?? []),
    ...(heading === undefined ? [] : [findAnyPlace(heading) ?? bareFile(heading)]),
  ].filter((place) => place !== undefined);
  const listed = listedPlace(line, heading);
  const placed = [...(listed === undefined ? [] : [listed]), ...ordered];
  if (placed.some((place) => isOwn(place))) return placed;
  const bare = [line, source, ...above, ...below.slice(0, 3)].flatMap(
    (text) => bareFile(text) ?? [],
  );
  return [...placed, ...bare];
}

/** `  4:12  error  …` below the name of its file. */
function listedPlace(line: string, heading: string | undefined): Place | undefined {
  const [, number, column] =
    /^(?:line )?(\d+)(?:[:,]| +|$)(?:col(?:umn)? )?(\d+)?\b/i.exec(line) ?? [];
  const file = heading === undefined ? undefined : bareFile(heading)?.file;
  if (number === undefined || file === undefined) return undefined;
  return toPlace(file, number, column);
}

/** A file without a line. */
function bareFile(line: string): Place | undefined {
  if (isPassed(line)) return undefined;
  const file =
    /(?:^|[\s"'`([:])((?:\/|\.{1,2}\/)?(?:[\w@.+-]{1,80}\/){0,20}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7})(?=$|[\s"'`)\]:,])/.exec(
      line.slice(0, 400),
    )?.[1];
  return file === undefined || /^(?:\d|www\.)|\.(?:com|org|io|dev|net)$/.test(file)
    ? undefined
    : toPlace(file);
}
