import {firstFrom, indentation, lastBefore, linesUntil, parseBlock} from '../log-lines.ts';
import {type FailureMatch, findPlace, type CodePlace, toPlace} from '../failure-match.ts';
import {lastTraceBefore} from './stack-traces.ts';

const failedTest = /^(\s*)✖ (.+?)(?: \([\d.]+ms\))$/;

/** The spec reporter (and dot): `✖ test (1.2ms)`, its error below it, or in the list at the end. */
export function parseNodeTest(lines: readonly string[]): FailureMatch | undefined {
  const at = lines.findIndex((line) => failedTest.test(line));
  if (at === -1) return undefined;
  const list = firstFrom(lines, at, (line) => line === '✖ failing tests:');
  const listed =
    list === undefined ? undefined : firstFrom(lines, list + 1, (line) => failedTest.test(line));
  const entry = hasError(lines, at) || listed === undefined ? at : listed;
  const name = failedTest.exec(lines[at] ?? '')?.[2] ?? '';
  const body = linesUntil(
    lines,
    entry + 1,
    (line) => line.trim() !== '' && indentation(line) <= indentation(lines[entry] ?? ''),
  );
  const block = parseBlock(body);
  // For a file that fails as a whole, the reason is what it printed before.
  const trace = /^'?test failed'?$/.test(block.message[0] ?? '')
    ? lastTraceBefore(lines, at)
    : undefined;
  if (trace !== undefined) return {...trace, at: Math.min(trace.at, at), tool: 'node:test'};
  const late = /^'?test failed'?$/.test(block.message[0] ?? '') ? lateError(lines, at) : undefined;
  if (late !== undefined) return late;
  return {
    at,
    tool: 'node:test',
    test: [...findSuites(lines, at), name].join(' > '),
    message: block.message,
    excerpt: block.excerpt,
    places: [...block.places, ...declaredPlaces(lines, listed)],
  };
}

/** An error that a test caused after its end; node:test blames the file. */
function lateError(lines: readonly string[], end: number): FailureMatch | undefined {
  const at = lastBefore(lines, end, (line) => line.includes(' generated asynchronous activity '));
  if (at === undefined) return undefined;
  const [, test, place = ''] = /Test "(.{1,300}?)" at (\S+) /.exec(lines[at] ?? '') ?? [];
  const found = findPlace(place);
  return {
    at,
    tool: 'node:test',
    ...(test !== undefined && {test}),
    message: [(lines[at] ?? '').replace(/^\W+/, '')],
    places: found === undefined ? [] : [found],
    excerpt: [],
  };
}

function hasError(lines: readonly string[], at: number): boolean {
  return indentation(lines[at + 1] ?? '') > indentation(lines[at] ?? '');
}

function findSuites(lines: readonly string[], at: number): string[] {
  const suites: string[] = [];
  let indent = indentation(lines[at] ?? '');
  for (let index = at - 1; index >= 0 && indent > 0; index -= 1) {
    const suite = /^\s*▶ (.+)$/.exec(lines[index] ?? '')?.[1];
    if (suite === undefined || indentation(lines[index] ?? '') >= indent) continue;
    suites.unshift(suite);
    indent = indentation(lines[index] ?? '');
  }

  return suites;
}

/** `test at test/two.js:4:1`, above the entry in the list. */
function declaredPlaces(lines: readonly string[], listed: number | undefined): CodePlace[] {
  const line =
    listed === undefined
      ? undefined
      : lastBefore(lines, listed, (before) => before.startsWith('test at '));
  const found = line === undefined ? undefined : findPlace(lines[line] ?? '');
  return found === undefined ? [] : [found];
}

