import {
  dedented,
  findPlaces,
  firstFrom,
  indentation,
  lastBefore,
  linesUntil,
  toExcerpt,
} from '../log-lines.ts';
import {type CodePlace, type FailureMatch, findPlace, toPlace} from '../failure-match.ts';
import {goPanic, rustPanic} from './stack-traces.ts';

export function parseGo(lines: readonly string[]): FailureMatch | undefined {
  return lines.some((line) => line.startsWith('{"Time":"'))
    ? parseGoText(lines.map(unwrapJsonLine))
    : parseGoText(lines);
}

/** `go test -json` wraps each line of output. */
function unwrapJsonLine(line: string): string {
  if (!line.startsWith('{"Time":"')) return line;
  try {
    const {Output} = JSON.parse(line) as {Output?: unknown};
    return typeof Output === 'string' ? Output.trimEnd() : '';
  } catch {
    return line;
  }
}

function parseGoText(lines: readonly string[]): FailureMatch | undefined {
  const lastFail = lines.findLastIndex((line) => /^FAIL\t\S+/.test(line));
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const panic = line.startsWith('panic: ') && at < lastFail ? goPanic(lines, at) : undefined;
    if (panic !== undefined) return {...panic, tool: 'go test'};
    if (/^--- FAIL: \S/.test(line)) return goFailure(lines, at);
    if (/^FAIL\t\S+\t[\d.]+s$/.test(line)) return silentFailure(lines, at, line);
  }

  return undefined;
}

/** A failed test is printed before its subtests; the innermost is the one that failed by itself. */
function goFailure(lines: readonly string[], at: number): FailureMatch {
  let inner = at;
  for (;;) {
    const next = firstFrom(lines, inner + 1, (line) => line.trim() !== '', 2);
    if (
      next === undefined ||
      !/^\s+--- FAIL: /.test(lines[next] ?? '') ||
      indentation(lines[next] ?? '') <= indentation(lines[inner] ?? '')
    )
      break;
    inner = next;
  }

  const name = /--- FAIL: (.+?)(?: \([\d.]+s\))?$/.exec(lines[inner] ?? '')?.[1] ?? '';
  const packageLine = firstFrom(lines, inner, (line) => /^FAIL\t\S+/.test(line));
  const packageName = /^FAIL\t(\S+)/.exec(lines[packageLine ?? -1] ?? '')?.[1];
  const test = packageName === undefined ? name : `${packageName} ${name}`;
  const next = firstFrom(lines, inner + 1, (line) => /^(?:panic: |--- FAIL: )/.test(line), 12);
  // A panic below the mark of another test is the failure of that one.
  const panic = lines[next ?? -1]?.startsWith('panic: ') === true ? next : undefined;
  const crash =
    panic === undefined || (packageLine !== undefined && packageLine < panic)
      ? undefined
      : goPanic(lines, panic);
  if (crash !== undefined) return {...crash, at, tool: 'go test', test};
  const below = linesUntil(
    lines,
    inner + 1,
    (line) => indentation(line) <= indentation(lines[inner] ?? '') || /^\s*(?:---|===) /.test(line),
  );
  const body = dedented(below.length > 0 ? below : printedBefore(lines, inner, name));
  const chosen = body.findIndex(
    (line) => findPlace(line) !== undefined && mentionsFailure.test(line),
  );
  const start =
    chosen === -1 ? body.findLastIndex((line) => findPlace(line) !== undefined) : chosen;
  const message =
    start === -1
      ? body.slice(0, 6)
      : linesUntil(body, start, (line) => line !== body[start] && !/^\s/.test(line));
  return {
    at,
    tool: 'go test',
    test,
    message,
    places: [
      ...(message.some((line) => line.includes('race detected')) ? racePlaces(lines, inner) : []),
      ...findPlaces(message),
    ],
    excerpt: toExcerpt(body.filter((line) => !message.includes(line))),
  };
}

/** The race detector reports the race before the test ends. */
function racePlaces(lines: readonly string[], end: number): CodePlace[] {
  const at = lastBefore(lines, end, (line) => /^(?:WARNING: DATA RACE$|--- )/.test(line)) ?? end;
  return lines[at]?.startsWith('WARNING') === true ? findPlaces(lines.slice(at, at + 6)) : [];
}

/** The output of `t.Log` and `t.Error` looks the same, so the words decide. */
const mentionsFailure =
  /\b(?:got|want|expected|unexpected|error|fail|failed|mismatch|invalid|missing|not)\b|!=/i;

/** With -v the output of a test comes before its `--- FAIL`. */
function printedBefore(lines: readonly string[], at: number, name: string): string[] {
  const run = lastBefore(
    lines,
    at,
    (line) => /^=== (?:RUN|NAME|CONT) /.test(line) && line.endsWith(` ${name}`),
  );
  return run === undefined
    ? []
    : linesUntil(lines, run + 1, (line) => /^\s*(?:===|---) /.test(line));
}

/** The last output of a test binary that exited by itself (`log.Fatal`, `os.Exit`). */
function silentFailure(lines: readonly string[], at: number, line: string): FailureMatch {
  const output = lines
    .slice(Math.max(0, at - 6), at)
    .filter((text) => text !== '' && text !== 'FAIL' && !/^(?:ok |\? |FAIL)\s/.test(text));
  return {
    at,
    tool: 'go test',
    test: line.split('\t')[1] ?? '',
    message: output.slice(-1),
    places: findPlaces(output),
    excerpt: output.slice(0, -1),
  };
}

/** `---- module::test stdout ----` */
export function parseCargoTest(lines: readonly string[]): FailureMatch | undefined {
  const entry = lines.findIndex((line) => /^---- .+ stdout ----$/.test(line));
  if (entry === -1) return undefined;
  const test = (lines[entry] ?? '').slice(5, -12);
  const at = lastBefore(lines, entry, (line) => /^running \d+ tests?$/.test(line)) ?? entry;
  const body = linesUntil(lines, entry + 1, (line) => /^(?:---- .+ ----|failures:)$/.test(line));
  const panic = body.findIndex((line) => line.includes(' panicked at '));
  const found = panic === -1 ? undefined : rustPanic(body, panic);
  if (found !== undefined)
    return {...found, at, tool: 'cargo test', test, excerpt: toExcerpt(body.slice(0, panic))};
  return {
    at,
    tool: 'cargo test',
    test,
    message: body.filter((line) => line !== ''),
    places: findPlaces(body),
    excerpt: [],
  };
}

/**
 * `error[E0308]: …` with an arrow to its place. An error without a place is only a summary (`could
 * not compile`).
 */
export function parseRustc(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    if (!/^error(?:\[E\d+\])?: /.test(lines[at] ?? '')) continue;
    const body = linesUntil(
      lines,
      at + 1,
      (line) => line === '' || /^(?:error|warning)\b/.test(line),
      40,
    );
    const arrow = body.findIndex((line) => /^\s*--> /.test(line));
    const [, file, line, column] = /^\s*--> (.+):(\d+):(\d+)$/.exec(body[arrow] ?? '') ?? [];
    if (arrow === -1 || arrow > 3 || file === undefined) continue;
    return {
      at,
      tool: 'rustc',
      message: [lines[at] ?? '', ...body.slice(0, arrow)],
      places: [toPlace(file, line, column)],
      excerpt: toExcerpt(
        body.slice(arrow + 1).filter((text) => !/^\s*\|$/.test(text)),
        12,
      ),
    };
  }

  return undefined;
}
