import {indentation} from '../log-lines.ts';
import {findAnyPlace, findBareFile} from './any-place.ts';
import {type ClassifiedLog, isRule, linesBelow} from './blocks.ts';
import {numberedName, toName} from './failure-marks.ts';
import type {ClassifiedLine, LogLineKind} from './line-kinds.ts';

/** A line at which a failure may begin. */
export type FailureCandidate = {
  readonly at: number;
  readonly kind: LogLineKind;
  readonly name?: string;
};

/**
 * The first failure, then the next best one. Structure goes before words: a marked test, then an
 * error that no passed test follows, then what is said of the whole run, then the first item of a
 * list, then a line that mentions a failure.
 */
export function chooseCandidates(log: ClassifiedLog): readonly FailureCandidate[] {
  const found = collect(log);
  const first = chooseFirst(log, found);
  if (first === undefined) return [];
  const all = [...found.tests, ...found.errors, ...found.items, ...found.words].filter(
    ({at}) => at !== first.at,
  );
  const next =
    all.find(({at, kind}) => at > first.at + 8 && kind === first.kind) ??
    all.find(({at}) => Math.abs(at - first.at) > 8);
  return next === undefined ? [first] : [first, next];
}

type Collected = {
  readonly tests: FailureCandidate[];
  readonly errors: FailureCandidate[];
  readonly statements: FailureCandidate[];
  readonly items: FailureCandidate[];
  readonly warnings: FailureCandidate[];
  readonly words: FailureCandidate[];
  readonly wrappers: FailureCandidate[];
  readonly firstMark: number;
  readonly lastPassed: number;
};

/** The first of each kind are enough; a log may have millions. */
const maxOfKind = 200;

function collect({lines, kinds}: ClassifiedLog): Collected {
  const lists: Record<string, FailureCandidate[]> = {};
  const add = (list: string, candidate: FailureCandidate): void => {
    const own = (lists[list] ??= []);
    if (own.length < maxOfKind) own.push(candidate);
  };
  const isCounted = kinds.some(
    ({kind}, at) =>
      kind === 'section' ||
      (kind === 'summary' && failureCount.test(lines[at] ?? '')) ||
      (kind === 'harmless' && /\bFailures: [1-9]/.test(lines[at] ?? '')),
  );
  let [firstMark, lastPassed, warningIndent] = [Infinity, -1, Infinity];
  let isPrinted = false;
  for (const [at, {kind, name}] of kinds.entries()) {
    const line = lines[at] ?? '';
    if (kind === 'passed' || kind === 'section' || isRunStart(line)) {
      firstMark = Math.min(firstMark, at);
      if (kind === 'passed') lastPassed = at;
    }

    const numbered = isCounted ? numberedName(line) : undefined;
    if (numbered !== undefined && kind !== 'passed' && kind !== 'summary') {
      add('tests', {at, kind: 'failed', name: numbered});
      continue;
    }

    const lone = loneMark(lines, at);
    if (lone !== undefined) {
      add('tests', {at, kind: 'failed', name: lone});
      continue;
    }

    // The mark of a test below the place of its error adds nothing to it.
    if (kind === 'failed' && kinds[at - 1]?.kind === 'error' && isBelowPlace(lines, at)) continue;
    // What is indented below a warning or `console.log` belongs to it: its place, its text.
    if (line.trim() !== '' && indentation(line) <= warningIndent) warningIndent = Infinity;
    if (kind === 'warning' || /^\s{0,8}console\.\w{3,10}(?: .*)?$/.test(line))
      warningIndent = indentation(line);
    // Up to an empty line, what a test printed stands below `stderr | name`.
    if (line === '') isPrinted = false;
    if (/^std(?:out|err) \| \S/.test(line)) isPrinted = true;
    if (isPrinted) continue;
    const list = indentation(line) > warningIndent ? undefined : listOf[kind];
    if (list === undefined || (lists[list]?.length ?? 0) > maxOfKind) continue;
    if (isIgnoredBelow(lines, at, kind)) continue;
    add(list, {at, kind, ...(name !== undefined && {name})});
  }

  const of = (list: string): FailureCandidate[] => lists[list] ?? [];
  return {
    tests: of('tests'),
    errors: of('errors'),
    statements: of('statements'),
    items: of('items'),
    warnings: of('warnings'),
    words: of('words'),
    wrappers: of('wrappers'),
    firstMark: Math.min(firstMark, of('tests')[0]?.at ?? Infinity),
    lastPassed,
  };
}

const listOf: Partial<Record<ClassifiedLine['kind'], string>> = {
  failed: 'tests',
  crash: 'errors',
  error: 'errors',
  statement: 'statements',
  item: 'items',
  warning: 'warnings',
  word: 'words',
  wrapper: 'wrappers',
};

const failureCount =
  /\b[1-9]\d* (?:\w+ )?(?:failing|failed|failures?|errors?)\b|\bfail\w*:? +[1-9]|=[1-9]/i;

/** `FAILURE` alone on its line, between the name of a test and its details. */
function loneMark(lines: readonly string[], at: number): string | undefined {
  if (!/^\s{0,8}(?:FAILURE|FAILED|FAIL)$/.test(lines[at] ?? '')) return undefined;
  const [above = '', below = ''] = [lines[at - 1], lines[at + 1]];
  if (above.trim() === '' || below.trim() === '' || isRule(above) || isRule(below))
    return undefined;
  return above
    .trim()
    .replace(/^Test ?case:? /i, '')
    .replace(/ took [\d.]+ sec$/, '');
}

