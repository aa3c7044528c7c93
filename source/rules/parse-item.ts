import {looksLikeCommand} from './command-quality.ts';
import {checkName, excerpt, hasHiddenCharacters, nearest} from '../shared/index.ts';
import {lint, type Lint} from './lint.ts';
import type {SectionItem} from './parse-sections.ts';
import type {Check} from '../domain/index.ts';
import {
  directiveKinds,
  type DirectiveResult,
  isDirectiveKind,
  parseDirective,
} from './directives.ts';

/** An item's text without its directive, and the parsed directive. */
export type ItemParseResult = ClaimParseResult & {readonly text: string};

export function parseItem(item: SectionItem): ItemParseResult {
  const parts = withoutEmptyEnd(parseInline(item.text).filter(({kind}) => kind !== 'comment'));
  const last = parts.at(-1);
  if (last?.kind !== 'code') return {text: joinParts(parts), problems: problemsInside(parts, item)};

  const before = parts.slice(0, -1);
  const claim = parseClaim(last.content, item);
  const problems = [...misplacedIn(before, item), ...claim.problems];
  const isTaken = claim.directive !== undefined || claim.check !== undefined;
  // A directive alone is also the rule's text: an agent must read something.
  return {...claim, problems, text: isTaken ? joinParts(before) || last.content : joinParts(parts)};
}

function withoutEmptyEnd(parts: readonly InlinePart[]): readonly InlinePart[] {
  return parts.slice(0, parts.findLastIndex(({raw}) => raw.trim() !== '') + 1);
}

function joinParts(parts: readonly InlinePart[]): string {
  return parts
    .map(({raw}) => raw)
    .join('')
    .trim();
}

/** Problems of an item that ends in plain text, where no code span is a directive. */
function problemsInside(parts: readonly InlinePart[], item: SectionItem): Lint[] {
  const misplaced = misplacedIn(parts, item);
  const [span, end] = parts.slice(-2);
  const isAlmostLast =
    span?.kind === 'code' && end !== undefined && /^[\s.,;:!)]{1,5}$/.test(end.raw);
  const isNameless =
    isAlmostLast && item.isValidation && misplaced.length === 0 && looksLikeCommand(span.content);
  return isNameless ? [namelessCheck(span.content, item.line)] : misplaced;
}

function misplacedIn(parts: readonly InlinePart[], item: SectionItem): Lint[] {
  return parts
    .filter(({kind, content}) => kind === 'code' && isMisplaced(content, item))
    .map(({content}) =>
      lint(
        'tooth-not-last',
        item.line,
        `\`${excerpt(content)}\` is not at the end of its item, so it does nothing. End ` +
          'the item with it (a full stop goes before it), one to an item.',
      ),
    );
}

/** The code span at the end of an item: a directive, a check, or ordinary text. */
export type ClaimParseResult = DirectiveResult & {readonly check?: Check};

export type ClaimContext = {readonly line: number; readonly isValidation: boolean};

export function parseClaim(span: string, {line, isValidation}: ClaimContext): ClaimParseResult {
  const [, word = '', value = ''] = /^([A-Za-z][\w-]*)\s*:(.*)$/s.exec(span) ?? [];
  if (isDirectiveKind(word))
    return unlessEmptyOrHidden(span, value, line, () => parseDirective(word, value.trim(), line));
  return isValidation ? parseCheck(span, line) : {problems: findDoubts(span, line)};
}

/** Whether a span that is not at the end of its item looks like a directive or a check. */
export function isMisplaced(
  span: string,
  {isValidation}: Pick<ClaimContext, 'isValidation'>,
): boolean {
  const [, word = '', value = ''] = /^([a-z][\w-]*)\s*:\s*(\S.*)$/s.exec(span) ?? [];
  return (
    value !== '' &&
    (isDirectiveKind(word) || (isValidation && checkName.test(word) && looksLikeCommand(value)))
  );
}

/** Parses a span that has a value and no hidden characters; anything else is a problem. */
function unlessEmptyOrHidden(
  span: string,
  value: string,
  line: number,
  parse: () => ClaimParseResult,
): ClaimParseResult {
  if (value.trim() === '')
    return {
      problems: [
        lint(
          'empty-tooth',
          line,
          `Expected a value after \`${excerpt(span)}\`, got none, so it does nothing. Add the value, or remove it.`,
        ),
      ],
    };
  if (!hasHiddenCharacters(span)) return parse();
  return {
    problems: [
      lint(
        'hidden-in-tooth',
        line,
        `\`${excerpt(span)}\` has hidden characters, so it does nothing. Type it again.`,
      ),
    ],
  };
}

