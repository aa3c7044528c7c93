import {
  findPlaces,
  firstFrom,
  linesUntil,
  maxExcerptLines,
  parseBlock,
  toExcerpt,
} from '../log-lines.ts';
import {type FailureMatch, findPlace, isOwn, type CodePlace, toPlace} from '../failure-match.ts';

/** The first uncaught error of a program, in any known language. */
export function parseStackTrace(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const found = traceAt(lines, at);
    if (found !== undefined) return found;
  }

  return undefined;
}

/** The nearest trace above a line, which a test file printed before it failed as a whole. */
export function lastTraceBefore(lines: readonly string[], end: number): FailureMatch | undefined {
  for (let at = end - 1; at >= 0 && end - at < 200; at -= 1) {
    const found = traceAt(lines, at);
    if (found !== undefined) return found;
  }

  return undefined;
}

function traceAt(lines: readonly string[], at: number): FailureMatch | undefined {
  const line = lines[at] ?? '';
  if (line.length < 5) return undefined;
  if (line === 'Traceback (most recent call last):' || /^ {2}File "[^"]+", line \d+$/.test(line))
    return pythonTrace(lines, at);
  if (line.startsWith('(Use `node --trace-uncaught ')) return thrown(lines, at);
  if (line.startsWith('panic: ') || line.startsWith('fatal error: ')) return goPanic(lines, at);
  if (line.includes(' panicked at ')) return rustPanic(lines, at);
  if (/(?:Error|Exception|Throwable|Failure)\b/.test(line))
    return errorWithFrames(lines, at) ?? rubyError(line, lines, at) ?? phpError(line, lines, at);
  if (line.endsWith('.')) return perlDeath(line, at);
  return rubyError(line, lines, at) ?? phpError(line, lines, at);
}

/** JavaScript and Java: the error, then `at …`. Node prints the place and the code above it. */
function errorWithFrames(lines: readonly string[], at: number): FailureMatch | undefined {
  const line = lines[at] ?? '';
  if (
    !/^(?:Exception in thread "[^"]*" |Uncaught )?(?:[\w$]+\.)*[\w$]*(?:Error|Exception|Throwable|Failure)(?: \[\w+\])?(?::|$)/.test(
      line,
    )
  )
    return undefined;
  const frame = firstFrom(lines, at + 1, (next) => /^\s+at \S/.test(next), 20);
  if (frame === undefined) return undefined;
  const body = linesUntil(lines, at, (next) => /^Node\.js v\d|^\s*✖ /.test(next), 60);
  const isJava = body.some((next) =>
    /^\s+at [\w$./]+\((?:\w+\.\w+:\d+|Native Method|Unknown Source)\)/.test(next),
  );
  const shown = isJava ? undefined : shownAbove(lines, at);
  const block = parseBlock(body.slice(0, ending(body)));
  return {
    at: shown?.at ?? at,
    tool: isJava ? 'java' : 'node',
    message: block.message,
    // A syntax error has no frame of its file; the place above the code has.
    places: [
      ...(line.startsWith('SyntaxError') && shown !== undefined ? [shown.place] : []),
      ...block.places,
      ...importerPlaces(line),
    ],
    excerpt: [...(shown?.code ?? []), ...block.excerpt].slice(0, maxExcerptLines),
  };
}

/** `Cannot find module 'x' imported from /project/y.js`: all its frames are in the loader. */
function importerPlaces(line: string): CodePlace[] {
  const file = / imported from (\S+)$/.exec(line)?.[1];
  return file === undefined ? [] : [toPlace(file)];
}

/** A thrown value that is not an Error has no stack; Node prints a hint below it. */
function thrown(lines: readonly string[], at: number): FailureMatch | undefined {
  const value = lines[at - 1]?.trim() ?? '';
  return value === ''
    ? undefined
    : {at: at - 1, tool: 'node', message: [`Uncaught: ${value}`], places: [], excerpt: []};
}

function ending(body: readonly string[]): number {
  const end = body.findIndex(
    (line, index) =>
      index > 0 && line === '' && !body.slice(index).some((next) => /^\s+at \S/.test(next)),
  );
  return end === -1 ? body.length : end;
}

function shownAbove(
  lines: readonly string[],
  at: number,
):
  | {
      readonly at: number;
      readonly place: NonNullable<ReturnType<typeof findPlace>>;
      readonly code: readonly string[];
    }
  | undefined {
  for (let index = at - 1; index >= 0 && at - index < 8; index -= 1) {
    const [, file, line] = /^((?:file:\/\/)?\/\S+|node:\S+):(\d+)$/.exec(lines[index] ?? '') ?? [];
    if (file === undefined) continue;
    return {
      at: index,
      place: toPlace(file, line),
      code: file.startsWith('node:')
        ? []
        : lines.slice(index + 1, at).filter((text) => text.trim() !== ''),
    };
  }

  return undefined;
}