function isBelowPlace(lines: readonly string[], at: number): boolean {
  const above = lines[at - 1] ?? '';
  return above.endsWith(':') && indentation(lines[at] ?? '') > indentation(above);
}

/** The header of a test run, or the dots of its progress. */
function isRunStart(line: string): boolean {
  return (
    /^[.FEsSxXPUI*●◼◌]{1,200}(?:\s+\[\s*\d+%\])?$/u.test(line) ||
    /^(?:TAP version|1\.\.\d+$|=+ test session|Run options:|Loaded suite|Started$|Randomized with|Running ExUnit|Test Suite '|Test Case '.{1,200}' started|Will run \d|Running \d+ test|Discovery found|Starting \d+ tests?|bun test|# Running)/.test(
      line,
    )
  );
}

/** Ansible, make and CI say on a later line that a failure does not count. */
function isIgnoredBelow(lines: readonly string[], at: number, kind: LogLineKind): boolean {
  if (kind !== 'failed' && kind !== 'error' && kind !== 'wrapper') return false;
  return [lines[at + 1] ?? '', lines[at + 2] ?? ''].some((line) =>
    /^\W{0,6}(?:ignoring|\S{0,20} ?\(ignored\)|ignored)\b/i.test(line),
  );
}

function chooseFirst(log: ClassifiedLog, found: Collected): FailureCandidate | undefined {
  const [test] = found.tests;
  const [error] = found.errors;
  if (test !== undefined) {
    // `FAIL …` that a passing test printed, in a run that failed as a whole.
    const [said] = found.statements;
    if (said !== undefined && said.at > found.lastPassed && said.at < test.at) return said;
    if (
      said !== undefined &&
      found.lastPassed > test.at &&
      found.tests.slice(0, 5).every(({at}) => !hasText(linesBelow(log, at)))
    )
      return said;
    return error !== undefined && isBeforeRun(log, found, error, test) ? error : test;
  }

  const late = found.errors.find(({at}) => at > found.lastPassed);
  const [statement] = found.statements;
  const placed = [...found.items, ...found.warnings.filter(({at}) => isPlaced(log, at))];
  const [item] = found.items;
  if (late !== undefined) return item !== undefined && isSummaryOf(log, late, item) ? item : late;
  return (
    statement ??
    item ??
    placed[0] ??
    error ??
    fileList(log) ??
    found.warnings[0] ??
    found.words.find(({at}) => at > found.lastPassed) ??
    framed(log) ??
    found.words[0] ??
    found.wrappers[0]
  );
}

/** A stack without a known mark: the failure begins where its paragraph begins. */
function framed({lines}: ClassifiedLog): FailureCandidate | undefined {
  const frame = lines.findIndex((line) => /^\s+at \S+:\d+:\d+\)?$/.test(line));
  if (frame === -1) return undefined;
  let at = frame;
  while (
    at > 0 &&
    frame - at < 20 &&
    (lines[at - 1] ?? '').trim() !== '' &&
    !isRule(lines[at - 1] ?? '')
  )
    at -= 1;
  // A paragraph above it that begins like `suite > test:` is its title.
  for (let index = at - 1; index >= 0 && at - index < 8; index -= 1)
    if (/^\S.{0,200} > .{1,200}:$/.test(lines[index] ?? ''))
      return {at: index, kind: 'failed', name: toName(lines[index] ?? '')};
  return {at, kind: 'item'};
}

/** A formatter that prints nothing but the files it would change. */
function fileList({lines}: ClassifiedLog): FailureCandidate | undefined {
  const at = lines.findIndex((line) => line.trim() !== '');
  const line = (lines[at] ?? '').trim();
  return /^\S+$/.test(line) && findBareFile(line) !== undefined ? {at, kind: 'item'} : undefined;
}

/**
 * Whether an error is an earlier failure of its own (a compiler's, before the tests), not output of
 * a test or the details of the first failed one.
 */
function isBeforeRun(
  log: ClassifiedLog,
  {firstMark}: Collected,
  error: FailureCandidate,
  test: FailureCandidate,
): boolean {
  if (error.at >= test.at || error.at > firstMark) return false;
  if (error.kind === 'error' && !isPlaced(log, error.at)) return false;
  const between = log.kinds.slice(error.at + 1, test.at);
  if (between.some(({kind}) => kind === 'echo')) return true;
  if (between.some(({kind}) => kind === 'passed')) return false;
  // `[----] a.c:8: …` and `[FAIL] name` are written by the same runner.
  if (isBracketed(log.lines[error.at] ?? '') && isBracketed(log.lines[test.at] ?? '')) return false;
  return hasText(linesBelow(log, test.at));
}

function isBracketed(line: string): boolean {
  return /^\[(?:-{2,}|\w{2,8})\] /.test(line);
}

function hasText(lines: readonly string[]): boolean {
  return lines.some((line) => line.trim() !== '');
}

function isPlaced(log: ClassifiedLog, at: number): boolean {
  return log.lines.slice(at, at + 3).some((line) => findAnyPlace(line) !== undefined);
}

/** A last line like `Error: issues found` after the items of a list. */
function isSummaryOf(log: ClassifiedLog, error: FailureCandidate, item: FailureCandidate): boolean {
  if (error.kind === 'crash' || error.at < item.at || isPlaced(log, error.at)) return false;
  return log.lines.slice(error.at + 1, error.at + 12).filter((line) => line !== '').length < 4;
}
