import {type CodePlace, isOwn, toPlace} from '../failure-match.ts';
import {dedented, indentation, maxExcerptLines} from '../log-lines.ts';
import {findAnyPlace, findBareFile} from './any-place.ts';
import {type ClassifiedLog, isRule} from './blocks.ts';
import {toName} from './failure-marks.ts';

/** What a block of a failure says, apart from its name. */
export type BlockSlots = {readonly message: readonly string[]; readonly excerpt: readonly string[]};

/**
 * The assertion is the first paragraph that is neither a place alone on its line, a frame nor a
 * label (`Error Message:`); the rest of the block is the excerpt, without the frames of libraries.
 */
export function splitBlock(lines: readonly string[]): BlockSlots {
  const block = dedented(lines.filter((line) => !isRule(line)));
  const first = block.findIndex(
    (line) => line.trim() !== '' && !isFrame(line) && !isLonePlace(line) && !label.test(line),
  );
  if (first === -1)
    return {message: block.filter((line) => line.trim() !== '').slice(0, 3), excerpt: []};
  let end = first + 1;
  while (end < block.length && end - first < maxMessageLines) {
    const line = block[end] ?? '';
    if (line.trim() === '' || isFrame(line) || label.test(line)) break;
    end += 1;
  }

  const rest = [...block.slice(0, first), '', ...block.slice(end)];
  return {message: block.slice(first, end), excerpt: tidied(rest)};
}

const maxMessageLines = 8;
const label =
  /^\s*(?:Error Message|Stack ?Trace|Message|Stack|stderr|stdout|stacktrace|---|\.{3}|- hook id|- exit code|- duration|Randomized|Run with|>>> )\b.{0,80}$|^\s*(?:---|\.\.\.|Standard (?:Output|Error).*)$/i;

/** Without frames of libraries and without repeated empty lines. */
function tidied(lines: readonly string[]): string[] {
  const result: string[] = [];
  for (const line of lines) {
    if (isFrame(line) && !isOwnFrame(line)) continue;
    if (line.trim() !== '' || (result.length > 0 && result.at(-1) !== ''))
      result.push(line.trim() === '' ? '' : line);
    if (result.length === maxExcerptLines) break;
  }

  while (result.at(-1) === '') result.pop();
  return result;
}

/** A line of a stack: `at …`, `#0 …`, `by 0x…`, `[1] …`, `File "…", line 3, in …`. */
export function isFrame(line: string): boolean {
  return /^\s*(?:\|\s*)?(?:at\s+\S|by 0x|from \S+:\d+|#\d+:?\s+\S|\[\d+\] \S|@ \/|in \S+ at |File "[^"]+", line \d+, in |package:\S+\s+\S|\S+ \d+:\d+\s{2,}\S|<asynchronous|\.{3} \d+ more|Raised at|Called from|0x[0-9a-f]+ in )/.test(
    line,
  );
}

function isOwnFrame(line: string): boolean {
  const place = findAnyPlace(line);
  return place !== undefined && isOwn(place);
}

/** A place and nothing else: where the test is defined, not where it failed. */
export function isLonePlace(line: string): boolean {
  return /^\s*[(>]?(?:in |at |file:\/\/)?[\w@~+./\\-]{1,200}:\d{1,7}(?::\d{1,7})?:?\)?\s*$|^\s*\(in test file .{1,200}\)$|^\s*[\w@~+./\\-]{1,200}\.\w{1,10} line \d+$/.test(
    line,
  );
}

/**
 * Where it failed, the best first: a place with a message or in a frame, a place alone on its line,
 * the place in the title, a file without a line.
 */
export function findBlockPlaces(
  title: string,
  block: readonly string[],
  heading: string | undefined,
): CodePlace[] {
  const isPython = block.some((line) => line.includes('Traceback (most recent call last)'));
  const strong: CodePlace[] = [];
  const weak: CodePlace[] = [];
  for (const line of block) {
    const place = foreignFrame.test(line) ? undefined : findAnyPlace(line);
    if (place === undefined) continue;
    if (isLonePlace(line) && !/^\s*at /.test(line)) weak.push(place);
    else strong.push(place);
  }

  const row =
    heading !== undefined && isFileLine(heading) ? rowPlace(title, block, heading) : undefined;
  const named = [title, heading ?? ''].flatMap((line) => findAnyPlace(line) ?? []);
  const found = [
    ...(row === undefined ? [] : [row]),
    ...(isPython ? strong.toReversed() : strong),
    ...keyedPlaces(block),
    ...weak,
    ...named,
  ];
  return found.map((place) => withFullPath(place, found));
}

/** A frame may have the file's name only, where another line has its whole path. */
function withFullPath(place: CodePlace, all: readonly CodePlace[]): CodePlace {
  const same = all.filter(
    ({file, line}) =>
      line === place.line && (file === place.file || file.endsWith(`/${place.file}`)),
  );
  return same.toSorted((a, b) => b.file.length - a.file.length)[0] ?? place;
}

/** Frames of standard libraries and test frameworks, known by the function they name. */
const foreignFrame =
  /\b(?:Stdlib|OUnit\w*|Alcotest\w*|eunit_\w+|System\.|Microsoft\.|NUnit\.|Xunit\.|__interceptor_|__libc_start|std::panicking|core::panicking|testing\.tRunner|runtime\.goexit)/;

/** Files without a line, for a block in which no place has one. */
export function findBareFiles(lines: readonly string[]): CodePlace[] {
  return lines.flatMap((line) => findBareFile(line) ?? []);
}

