import {firstFrom, lastBefore, linesUntil, maxExcerptLines, toExcerpt} from '../log-lines.ts';
import {type FailureMatch, isOwn, type CodePlace, toPlace} from '../failure-match.ts';
import {pythonTrace} from './stack-traces.ts';

/**
 * The first entry under `ERRORS` or `FAILURES`, in any traceback style; without one, the first line
 * of the summary.
 */
export function parsePytest(lines: readonly string[]): FailureMatch | undefined {
  const section = lines.findIndex((line) => /^=+ (?:FAILURES|ERRORS) =+$/.test(line));
  const summary = lines.findIndex((line) => /^=+ short test summary info =+$/.test(line));
  const found = section === -1 ? summary : section;
  if (found === -1) return undefined;
  const at = lastBefore(lines, found, (line) => /^=+ test session starts =+$/.test(line)) ?? found;
  const entry =
    section === -1 ? undefined : firstFrom(lines, section + 1, (line) => line !== '', 3);
  const title = /^_{2,} (.+?) _{2,}$/.exec(lines[entry ?? -1] ?? '')?.[1];
  if (entry === undefined) return fromSummary(lines, at, found);
  if (title === undefined) return oneLine(lines, at, entry) ?? fromSummary(lines, at, found);
  const body = linesUntil(
    lines,
    entry + 1,
    (line) => /^(?:_{2,} .+ _{2,}|=+ .+ =+|-+ Captured .+ -+|!+ .+ !+)$/.test(line),
    2000,
  );
  const test = testId(lines, entry, title);
  const trace = body.indexOf('Traceback (most recent call last):');
  const native = trace === -1 ? undefined : pythonTrace(body, trace);
  const errors = lastErrors(body);
  if (errors.length === 0 && native !== undefined) return {...native, at, tool: 'pytest', test};
  const summarised =
    errors.length === 0 && summary !== -1 ? fromSummary(lines, at, summary) : undefined;
  // A worker that died leaves no traceback, only a sentence.
  if (summarised !== undefined && body.some((line) => line.includes(' crashed while running ')))
    return {...summarised, message: body.filter((line) => line !== '').slice(-1)};
  return {
    at,
    tool: 'pytest',
    test,
    message: errors.map((index) =>
      (body[index] ?? '').replace(/^E {3}\s*(?=\S)/, (match) =>
        match.slice(4).replace(/^ {0,4}/, ''),
      ),
    ),
    places: placesIn(body, errors),
    excerpt: codeIn(body, errors[0] ?? 0).filter(
      () => !(body[errors[0] ?? 0] ?? '').startsWith('E     File "'),
    ),
  };
}

/** The lines marked `E` of the last exception, which was not caught. */
function lastErrors(body: readonly string[]): number[] {
  const last = body.findLastIndex((line) => /^E {3}/.test(line));
  if (last === -1) return [];
  let first = last;
  while (first > 0 && /^E(?: {3}|$)/.test(body[first - 1] ?? '')) first -= 1;
  return Array.from(
    {length: Math.min(last - first + 1, maxExcerptLines)},
    (_, index) => first + index,
  );
}

const frame = /^(\S+\.pyx?|<[^>]+>):(\d+):(?: |$)/;

function placesIn(body: readonly string[], errors: readonly number[]): CodePlace[] {
  const syntaxError = errors.flatMap(
    (index) => /^E\s+File "([^"]+)", line (\d+)/.exec(body[index] ?? '')?.slice(1, 3) ?? [],
  );
  const frames = body.map((line) => frame.exec(line)).filter((match) => match !== null);
  const places = frames.map(([, file, line]) => toPlace(file, line)).toReversed();
  return syntaxError[0] === undefined
    ? places
    : [toPlace(syntaxError[0], syntaxError[1]), ...places];
}

/** The code of the innermost own frame: above its place, or below it in the short style. */
function codeIn(body: readonly string[], error: number): string[] {
  const own = body.findLastIndex((line) => {
    const [, file, number] = frame.exec(line) ?? [];
    return file !== undefined && isOwn(toPlace(file, number));
  });
  if (/: in \S+$/.test(body[own] ?? ''))
    return toExcerpt(linesUntil(body, own + 1, (line) => !line.startsWith('    '), 4));
  const end = own === -1 || own > error ? error : own;
  const code = body.slice(Math.max(0, end - 8), end);
  const gap = code.findLastIndex(
    (line) => /^(?:_ _|The above|During)/.test(line) || /^\S+:\d+: (?:in |\w+Error)/.test(line),
  );
  return toExcerpt(code.slice(gap + 1), 8);
}

/** `test_a.py::TestB::test_c` from the summary, because the title has no file. */
function testId(lines: readonly string[], entry: number, title: string): string {
  const name = title.replace(/^ERROR (?:at \w+ of|collecting) /, '');
  const suffix = `::${name.replaceAll('.', '::')}`;
  const line = firstFrom(
    lines,
    entry,
    (candidate) => /^(?:FAILED|ERROR) /.test(candidate) && ` ${candidate} `.includes(`${suffix} `),
  );
  return /^\w+ (\S+::.+?)(?: - .*)?$/.exec(lines[line ?? -1] ?? '')?.[1] ?? name;
}

/** `--tb=line` */
function oneLine(lines: readonly string[], at: number, entry: number): FailureMatch | undefined {
  const [, file, line, message] = /^(\S+):(\d+): (.+)$/.exec(lines[entry] ?? '') ?? [];
  return file === undefined
    ? undefined
    : {at, tool: 'pytest', message: [message ?? ''], places: [toPlace(file, line)], excerpt: []};
}

function fromSummary(
  lines: readonly string[],
  at: number,
  found: number,
): FailureMatch | undefined {
  const first = firstFrom(lines, found, (line) => /^(?:FAILED|ERROR) \S/.test(line));
  const [, test, message = ''] =
    /^\w+ (\S+(?:\[.*\])?)(?: - (.*))?$/.exec(lines[first ?? -1] ?? '') ?? [];
  return test === undefined
    ? undefined
    : {
        at,
        tool: 'pytest',
        test,
        message: [message],
        places: [toPlace(test.split('::')[0])],
        excerpt: [],
      };
}

/** `FAIL: test_a (module.Class.test_a)` between two rulers, then a traceback. */
export function parseUnittest(lines: readonly string[]): FailureMatch | undefined {
  const at = lines.findIndex(
    (line, index) => /^(?:FAIL|ERROR): \S/.test(line) && /^={70}$/.test(lines[index - 1] ?? ''),
  );
  if (at === -1) return undefined;
  const test = (lines[at] ?? '').replace(/^\w+: /, '').replace(/^(\w+) \((\S+\.\1)\)/, '$2');
  const ruler = linesUntil(lines, at + 1, (line) => /^-{70}$/.test(line), 6).length;
  const body = linesUntil(lines, at + ruler + 2, (line) => /^(?:={70}|-{70})$/.test(line));
  const trace = pythonTrace(body, Math.max(body.indexOf('Traceback (most recent call last):'), 0));
  if (trace === undefined)
    return {
      at,
      tool: 'unittest',
      test,
      message: body.filter((line) => line !== '').slice(0, 4),
      places: [],
      excerpt: [],
    };
  // The diff after the message contains empty lines.
  const error = body.lastIndexOf(trace.message[0] ?? '');
  return {
    ...trace,
    at,
    tool: 'unittest',
    test,
    message: body
      .slice(error)
      .filter((line) => line !== '')
      .slice(0, maxExcerptLines),
  };
}
