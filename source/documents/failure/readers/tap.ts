import {parse} from 'yaml';
import {blockOf, dedented, excerptOf, indentOf, linesUntil, placesOf} from '../block-of.ts';
import {place, placeOf} from '../place.ts';
import type {Place, Sighting} from '../sighting.ts';
import {lastBefore} from './scan.ts';
import {lastTraceBefore} from './stack-traces.ts';

const notOk = /^(\s*)not ok\b(?: \d+)?(?: -)? ?(.*)$/;

/** TAP of any producer, the reports of `tap`, and what Perl's Test::More says beside its TAP. */
export function readTap(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^#\s+Failed test\b/.test(line)) return diagnosed(lines, at);
    if (/^ FAIL {2}\S+ \d+ failed of \d+/.test(line)) return reported(lines, at);
    const name = notOk.exec(line)?.[2];
    // vitest opens a failed file with a brace and lists its tests inside.
    if (name === undefined || / # (?:todo|skip)\b/i.test(name) || name.endsWith('{')) continue;
    return failure(lines, at, name.replace(/ # .*$/, ''));
  }

  return undefined;
}

function failure(lines: readonly string[], at: number, name: string): Sighting {
  const indent = indentOf(lines[at] ?? '');
  const header = lastBefore(lines, at, (line) => /^TAP version \d+$/.test(line)) ?? at;
  const test = [...suitesOf(lines, at, indent), name].filter((part) => part !== '').join(' > ');
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
          (line !== '' && indentOf(line) <= indent && !line.trimStart().startsWith('#')),
      );
  if (!hasYaml)
    return {
      at: header,
      tool: 'tap',
      test,
      ...blockOf(body.map((line) => line.replace(/^\s*# ?/, ''))),
    };
  const fields = fieldsOf(body);
  // A file that fails as a whole: node:test passes on what it printed, as comments.
  const trace =
    textOf(fields['error']) === 'test failed'
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
    message: messageOf(fields, name),
    places: [...placesOfFields(fields), ...placesOf(body)],
    excerpt: detailOf(fields, body),
  };
}

/** `# Subtest: name` opens what is indented below it. */
function suitesOf(lines: readonly string[], at: number, deep: number): string[] {
  const suites: string[] = [];
  let indent = deep;
  for (let index = at - 1; index >= 0 && indent > 0; index -= 1) {
    const line = lines[index] ?? '';
    if (indentOf(line) >= indent) continue;
    const suite =
      /^\s*# Subtest: (.+)$/.exec(line)?.[1] ??
      /^\s*not ok \d+ - (.+?)(?: # .*)?\{$/.exec(line)?.[1];
    if (suite === undefined) continue;
    suites.unshift(suite.trim());
    indent = indentOf(line);
  }

  return suites;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(body: readonly string[]): Fields {
  try {
    const value: unknown = parse(dedented(body).join('\n'), {logLevel: 'silent'});
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    // Producers write what is not YAML; the lines are still there.
    return {};
  }
}

function messageOf(fields: Fields, name: string): string[] {
  const error = fields['error'];
  const nested = typeof error === 'object' && error !== null ? (error as Fields)['message'] : error;
  const details = Object.entries(
    typeof fields['details'] === 'object' && fields['details'] !== null ? fields['details'] : {},
  )
    .map(([key, value]) => `${key}\n${textOf(value) ?? ''}`)
    .join('\n');
  const text =
    [textOf(nested), textOf(fields['message']), details, name].find(
      (candidate) => candidate !== undefined && candidate.trim() !== '',
    ) ?? '';
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function placesOfFields(fields: Fields): Place[] {
  const stack =
    textOf(fields['stack'])
      ?.split('\n')
      .flatMap((line) => placeOf(line) ?? []) ?? [];
  const {at, location} = fields as {at?: unknown; location?: unknown};
  if (typeof at === 'object' && at !== null) {
    const {fileName, lineNumber, columnNumber} = at as Fields;
    if (typeof fileName === 'string')
      return [...stack, place(fileName, textOf(lineNumber), textOf(columnNumber))];
  }

  return [...stack, ...[textOf(at), textOf(location)].flatMap((text) => placeOf(text ?? '') ?? [])];
}

function detailOf(fields: Fields, body: readonly string[]): string[] {
  const diff = textOf(fields['diff']);
  if (diff !== undefined) return excerptOf(diff.split('\n'));
  const isTold = (key: string): boolean => fields[key] !== undefined && fields[key] !== null;
  if (!isTold('expected') && !isTold('actual'))
    return Object.keys(fields).length === 0 ? excerptOf(body) : [];
  return ['expected', 'actual']
    .filter(isTold)
    .flatMap((key) =>
      excerptOf(`${key}: ${textOf(fields[key]) ?? JSON.stringify(fields[key])}`.split('\n'), 7),
    );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
}

/** The reporters of `tap`: a file that failed, then `✖ test` with its details. */
function reported(lines: readonly string[], at: number): Sighting | undefined {
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
    places: placesOf(body),
    excerpt: excerptOf(code),
  };
}

function diagnosed(lines: readonly string[], at: number): Sighting {
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
    places: file === undefined ? [] : [place(file, line)],
    excerpt: [],
  };
}
