import type {
  AddedLine,
  ChangedFile,
  Directive,
  Rule,
  RuleVerdict,
  UnreadFile,
} from '../domain/index.ts';
import {compilePattern, excerpt, pathMatcher, pluralize, toNfc} from '../shared/index.ts';
import {redact} from '../secrets/index.ts';

/** The result of running the command of a `require:` on the change. */
export type RequiredResult = {
  /** The number of the rule. */
  readonly rule: string;
  /** Null when it did not exit by itself. */
  readonly exit: number | null;
  /** The first failure in its output. */
  readonly text: string;
};

export type Evidence = {
  readonly files: readonly ChangedFile[];
  readonly addedLines: readonly AddedLine[];
  readonly unread: readonly UnreadFile[];
  readonly required: readonly RequiredResult[];
  readonly secrets: readonly string[];
};

type Finding = Pick<RuleVerdict, 'verdict' | 'detail'>;

/** Evaluates one rule on the change. */
export function evaluateDirective({number, tooth}: Rule, evidence: Evidence): Finding {
  if (tooth === undefined) return {verdict: 'not-checkable', detail: 'has no directive'};
  const {files} = evidence;
  switch (tooth.kind) {
    case 'protect':
      return brokenBy(
        filesIn(files, tooth.globs),
        (found) => `${formatPaths(toPaths(found))} was ${found[0]?.how ?? 'changed'}`,
      );
    case 'only':
      return brokenBy(
        filesOutside(files, tooth.globs),
        (found) =>
          `${formatPaths(toPaths(found))} is not in ${excerpt(tooth.globs.join(', '), 100)}`,
      );
    case 'forbid-path':
      return brokenBy(
        filesIn(
          files.filter(({how}) => how === 'added'),
          tooth.globs,
        ),
        (found) => `${formatPaths(toPaths(found))} was added`,
      );
    case 'max-files':
      return withinLimit(files.length, tooth.most, 'file');
    case 'max-lines':
      return withinLimit(
        files.reduce((sum, {added, removed}) => sum + added + removed, 0),
        tooth.most,
        'line',
      );
    case 'forbid':
      return evaluateForbidden(tooth, evidence);
    case 'require':
      return evaluateRequired(number, tooth.command, evidence);
  }
}

function filesIn(files: readonly ChangedFile[], globs: readonly string[]): readonly ChangedFile[] {
  const matches = pathMatcher(globs);
  return files.filter(({path}) => matches(toMatchablePath(path)));
}

function filesOutside(
  files: readonly ChangedFile[],
  globs: readonly string[],
): readonly ChangedFile[] {
  const matches = pathMatcher(globs);
  return files.filter(({path}) => !matches(toMatchablePath(path)));
}

function toPaths(files: readonly ChangedFile[]): string[] {
  return files.map(({path}) => path);
}

function brokenBy(
  found: readonly ChangedFile[],
  detailOf: (found: readonly ChangedFile[]) => string,
): Finding {
  return found.length === 0 ? {verdict: 'kept'} : {verdict: 'broken', detail: detailOf(found)};
}

function withinLimit(count: number, max: number, noun: string): Finding {
  return {
    verdict: count <= max ? 'kept' : 'broken',
    detail: `${pluralize(count, noun)}, at most ${max}`,
  };
}

function evaluateForbidden(
  {pattern, flags}: Extract<Directive, {kind: 'forbid'}>,
  {addedLines, unread, secrets}: Evidence,
): Finding {
  const search = findForbidden(pattern, flags, addedLines);
  if ('rejected' in search) return {verdict: 'not-checkable', detail: search.rejected};
  if (search.found !== undefined) {
    const {path, line, text} = search.found;
    return {
      verdict: 'broken',
      detail: `${formatPath(path)}:${line}: ${excerpt(redact(text, secrets).trim(), 120)}`,
    };
  }

  // An unread line could break the rule, so the rule is not reported as kept.
  if (search.unread > 0)
    return {
      verdict: 'not-checkable',
      detail:
        `${search.unread} added ${search.unread === 1 ? 'line was' : 'lines were'} not ` +
        'searched, because the change is too large',
    };
  const [first] = unread;
  return first === undefined
    ? {verdict: 'kept'}
    : {
        verdict: 'not-checkable',
        detail: `${formatPaths(unread.map(({path}) => path))} could not be searched: ${excerpt(first.why)}`,
      };
}