/** The last exception of a chain, which was not caught. Its innermost frame comes last. */
export function pythonTrace(lines: readonly string[], at: number): FailureMatch | undefined {
  let [start, end] = [at, traceEnd(lines, at)];
  for (;;) {
    const next = firstFrom(lines, end, (line) => line === 'Traceback (most recent call last):', 6);
    if (
      next === undefined ||
      !lines.slice(end, next).some((line) => /^(?:The above exception|During handling)/.test(line))
    )
      break;
    [start, end] = [next, traceEnd(lines, next)];
  }

  const body = lines.slice(start, end);
  const error = body.findIndex((line, index) => index > 0 && /^\S/.test(line));
  if (error === -1) return undefined;
  const frames = body.slice(0, error);
  const places = frames.flatMap((line) => pythonPlace(line)).toReversed();
  const own = frames.findLastIndex((line) => pythonPlace(line).some((found) => isOwn(found)));
  const code = linesUntil(
    frames,
    own + 1,
    (line) => /^ {2}(?:File "|\[Previous line)/.test(line),
    4,
  );
  return {
    at,
    tool: 'python',
    message: body.slice(error, error + 8),
    places,
    excerpt: own === -1 ? [] : toExcerpt(code),
  };
}

function pythonPlace(line: string): CodePlace[] {
  const [, file, number] = /^ {2}File "([^"]+)", line (\d+)/.exec(line) ?? [];
  return file === undefined ? [] : [toPlace(file, number)];
}

function traceEnd(lines: readonly string[], at: number): number {
  const max = lines[at]?.startsWith(' ') === true ? 10 : 4000;
  const error =
    firstFrom(lines, at + 1, (line) => /^\S/.test(line), max) ??
    Math.min(at + max, lines.length - 1);
  const end = firstFrom(
    lines,
    error + 1,
    (line) => line === '' || /^(?:Traceback |\S+ ran in|[=-]{5,})/.test(line),
    12,
  );
  return end ?? Math.min(error + 1, lines.length);
}

export function goPanic(lines: readonly string[], at: number): FailureMatch | undefined {
  const goroutine = firstFrom(lines, at + 1, (line) => /^goroutine \d+ /.test(line), 12);
  if (goroutine === undefined) return undefined;
  const body = linesUntil(lines, goroutine, (line) => /^(?:FAIL\b|exit status \d)/.test(line));
  const frames = body.filter((line) => /^\t\S+\.go:\d+/.test(line));
  const test = body
    .map((line) => /\.((?:Test|Benchmark|Fuzz|Example)\w+)\(/.exec(line)?.[1])
    .find((name) => name !== undefined);
  return {
    at,
    tool: 'go',
    ...(test !== undefined && {test}),
    message: lines
      .slice(at, goroutine)
      .filter((line) => line.trim() !== '' && !line.endsWith('[recovered]'))
      .map((line) => line.trim()),
    places: findPlaces(frames),
    excerpt: [],
  };
}

/**
 * `thread 'main' panicked at src/lib.rs:3:5:` and the message below it; before Rust 1.73 it was
 * quoted on the same line.
 */
export function rustPanic(lines: readonly string[], at: number): FailureMatch | undefined {
  const [, before = '', after = ''] =
    /^(.*?)thread '.*?'(?: \(\d+\))? panicked at (.+)$/.exec(lines[at] ?? '') ?? [];
  if (after === '') return undefined;
  const found = findPlace(after);
  const old = /^'(.*)', \S+:\d+:\d+$/.exec(after)?.[1];
  const message =
    old === undefined
      ? linesUntil(
          lines,
          at + 1,
          (line) => line === '' || /^(?:note: |stack backtrace:|----)/.test(line),
          8,
        )
      : [old];
  return {
    at,
    tool: 'rust',
    message: before === '' ? message : [before, ...message],
    places: found === undefined ? [] : [found],
    excerpt: [],
  };
}

function rubyError(line: string, lines: readonly string[], at: number): FailureMatch | undefined {
  const [, file, number, message] =
    /^(\S+\.rb):(\d+):in [`'].*?': (.+ \([\w:]+\))$/.exec(line) ?? [];
  if (file === undefined) return undefined;
  const body = linesUntil(lines, at + 1, (next) => next !== '' && !/^\s/.test(next), 20);
  return {
    at,
    tool: 'ruby',
    message: [message ?? ''],
    places: [toPlace(file, number), ...findPlaces(body)],
    excerpt: toExcerpt(
      body.filter((next) => !next.startsWith('\tfrom ')),
      4,
    ),
  };
}

function phpError(line: string, lines: readonly string[], at: number): FailureMatch | undefined {
  const [, message, file, number] =
    /^(?:PHP )?((?:Fatal|Parse) error:\s+.+) in (\S+?)(?: on line |:)(\d+)$/.exec(line) ?? [];
  if (file === undefined) return undefined;
  const frames = linesUntil(lines, at + 1, (next) => !/^(?:Stack trace:|#\d+ )/.test(next), 30);
  return {
    at,
    tool: 'php',
    message: [message ?? ''],
    places: [toPlace(file, number), ...findPlaces(frames)],
    excerpt: [],
  };
}

function perlDeath(line: string, at: number): FailureMatch | undefined {
  const [, message, file, number] =
    /^(?!Use(?:less)? (?:of|use)|Subroutine |Name ")(\S.*) at (\S+) line (\d+)\.$/.exec(line) ?? [];
  return file === undefined
    ? undefined
    : {at, tool: 'perl', message: [message ?? ''], places: [toPlace(file, number)], excerpt: []};
}
