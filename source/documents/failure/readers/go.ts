import {dedented, excerptOf, indentOf, linesUntil, placesOf} from '../block-of.ts';
import {placeOf} from '../place.ts';
import type {Sighting} from '../sighting.ts';
import {firstFrom, lastBefore} from './scan.ts';
import {goPanic} from './stack-traces.ts';

export function readGo(lines: readonly string[]): Sighting | undefined {
  return lines.some((line) => line.startsWith('{"Time":"'))
    ? readGoText(lines.map(outputOf))
    : readGoText(lines);
}

/** `go test -json` wraps each line of output. */
function outputOf(line: string): string {
  if (!line.startsWith('{"Time":"')) return line;
  try {
    const {Output} = JSON.parse(line) as {Output?: unknown};
    return typeof Output === 'string' ? Output.trimEnd() : '';
  } catch {
    return line;
  }
}

function readGoText(lines: readonly string[]): Sighting | undefined {
  const lastFail = lines.findLastIndex((line) => /^FAIL\t\S+/.test(line));
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const panic = line.startsWith('panic: ') && at < lastFail ? goPanic(lines, at) : undefined;
    if (panic !== undefined) return {...panic, tool: 'go test'};
    if (/^--- FAIL: \S/.test(line)) return failure(lines, at);
    if (/^FAIL\t\S+\t[\d.]+s$/.test(line)) return silent(lines, at, line);
  }

  return undefined;
}

/** A failed test says so before its subtests do; the innermost is the one that failed by itself. */
function failure(lines: readonly string[], at: number): Sighting {
  let inner = at;
  for (;;) {
    const next = firstFrom(lines, inner + 1, (line) => line.trim() !== '', 2);
    if (
      next === undefined ||
      !/^\s+--- FAIL: /.test(lines[next] ?? '') ||
      indentOf(lines[next] ?? '') <= indentOf(lines[inner] ?? '')
    )
      break;
    inner = next;
  }

  const name = /--- FAIL: (.+?)(?: \([\d.]+s\))?$/.exec(lines[inner] ?? '')?.[1] ?? '';
  const packageLine = firstFrom(lines, inner, (line) => /^FAIL\t\S+/.test(line));
  const packageName = /^FAIL\t(\S+)/.exec(lines[packageLine ?? -1] ?? '')?.[1];
  const test = packageName === undefined ? name : `${packageName} ${name}`;
  const panic = firstFrom(lines, inner + 1, (line) => line.startsWith('panic: '), 12);
  const crash =
    panic === undefined || (packageLine !== undefined && packageLine < panic)
      ? undefined
      : goPanic(lines, panic);
  if (crash !== undefined) return {...crash, at, tool: 'go test', test};
  const below = linesUntil(
    lines,
    inner + 1,
    (line) => indentOf(line) <= indentOf(lines[inner] ?? '') || /^\s*(?:---|===) /.test(line),
  );
  const body = dedented(below.length > 0 ? below : printedBefore(lines, inner, name));
  const chosen = body.findIndex((line) => placeOf(line) !== undefined && wrong.test(line));
  const said = chosen === -1 ? body.findLastIndex((line) => placeOf(line) !== undefined) : chosen;
  const message =
    said === -1
      ? body.slice(0, 6)
      : linesUntil(body, said, (line) => line !== body[said] && !/^\s/.test(line), 8);
  return {
    at,
    tool: 'go test',
    test,
    message,
    places: placesOf(message),
    excerpt: excerptOf(
      body.filter((line) => !message.includes(line)),
      6,
    ),
  };
}

/** What `t.Log` and `t.Error` print looks the same. */
const wrong =
  /\b(?:got|want|expected|unexpected|error|fail|failed|mismatch|invalid|missing|not)\b|!=/i;

/** With -v a test prints before it is told to have failed. */
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

/** A test binary that ended by itself (`log.Fatal`, `os.Exit`): its last words. */
function silent(lines: readonly string[], at: number, line: string): Sighting {
  const words = lines
    .slice(Math.max(0, at - 6), at)
    .filter((text) => text !== '' && text !== 'FAIL' && !/^(?:ok |\? |FAIL)\s/.test(text));
  return {
    at,
    tool: 'go test',
    test: line.split('\t')[1] ?? '',
    message: words.slice(-1),
    places: placesOf(words),
    excerpt: words.slice(0, -1),
  };
}