/** `  4:12  error  …`, `12 | ERROR | …`, `L: 2 | P: 1 |` below the name of their file. */
export function rowPlace(
  title: string,
  block: readonly string[],
  heading: string | undefined,
): CodePlace | undefined {
  const file = heading === undefined ? undefined : findBareFile(heading)?.file;
  if (file === undefined) return undefined;
  const attributed = /\bline=['"](\d+)['"](?: col(?:umn)?=['"](\d+)['"])?/.exec(title);
  if (attributed !== null) return toPlace(file, attributed[1], attributed[2]);
  for (const line of [
    title,
    ...block.slice(0, 2),
    ...block.filter((each) => /^l\.\d+ /.test(each)),
  ]) {
    const [, number, column] =
      /^[\s│|]*(?:L:?\s*|line |l\.|Line )?(\d{1,7})(?:[:,](?:col(?:umn)? )?(\d{1,7})|\s*\| P:\s*(\d+)|\s*[|│])?(?:\s+\S|:\s)/.exec(
        line,
      ) ?? [];
    if (number !== undefined) return toPlace(file, number, column);
  }

  return undefined;
}

/** `File: config.js` and `Line: 3` on lines of their own. */
function keyedPlaces(block: readonly string[]): CodePlace[] {
  let file: string | undefined;
  for (const line of block) {
    file = /^\s*(?:File|Path|Filename):\s+["']?(\S+\.\w+)["']?$/i.exec(line)?.[1] ?? file;
    const number = /^\s*Line(?: number)?:\s+(\d+)$/i.exec(line)?.[1];
    if (file !== undefined && number !== undefined) return [toPlace(file, number)];
  }

  return file === undefined ? [] : [toPlace(file)];
}

/**
 * The nearest line above that names what follows: a file whose problems are listed, a title between
 * rules, `TEST CASE: …`.
 */
export function findHeading({lines, kinds}: ClassifiedLog, at: number): string | undefined {
  const indent = indentation(lines[at] ?? '');
  let file: string | undefined;
  for (let index = at - 1; index >= 0 && at - index < maxHeadingDistance; index -= 1) {
    const line = lines[index] ?? '';
    const kind = kinds[index]?.kind;
    if (titled.test(line)) return withSubtitles(lines, index);
    if (/^Running \S{1,200} \.{3}$/.test(line)) return file ?? line;
    if (kind === 'echo' || kind === 'wrapper' || kind === 'failed' || kind === 'passed') break;
    if (isRule(line)) {
      const boxed = kinds[index - 1]?.kind === 'summary' ? undefined : boxedTitle(lines, index);
      if (boxed !== undefined) return boxed;
    } else if (file === undefined && indentation(line) <= indent && isFileLine(line)) {
      file = line;
      if (!/:\d+/.test(line)) break;
    }
  }

  return file;
}

/** A title, and the parts of the test that are indented below it. */
function withSubtitles(lines: readonly string[], at: number): string {
  const parts = [lines[at] ?? ''];
  while (
    /^\s{2}\S/.test(lines[at + parts.length] ?? '') &&
    parts.length < 4 &&
    (parts[0] ?? '').startsWith('TEST CASE:')
  )
    parts.push((lines[at + parts.length] ?? '').trim());
  return parts.join(' > ');
}

/** The lines between the rule at `bottom` and one above it. */
function boxedTitle(lines: readonly string[], bottom: number): string | undefined {
  for (let top = bottom - 1; top >= 0 && bottom - top < 6; top -= 1) {
    const line = lines[top] ?? '';
    if (line.trim() === '') return undefined;
    if (!isRule(line)) continue;
    const title = lines.slice(top + 1, bottom).map((each) => each.trim());
    return title.length === 0 ||
      title.some((each) => isLonePlace(each) || each.startsWith('Run with'))
      ? undefined
      : title.join(' > ');
  }

  return undefined;
}

const maxHeadingDistance = 40;
const titled =
  /^\s*(?:\[ +RUN +\] \S|TEST CASE:|Test(?: case)?: \S|Scenario(?: Outline)?: |TASK \[|=== RUN|\*{5,} Module )/;

/** A file alone on its line, perhaps with a rule or a label: `src/a.css`, `FILE: a.php`. */
export function isFileLine(line: string): boolean {
  return (
    findBareFile(line) !== undefined &&
    /^[^\w/@.]{0,6}(?:(?:<?file(?: name=)?|File|Line|Linting|Checking|Processing|Running|Analyzing|== )[:\s[]{0,4}["']?)?(?:\.{0,2}\/)?[\w@.+/\\-]{1,200}\.[A-Za-z]\w{0,9}["'\]]?(?::\d+){0,2}:?(?:\s+\S+)?\s*(?:[━─]*|\/?>)$/iu.test(
      line,
    ) &&
    !/^\s*(?:at|in|from)\s/.test(line)
  );
}

/** The title that a heading names; a file is no title. */
export function headingName(heading: string | undefined): string | undefined {
  if (heading === undefined || isFileLine(heading)) return undefined;
  const name = toName(
    heading
      .trim()
      .replace(/^(?:\[ +RUN +\]|TEST CASE:|Test(?: case)?:|Scenario(?: Outline)?:|=== RUN)\s*/, '')
      .replace(/^TASK \[(.{1,200}?)\].*$/, '$1')
      .replace(/\s+# \S+:\d+$/, ''),
  );
  return name === '' || /^\*+ Module/.test(name) ? undefined : name;
}
