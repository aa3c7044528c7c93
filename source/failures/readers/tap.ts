import {parse} from 'yaml';
import {
  dedented,
  findPlaces,
  indentation,
  lastBefore,
  linesUntil,
  parseBlock,
  toExcerpt,
} from '../log-lines.ts';
import {type FailureMatch, findPlace, type CodePlace, toPlace} from '../failure-match.ts';
import {lastTraceBefore} from './stack-traces.ts';

const notOk = /^(\s*)not ok\b(?: \d+)?(?: -)? ?(.*)$/;

/**
 * TAP of any producer, the reports of `tap`, and the diagnostics that Perl's Test::More prints with
 * its TAP.
 */
export function parseTap(lines: readonly string[]): FailureMatch | undefined {
  // A test may print `not ok`; a harness numbers its lines.
  // The summary of node:test: what looks like TAP was printed by a test.
  if (lines.some((line) => /^ℹ tests \d+$/.test(line))) return undefined;
  const isNumbered = lines.some((line) => /^\s*(?:not )?ok \d+/.test(line));
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^#\s+Failed test\b/.test(line)) return parseDiagnosed(lines, at);
    if (/^ FAIL {2}\S+ \d+ failed of \d+/.test(line)) return parseReported(lines, at);
    const name = notOk.exec(line)?.[2];
    // vitest opens a failed file with a brace and lists its tests inside.
    if (isNumbered && !/^\s*not ok \d/.test(line)) continue;
    if (name === undefined || /(?:^| )# (?:todo|skip)\b/i.test(name) || name.endsWith('{'))
      continue;
    return tapFailure(lines, at, name.replace(/ # .*$/, ''));
  }

  return undefined;
}

function tapFailure(lines: readonly string[], at: number, name: string): FailureMatch {
  const indent = indentation(lines[at] ?? '');
  const header = lastBefore(lines, at, (line) => /^TAP version \d+$/.test(line)) ?? at;
  const test = [...findSuites(lines, at, indent), name].filter((part) => part !== '').join(' > ');
  const hasYaml = lines[at + 1]?.trim() === '---';
  const body = hasYaml
    ? linesUntil(lines, at + 2, (line) => line.trim() === '...' || notOk.test(line))
    : linesUntil(
        lines,
        at + 1,
        (line) =>
          /^\s*(?:(?:not )?ok\b|# (?:tests|pass|fail|Subtest)\b|\d+\.\.\d|TAP version)/.test(
            line,
          ) ||
          (line !== '' && indentation(line) <= indent && !line.trimStart().startsWith('#')),
      );
  if (!hasYaml) {
    const block = parseBlock(body.map((line) => line.replace(/^\s*# ?/, '')));
    const perl = body.flatMap((line) => /^#\s+at (\S+) line (\d+)\.$/.exec(line)?.slice(1) ?? []);
    return {
      at: header,
      tool: 'tap',
      test,
      ...block,
      places: [...block.places, ...(perl.length === 0 ? [] : [toPlace(perl[0], perl[1])])],
    };
  }

  const fields = parseFields(body);
  // For a file that fails as a whole, node:test prints the file's output as comments.
  const trace =
    scalarText(fields['error']) === 'test failed'
      ? lastTraceBefore(
          lines.map((line) => line.replace(/^# /, '')),
          at,
        )
      : undefined;
  if (trace !== undefined) return {...trace, at: header, tool: 'tap', test};
  return {
    at: header,
    tool: 'tap',
    test,
    message: toMessage(fields, name),
    places: [...findFieldPlaces(fields), ...findPlaces(body)],
    excerpt: formatDetail(fields, body),
  };
}

/** `# Subtest: name` is the suite of the lines indented below it. */
function findSuites(lines: readonly string[], at: number, deep: number): string[] {
  const suites: string[] = [];
  let indent = deep;
  for (let index = at - 1; index >= 0 && indent > 0; index -= 1) {
    const line = lines[index] ?? '';
    if (indentation(line) >= indent) continue;
    const suite =
      /^\s*# Subtest: (.+)$/.exec(line)?.[1] ??
      /^\s*not ok \d+ - (.+?)(?: # .*)?\{$/.exec(line)?.[1];
    if (suite === undefined) continue;
    suites.unshift(suite.trim());
    indent = indentation(line);
  }

  return suites;
}

type Fields = Readonly<Record<string, unknown>>;

function parseFields(body: readonly string[]): Fields {
  try {
    const value: unknown = parse(dedented(body).join('\n'), {logLevel: 'silent'});
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    // Some producers write invalid YAML; the lines themselves are still used.
    return {};
  }
}

function toMessage(fields: Fields, name: string): string[] {
  const error = fields['error'];
  const nested = typeof error === 'object' && error !== null ? (error as Fields)['message'] : error;
  const details = Object.entries(
    typeof fields['details'] === 'object' && fields['details'] !== null ? fields['details'] : {},
  )
    .map(([key, value]) => `${key}\n${scalarText(value) ?? ''}`)
    .join('\n');
  const text =
    [scalarText(nested), scalarText(fields['message']), details, name].find(
      (candidate) => candidate !== undefined && candidate.trim() !== '',
    ) ?? '';
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function findFieldPlaces(fields: Fields): CodePlace[] {
  const stack =
    scalarText(fields['stack'])
      ?.split('\n')
      .flatMap((line) => findPlace(line) ?? []) ?? [];
  const {at, location} = fields as {at?: unknown; location?: unknown};
  if (typeof at === 'object' && at !== null) {
    const {fileName, lineNumber, columnNumber} = at as Fields;
    if (typeof fileName === 'string')
      return [...stack, toPlace(fileName, scalarText(lineNumber), scalarText(columnNumber))];
  }

  return [
    ...stack,
    ...[scalarText(at), scalarText(location)].flatMap((text) => findPlace(text ?? '') ?? []),
  ];
}

function formatDetail(fields: Fields, body: readonly string[]): string[] {
  const diff = scalarText(fields['diff']);
  if (diff !== undefined) return toExcerpt(diff.split('\n'));
  const isReported = (key: string): boolean => fields[key] !== undefined && fields[key] !== null;
  if (!isReported('expected') && !isReported('actual'))
    return Object.keys(fields).length === 0 ? toExcerpt(body) : [];
  return ['expected', 'actual']
    .filter(isReported)
    .flatMap((key) =>
      toExcerpt(`${key}: ${scalarText(fields[key]) ?? JSON.stringify(fields[key])}`.split('\n'), 7),
    );
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** The reporters of `tap`: a file that failed, then `✖ test` with its details. */
function parseReported(lines: readonly string[], at: number): FailureMatch | undefined {
  const names = lines.slice(at + 1, at + 4).findIndex((line) => line.startsWith('✖ '));
  if (names === -1) return undefined;
  const start = at + 1 + names;
  const body = linesUntil(lines, start + 1, (line) => /^(?:✖ | FAIL | RUNS |Asserts:)/.test(line));
  const test = (lines[start] ?? '').slice(2);
  const code = body.filter((line) => !/^\s*(?:[━┛]|\S+\.\w+$)/.test(line));
  return {
    at,
    tool: 'tap',
    test,
    message: [test.split(' > ').at(-1) ?? test],
    places: findPlaces(body),
    excerpt: toExcerpt(code),
  };
}

function parseDiagnosed(lines: readonly string[], at: number): FailureMatch {
  const body = linesUntil(lines, at, (line) => !line.startsWith('#')).map((line) =>
    line.replace(/^# ?/, ''),
  );
  const joined = body.slice(0, 2).join(' ');
  const test = /Failed test '(.+?)'\s+at/.exec(joined)?.[1];
  const [, file, line] = /\bat (\S+) line (\d+)\.$/.exec(body[1] ?? body[0] ?? '') ?? [];
  const next = body.findIndex(
    (text, index) => index > 0 && /^\s+Failed test\b|^Looks like/.test(text),
  );
  return {
    at,
    tool: 'tap',
    ...(test !== undefined && {test}),
    message: body.slice(2, next === -1 ? undefined : next).map((text) => text.trim()),
    places: file === undefined ? [] : [toPlace(file, line)],
    excerpt: [],
  };
}