/** `FAIL file`, and under it `  ● test`. */
export function parseJest(lines: readonly string[]): FailureMatch | undefined {
  for (let fail = 0; fail < lines.length; fail += 1) {
    const file = /^ ?FAIL +(?:\S+ )?(\S+\.\w+)(?: \([\d.]+ m?s.*\))?$/.exec(lines[fail] ?? '')?.[1];
    if (file === undefined) continue;
    const bullet = firstFrom(
      lines,
      fail + 1,
      (line) => /^ {2}● (?!Console$)/.test(line) || isNextFile(line),
    );
    if (bullet === undefined || isNextFile(lines[bullet] ?? '')) continue;
    const test = (lines[bullet] ?? '').slice(4);
    const body = linesUntil(
      lines,
      bullet + 1,
      (line) =>
        /^ {2}● /.test(line) ||
        isNextFile(line) ||
        /^(?:Test Suites:| › |Snapshot Summary)/.test(line),
    );
    const details = body.findIndex((line) => line.trim() === 'Details:');
    const block = parseBlock(details === -1 ? body : body.slice(details + 1));
    // Without an own frame (a file that cannot be parsed) the message has the place.
    const places = [
      ...block.places,
      ...block.message.flatMap((line) => findPlace(line) ?? []),
      {file},
    ];
    return {
      at: fail,
      tool: 'jest',
      ...block,
      test: test === 'Test suite failed to run' ? file : `${file} › ${test}`,
      places,
    };
  }

  return undefined;
}

function isNextFile(line: string): boolean {
  return /^ ?(?:FAIL|PASS) +\S/.test(line);
}

export function parseAva(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const uncaught = /^ {2}(?:Uncaught exception|Unhandled rejection) in (\S+)$/.exec(line)?.[1];
    if (uncaught !== undefined) {
      const {message, places} = parseBlock(
        linesUntil(lines, at + 1, (end) => /^ {2}(?:✘|─)/.test(end)),
      );
      return {at, tool: 'ava', message, places: [...places, {file: uncaught}], excerpt: []};
    }

    if (/^ {2}✘ Timed out/.test(line)) return avaTimeout(lines, at);
    const fail = /^ {2}✘ \[fail\]: (.+)$/.exec(line)?.[1];
    if (fail !== undefined) return avaFailure(lines, at, fail);
  }

  return undefined;
}

/** The details follow the list, under `─`, each with the test's name as its title. */
function avaFailure(lines: readonly string[], at: number, fail: string): FailureMatch {
  const ruler = firstFrom(lines, at, (line) => /^ {2}─+$/.test(line));
  const title =
    ruler === undefined ? undefined : firstFrom(lines, ruler + 1, (line) => line.trim() !== '', 5);
  if (title === undefined)
    return {at, tool: 'ava', test: fail, message: [], places: [], excerpt: []};
  const name = (lines[title] ?? '').trim();
  const body = linesUntil(
    lines,
    title + 1,
    (line) => /^ {2}(?:─+$|› )/.test(line) && !/^ {2}› \S+:\d+/.test(line),
  );
  const ends = body.findIndex((line) => /^ {2}› /.test(line));
  const own = ends === -1 ? untilGap(body) : body.slice(0, ends + 1);
  const place = findPlace(own.find((line) => line.trim() !== '') ?? '');
  const code = own.filter((line) => /^ {3}\d+: /.test(line));
  const rest = own.filter((line) => !/^ {3}\d+: /.test(line) && !/^ {2}\S+\.\w+:\d+$/.test(line));
  // An error is shown as an object first, and then with its stack.
  const stack = rest.findIndex((line) => /^\s*\w*(?:Error|Exception)\b.*: /.test(line));
  const block = parseBlock(
    rest.some((line) => line.trim() === 'Error thrown in test:') && stack !== -1
      ? rest.slice(stack)
      : rest,
  );
  return {
    at,
    tool: 'ava',
    test: name,
    message: block.message,
    places: [...(place === undefined ? [] : [place]), ...block.places],
    excerpt: [...block.excerpt, ...code],
  };
}

/** Two empty lines separate two failures. */
function untilGap(body: readonly string[]): readonly string[] {
  const gap = body.findIndex((line, index) => index > 1 && line === '' && body[index + 1] === '');
  return gap === -1 ? body : body.slice(0, gap);
}

function avaTimeout(lines: readonly string[], at: number): FailureMatch {
  const rest = lines.slice(at + 1, at + 12);
  const test = rest
    .map((line) => /^ {2}◌ (.+)$/.exec(line)?.[1])
    .find((name) => name !== undefined);
  const file = rest
    .map((line) => /pending in (\S+)$/.exec(line)?.[1])
    .find((name) => name !== undefined);
  return {
    at,
    tool: 'ava',
    ...(test !== undefined && {test}),
    message: [(lines[at] ?? '').trim().slice(2)],
    places: file === undefined ? [] : [{file}],
    excerpt: [],
  };
}