/** A command that cannot be run breaks the rule: the change may have removed it. */
function evaluateRequired(number: string, command: string, {required, secrets}: Evidence): Finding {
  const result = required.find(({rule}) => rule === number);
  if (result === undefined)
    return {verdict: 'not-checkable', detail: `\`${excerpt(command)}\` was not run`};
  if (result.exit === 0) return {verdict: 'kept'};
  const text = excerpt(redact(result.text, secrets).trim(), 300);
  const ending = result.exit === null ? 'did not finish' : `exited with ${result.exit}`;
  return {
    verdict: 'broken',
    detail: `\`${excerpt(command)}\` ${ending}${text === '' ? '' : `: ${text}`}`,
  };
}

/**
 * A path for matching against globs: normalised like plans and rules, without control characters.
 * picomatch's `**` compiles to dots, which match no line end: `src/api/**` would miss a file whose
 * name has one.
 */
export function toMatchablePath(path: string): string {
  return toNfc(path).replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, '\uFFFD');
}

/** A path for a message: on one line, with hidden characters made visible. */
export function formatPath(path: string): string {
  return excerpt(path.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`), 200);
}

/** `a.ts`, or `a.ts and 3 more`. */
export function formatPaths(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  return rest.length === 0 ? formatPath(first) : `${formatPath(first)} and ${rest.length} more`;
}

export type ForbiddenSearch =
  | {readonly rejected: string}
  /** `unread` counts the lines that were not searched. */
  | {readonly found: AddedLine | undefined; readonly unread: number};

/**
 * The first added line that matches. The lines are hostile: their author may want the search to
 * take for ever, or to miss the end of a long line.
 */
export function findForbidden(
  pattern: string,
  flags: string,
  lines: readonly AddedLine[],
): ForbiddenSearch {
  // The rules file may have been parsed by an older version, so the pattern is checked again.
  const compiled = compilePattern(pattern, `${flags.replaceAll(/[gy]/g, '')}g`);
  if ('rejected' in compiled)
    return {
      rejected: 'its pattern is not a regular expression, or could take for ever on one line',
    };

  let left = maxCharacters;
  for (const [index, line] of lines.entries()) {
    left -= line.text.length;
    if (left < 0) return {found: undefined, unread: lines.length - index};
    if (matchesLine(compiled.expression, line.text)) return {found: line, unread: 0};
  }

  return {found: undefined, unread: 0};
}

/** The characters of a whole change; a lock file has a million. */
const maxCharacters = 20_000_000;

/**
 * A long line is searched in windows, so that a quadratic pattern costs at most the square of this
 * length.
 */
const windowLength = 2000;
const overlap = 500;

function matchesLine(expression: RegExp, text: string): boolean {
  for (let start = 0; ; start += windowLength - overlap) {
    const isLast = start + windowLength >= text.length;
    if (matchesWindow(expression, text.slice(start, start + windowLength), start === 0, isLast))
      return true;
    if (isLast) return false;
  }
}

/**
 * `^` and `$` must not match at the edge of a window inside the line. A match that touches the end
 * is whole in the next window.
 */
function matchesWindow(
  expression: RegExp,
  window: string,
  isFirst: boolean,
  isLast: boolean,
): boolean {
  expression.lastIndex = isFirst ? 0 : 1;
  for (let match = expression.exec(window); match !== null; match = expression.exec(window)) {
    const end = match.index + match[0].length;
    const isInNextWindow = !isLast && end === window.length && match.index > windowLength - overlap;
    if (!isInNextWindow) return true;
    expression.lastIndex = match.index + 1;
  }

  return false;
}
