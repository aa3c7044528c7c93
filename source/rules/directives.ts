import {compilePattern, excerpt, parseGlob, splitGlobs} from '../shared/index.ts';
import type {Directive} from '../domain/index.ts';
import {lint, type Lint} from './lint.ts';

export type DirectiveResult = {readonly directive?: Directive; readonly problems: readonly Lint[]};

export const directiveKinds = [
  'protect',
  'only',
  'forbid-path',
  'max-files',
  'max-lines',
  'forbid',
  'require',
] as const satisfies readonly Directive['kind'][];

export function isDirectiveKind(word: string): word is Directive['kind'] {
  return (directiveKinds as readonly string[]).includes(word);
}

/**
 * Parses the value after `protect:` or another directive. An invalid directive is a problem and
 * does nothing.
 */
export function parseDirective(
  kind: Directive['kind'],
  value: string,
  line: number,
): DirectiveResult {
  switch (kind) {
    case 'protect':
    case 'only':
    case 'forbid-path':
      return parseGlobs(kind, value, line);
    case 'max-files':
    case 'max-lines':
      return parseNumber(kind, value, line);
    case 'forbid':
      return parseForbidden(value, line);
    case 'require':
      return {directive: {kind, command: value}, problems: []};
  }
}

function parseGlobs(
  kind: 'protect' | 'only' | 'forbid-path',
  value: string,
  line: number,
): DirectiveResult {
  const globs: string[] = [];
  const problems: Lint[] = [];
  for (const text of splitGlobs(value)) {
    const parsed = parseGlob(text);
    if ('glob' in parsed) globs.push(parsed.glob);
    else
      problems.push(
        lint('bad-glob', line, `In \`${kind}:\` the glob "${excerpt(text)}" ${parsed.rejected}`),
      );
  }

  return globs.length === 0 ? {problems} : {directive: {kind, globs}, problems};
}

function parseNumber(
  kind: 'max-files' | 'max-lines',
  value: string,
  line: number,
): DirectiveResult {
  if (/^[1-9]\d{0,6}$/.test(value)) return {directive: {kind, most: Number(value)}, problems: []};
  return {
    problems: [
      lint(
        'bad-number',
        line,
        `Expected a whole number from 1 to 9999999 after \`${kind}:\`, got ` +
          `"${excerpt(value)}". Write, for example, \`${kind}: 8\`.`,
      ),
    ],
  };
}

function parseForbidden(value: string, line: number): DirectiveResult {
  const parsed = parsePattern(value);
  if ('rejected' in parsed)
    return {
      problems: [lint(parsed.name, line, `The pattern ${excerpt(value)} ${parsed.rejected}`)],
    };
  return {
    directive: {kind: 'forbid', pattern: parsed.pattern, flags: parsed.flags},
    problems: [],
  };
}

/** A directive as its author would write it. */
export function formatDirective(directive: Directive): string {
  switch (directive.kind) {
    case 'protect':
    case 'only':
    case 'forbid-path':
      return `${directive.kind}: ${directive.globs.join(', ')}`;
    case 'max-files':
    case 'max-lines':
      return `${directive.kind}: ${directive.most}`;
    case 'forbid':
      return `forbid: /${directive.pattern}/${directive.flags}`;
    case 'require':
      return `require: ${directive.command}`;
  }
}

export type PatternParseResult =
  | {readonly pattern: string; readonly flags: string}
  | {readonly rejected: string; readonly name: 'bad-pattern' | 'slow-pattern'};

/**
 * `/regular expression/flags`, for single added lines. A rejection is a sentence that continues
 * after the pattern.
 */
export function parsePattern(text: string): PatternParseResult {
  const match = /^\/(.*)\/([a-z]*)$/s.exec(text);
  if (match === null)
    return badPattern(
      `is not between slashes: write \`forbid: /${excerpt(escapePattern(text))}/\`.`,
    );

  const [, pattern = '', flags = ''] = match;
  if (pattern.length > maxPatternLength)
    return badPattern(`is longer than ${maxPatternLength} characters: use several shorter ones.`);
  if (!/^[gimsuv]*$/.test(flags))
    return badPattern(`has a flag that means nothing here ("${flags}"): use i, m, s, u or v.`);

  // Lines are matched one by one: "g" would only make the expression stateful.
  const lineFlags = flags.replaceAll('g', '');
  const compiled = compilePattern(pattern, lineFlags);
  if ('rejected' in compiled)
    return {
      name: compiled.isSlow ? 'slow-pattern' : 'bad-pattern',
      rejected: compiled.rejected,
    };

  return compiled.expression.test('')
    ? badPattern(
        'also matches an empty line, so every change would break it: make it match something.',
      )
    : {pattern, flags: lineFlags};
}

const maxPatternLength = 500;

function badPattern(rejected: string): PatternParseResult {
  return {name: 'bad-pattern', rejected};
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}