/** `name: command`, with a space: `node:fs` and `https://…` are ordinary text. */
function parseCheck(span: string, line: number): ClaimParseResult {
  const [, name = '', command = ''] = /^([^:]{1,60}):(|\s.*)$/s.exec(span) ?? [];
  if (checkName.test(name))
    return unlessEmptyOrHidden(span, command, line, () => ({
      check: {name, command: command.trim()},
      problems: [],
    }));
  if (name !== '' && command.trim() !== '') {
    return {
      problems: [
        lint(
          'bad-check-name',
          line,
          `Expected a check's name of small letters, digits and "-" (at most 31), got ` +
            `"${excerpt(name)}", so it is not run. Write \`${toSlug(name)}: ` +
            `${excerpt(command.trim())}\`.`,
        ),
      ],
    };
  }

  return {problems: looksLikeCommand(span) ? [namelessCheck(span, line)] : []};
}

export function namelessCheck(span: string, line: number): Lint {
  return lint(
    'check-without-name',
    line,
    `The command \`${excerpt(span)}\` has no name, so it is not run. End the item with ` +
      `\`name: command\`, for example \`test: ${excerpt(span)}\`.`,
  );
}

/**
 * Outside of the validation section: a misspelt directive and a check that will not run are errors;
 * the rest may be ordinary text.
 */
function findDoubts(span: string, line: number): Lint[] {
  const [, word = '', value = ''] = /^([A-Za-z][\w-]{0,40})\s*:\s+(\S.*)$/s.exec(span) ?? [];
  if (word === '') return [];

  const meant = nearest(word.toLowerCase(), directiveKinds);
  if (meant !== undefined) {
    return [
      lint(
        'misspelt-tooth',
        line,
        `\`${word}:\` is not a directive, so it does nothing. Did you mean \`${meant}:\`?`,
      ),
    ];
  }

  if (looksLikeCommand(value) || /^(?:tests?|build|lint|typecheck)$/.test(word)) {
    return [
      lint(
        'check-outside-validation',
        line,
        `\`${excerpt(span)}\` looks like a check, but only a section whose title says ` +
          '"validation" has checks, so it is not run. Move it there.',
      ),
    ];
  }

  // `strict: true` and `color: red` end many ordinary sentences.
  if (/^[A-Z]/.test(word) || /^(?:[\w-]+|"[^"]*"|'[^']*')[;,]?$/.test(value)) return [];
  return [
    lint(
      'unknown-tooth',
      line,
      `\`${word}:\` is not a directive, so it does nothing. The directives are ` +
        `${directiveKinds.map((kind) => `\`${kind}:\``).join(', ')}.`,
    ),
  ];
}

function toSlug(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+/, '')
      .slice(0, 31)
      .replace(/-$/, '') || 'test'
  );
}

/** A piece of an item's text. Agents do not read comments. */
export type InlinePart = {
  readonly kind: 'text' | 'code' | 'comment';
  readonly raw: string;
  /** The text, or what is between the backticks. */
  readonly content: string;
};

/**
 * Finds code spans and comments like CommonMark: a span ends at the next run of as many backticks.
 */
export function parseInline(text: string): InlinePart[] {
  const parts: InlinePart[] = [];
  const closers = indexClosers(text);
  let from = 0;
  const take = (kind: InlinePart['kind'], start: number, end: number, content: string): void => {
    if (start > from) parts.push(textPart(text.slice(from, start)));
    parts.push({kind, raw: text.slice(start, end), content});
    from = end;
  };

  const interesting = /\\[^]|`+|<!--/g;
  for (let match = interesting.exec(text); match !== null; match = interesting.exec(text)) {
    const [mark] = match;
    const start = match.index;
    if (mark.startsWith('`')) {
      const close = closers.backticks(mark.length, interesting.lastIndex);
      if (close === -1) continue;
      take('code', start, close + mark.length, text.slice(interesting.lastIndex, close).trim());
    } else if (mark === '<!--') {
      const close = closers.comment(interesting.lastIndex);
      if (close === -1) continue;
      take('comment', start, close + 3, '');
    } else {
      continue;
    }

    interesting.lastIndex = from;
  }

  if (from < text.length) parts.push(textPart(text.slice(from)));
  return parts;
}

type Closers = {
  /** The start of the next run of exactly this many backticks; -1 if there is none. */
  readonly backticks: (length: number, from: number) => number;
  readonly comment: (from: number) => number;
};

/** Indexes the whole text once: searching again from every opening mark would be quadratic. */
function indexClosers(text: string): Closers {
  const runs = new Map<number, number[]>();
  for (const {0: run, index} of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts === undefined) runs.set(run.length, [index]);
    else starts.push(index);
  }

  const passed = new Map<number, number>();
  const lastComment = text.lastIndexOf('-->');
  return {
    backticks: (length, from) => {
      const starts = runs.get(length) ?? [];
      let index = passed.get(length) ?? 0;
      while ((starts[index] ?? from) < from) index += 1;
      passed.set(length, index);
      return starts[index] ?? -1;
    },
    comment: (from) => (from <= lastComment ? text.indexOf('-->', from) : -1),
  };
}

function textPart(raw: string): InlinePart {
  return {kind: 'text', raw, content: raw};
}
