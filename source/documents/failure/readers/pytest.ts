import {excerptOf, linesUntil} from '../block-of.ts';
import {isOwn, place} from '../place.ts';
import type {Place, Sighting} from '../sighting.ts';
import {firstFrom, lastBefore} from './scan.ts';
import {pythonTrace} from './stack-traces.ts';

/** The first entry under `ERRORS` or `FAILURES`, in any style of traceback; without one the first line of the summary. */
export function readPytest(lines: readonly string[]): Sighting | undefined {
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

/** The lines marked `E` of the last exception: of a chain the one that was not caught. */
function lastErrors(body: readonly string[]): number[] {
  const last = body.findLastIndex((line) => /^E {3}/.test(line));
  if (last === -1) return [];
  let first = last;
  while (first > 0 && /^E(?: {3}|$)/.test(body[first - 1] ?? '')) first -= 1;
  return Array.from({length: Math.min(last - first + 1, 10)}, (_, index) => first + index);
}

const frame = /^(\S+\.pyx?|<[^>]+>):(\d+):(?: |$)/;

function placesIn(body: readonly string[], errors: readonly number[]): Place[] {
  const spoken = errors.flatMap(
    (index) => /^E\s+File "([^"]+)", line (\d+)/.exec(body[index] ?? '')?.slice(1, 3) ?? [],
  );
  const frames = body.map((line) => frame.exec(line)).filter((match) => match !== null);
  const places = frames.map(([, file, line]) => place(file, line)).toReversed();
  return spoken[0] === undefined ? places : [place(spoken[0], spoken[1]), ...places];
}

/** The code of the innermost frame of ours: above its place, or below it in the short style. */
function codeIn(body: readonly string[], error: number): string[] {
  const own = body.findLastIndex((line) => {
    const [, file, number] = frame.exec(line) ?? [];
    return file !== undefined && isOwn(place(file, number));
  });
  if (/: in \S+$/.test(body[own] ?? ''))
    return excerptOf(linesUntil(body, own + 1, (line) => !line.startsWith('    '), 4));
  const end = own === -1 || own > error ? error : own;
  const code = body.slice(Math.max(0, end - 8), end);
  const gap = code.findLastIndex(
    (line) => /^(?:_ _|The above|During)/.test(line) || /^\S+:\d+: (?:in |\w+Error)/.test(line),
  );
  return excerptOf(code.slice(gap + 1), 8);
}

/** `test_a.py::TestB::test_c`, as the summary has it; the title has no file. */
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
function oneLine(lines: readonly string[], at: number, entry: number): Sighting | undefined {
  const [, file, line, message] = /^(\S+):(\d+): (.+)$/.exec(lines[entry] ?? '') ?? [];
  return file === undefined
    ? undefined
    : {at, tool: 'pytest', message: [message ?? ''], places: [place(file, line)], excerpt: []};
}

function fromSummary(lines: readonly string[], at: number, found: number): Sighting | undefined {
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
        places: [place(test.split('::')[0])],
        excerpt: [],
      };
}
