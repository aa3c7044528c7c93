import {lastBefore, linesUntil, maxExcerptLines, parseBlock} from '../log-lines.ts';
import {type FailureMatch, findPlace, type CodePlace, toPlace} from '../failure-match.ts';

/** RSpec's numbered list under `Failures:`, files that do not load, and Minitest's list. */
export function parseRspec(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const file =
      /^An error occurred (?:while loading|in an? `\S+` hook for) (\S+?)\.?(?: - .*)?$/.exec(
        line,
      )?.[1];
    if (file !== undefined) return unloadedFile(lines, at, file);
    if (line === 'Failures:') {
      const test = /^ {2}1\) (.+)$/.exec(lines[at + 2] ?? '')?.[1];
      if (test !== undefined)
        return {at, tool: 'rspec', test, ...rspecOutput(linesUntil(lines, at + 3, isRspecEnd))};
    }

    if (/^ {2}1\) (?:Failure|Error):$/.test(line)) return minitest(lines, at);
  }

  return undefined;
}

function isRspecEnd(line: string): boolean {
  return /^(?: {2}\d+\) |Finished in |No examples found|\d+ examples?,)/.test(line);
}

/** `Failure/Error:` shows the code; the error follows after an empty line. */
function rspecOutput(
  body: readonly string[],
): Pick<FailureMatch, 'message' | 'places' | 'excerpt'> {
  const trimmed = body.map((line) => line.replace(/^ {5}/, ''));
  const code = trimmed.findIndex((line) => line.startsWith('Failure/Error:'));
  const gap = trimmed.indexOf('', code);
  const block = parseBlock(trimmed.slice(gap === -1 ? code + 1 : gap));
  const shown = trimmed.slice(Math.max(code, 0), gap === -1 ? code + 1 : gap).slice(0, 4);
  return {
    message: block.message.length === 0 ? shown : block.message.map((line) => line.trim()),
    places: block.places,
    excerpt: [...shown, ...block.excerpt].filter((line) => line !== '').slice(0, maxExcerptLines),
  };
}

function unloadedFile(lines: readonly string[], at: number, file: string): FailureMatch {
  const found = rspecOutput(linesUntil(lines, at + 1, isRspecEnd));
  const mentioned: CodePlace[] = found.message.slice(0, 3).flatMap((line) => findPlace(line) ?? []);
  return {at, tool: 'rspec', ...found, places: [...mentioned, ...found.places, toPlace(file)]};
}

function minitest(lines: readonly string[], at: number): FailureMatch {
  const [, test, file, line] = /^(\S.*?)(?: \[(.+):(\d+)\])?:$/.exec(lines[at + 1] ?? '') ?? [];
  const block = parseBlock(
    linesUntil(lines, at + 2, (text) => /^(?: {2}\d+\) |\d+ runs,)/.test(text)),
  );
  return {
    at,
    tool: 'minitest',
    ...(test !== undefined && {test}),
    ...block,
    places: file === undefined ? block.places : [toPlace(file, line), ...block.places],
  };
}

/** `1) Class::test` under `There was 1 failure:`, or the tree of --testdox. */
export function parsePhpunit(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const listed = /^1\) (\S+::\S.*)$/.exec(line)?.[1];
    const drawn = /^ ✘ (.+?)(?: \[[\d.]+ ms\])?$/.exec(line)?.[1];
    if (listed !== undefined)
      return {
        ...phpunitMatch(
          lines,
          at,
          linesUntil(lines, at + 1, (end) => /^(?:\d+\) \S+::|(?:FAILURES|ERRORS)!|--$)/.test(end)),
        ),
        test: listed,
      };
    if (drawn === undefined || !/^ {3}[│┐]/.test(lines[at + 1] ?? '')) continue;
    const suite = lastBefore(lines, at, (before) => /^\S/.test(before));
    const body = linesUntil(lines, at + 1, (end) => !/^ {3}[│┐├┴╵┊]/.test(end)).map((text) =>
      text.replace(/^ {3}. ?/, ''),
    );
    return {...phpunitMatch(lines, at, body), test: `${lines[suite ?? -1] ?? ''} > ${drawn}`};
  }

  return undefined;
}

function phpunitMatch(lines: readonly string[], at: number, body: readonly string[]): FailureMatch {
  return {
    at: lastBefore(lines, at, (line) => line.startsWith('PHPUnit ')) ?? at,
    tool: 'phpunit',
    ...parseBlock(body),
  };
}