/** The list under `2 failing`; its titles span several lines and end with a colon. */
export function parseMocha(lines: readonly string[]): FailureMatch | undefined {
  const exception = lines.findIndex((line) => /^\s*Exception during run: /.test(line));
  if (exception !== -1) return mochaCrash(lines, exception);
  const failing = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (failing === -1) return undefined;
  const entry = firstFrom(lines, failing + 1, (line) => /^ {2}1\) \S/.test(line), 5);
  if (entry === undefined) return undefined;
  const last = firstFrom(lines, entry, (line) => line.endsWith(':'), 20) ?? entry;
  const titles = lines.slice(entry, last + 1).map((line) => line.trim());
  const test = titles.join(' > ').replace(/^1\) /, '').replace(/:$/, '');
  const summary = lastBefore(lines, failing, (line) => /^\s*\d+ passing\b/.test(line)) ?? failing;
  const inline = firstFrom(lines, runStart(lines, summary), (line) => /^\s+1\) \S/.test(line));
  const block = parseBlock(
    linesUntil(
      lines,
      last + 1,
      (line) => /^ {2}2\) \S/.test(line) || /^npm (?:error|ERR!)/.test(line),
    ),
  );
  // A timeout has no frame; its file is in the message.
  const [, file] = /^Error: Timeout .* \((\S+)\)$/.exec(block.message[0] ?? '') ?? [];
  return {
    at: Math.min(inline ?? failing, failing),
    tool: 'mocha',
    test,
    ...block,
    places: [...block.places, ...(file === undefined ? [] : [toPlace(file)])],
  };
}

/** The beginning of mocha's output, after that of npm. */
function runStart(lines: readonly string[], summary: number): number {
  return lastBefore(lines, summary, (line) => line.startsWith('> ')) ?? 0;
}

function mochaCrash(lines: readonly string[], at: number): FailureMatch {
  const body = linesUntil(lines, at, () => false, 40).map((line, index) =>
    index === 0 ? line.replace(/^\s*Exception during run: /, '') : line,
  );
  const error = body.findIndex((line) => /^\w*Error\b/.test(line));
  const {message, places} = parseBlock(body.slice(Math.max(error, 0)));
  const mentioned = findPlace(body[0] ?? '');
  return {
    at,
    tool: 'mocha',
    message,
    places: [...(mentioned === undefined ? [] : [mentioned]), ...places],
    excerpt: error > 0 ? body.slice(1, error).filter((line) => line.trim() !== '') : [],
  };
}

/**
 * The first entry of `Failed Suites`, `Failed Tests` or `Unhandled Errors`; vitest lists them in
 * this order, each chronologically.
 */
export function parseVitest(lines: readonly string[]): FailureMatch | undefined {
  const section = lines.findIndex((line) =>
    /^⎯{2,} ?(?:Failed (?:Suites|Tests) \d+|Unhandled (?:Rejection|Error|Exception)\b|Uncaught Exception|Startup Error|Typecheck Error)/.test(
      line,
    ),
  );
  if (section === -1) return undefined;
  const header = lastBefore(lines, section, (line) => / (?:RUN|DEV) {2}v\d/.test(line));
  let start = section + 1;
  // An error of several tests is printed once, below all their names.
  const names: string[] = [];
  for (; start < lines.length; start += 1) {
    const name = /^ FAIL {2}(.+)$/.exec(lines[start] ?? '')?.[1];
    if (name === undefined && lines[start]?.trim() !== '') break;
    if (name !== undefined) names.push(name);
  }

  const test = names[0]?.replace(/ \[ .* \]$/, '');
  const block = parseBlock(
    linesUntil(lines, start, (line) => /^⎯{3,}/.test(line) || line.startsWith(' FAIL  ')),
  );
  return {
    at: header ?? section,
    tool: 'vitest',
    ...block,
    ...(test !== undefined && {test}),
    places: [...parseErrorPlaces(lines, start), ...block.places],
  };
}

/** For a file that cannot be parsed the place is in a box; all frames are in the tool. */
function parseErrorPlaces(lines: readonly string[], start: number): FailureMatch['places'] {
  const drawing = lines
    .slice(start, start + 12)
    .find((line) => /^\s*╭─\[ \S+:\d+:\d+ \]$/.test(line));
  const [, file, line, column] = /\[ (\S+):(\d+):(\d+) \]/.exec(drawing ?? '') ?? [];
  return file === undefined ? [] : [{file, line: Number(line), column: Number(column)}];
}
