import {countTokens, redactTokens, sanitizeText} from '../shared/index.ts';
import {bestPlace, relativeTo, withSlash} from './failure-match.ts';
import {condenseLines} from './condense-lines.ts';
import {maxExcerptLines, toPlainLines} from './log-lines.ts';
import {type LogStream, splitStreams} from './log-streams.ts';
import {type DocumentMatch, readDocument} from './read-document.ts';
import {parseTail} from './readers/fallback.ts';
import {type ReadMatch, readStream} from './read-stream.ts';

export type FirstFailure = {
  /** `vitest`, `pytest`, … or `unknown`. */
  readonly tool: string;
  /** Name of the failing test. */
  readonly test?: string;
  /** The assertion or the error. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly excerpt: readonly string[];
  /** How sure it is: the end of the log stands for a failure that was not found. */
  readonly confidence: 'found' | 'likely' | 'end-of-log';
  /** All of the above for an agent: short, plain and safe to print. */
  readonly text: string;
};

export type FirstFailureOptions = {
  /** @default 300 */
  readonly maxTokens?: number;
  /**
   * The project's directory. Paths below it become relative; frames outside of it count as foreign.
   */
  readonly root?: string;
};

/** The first failing test or error of a log. Never throws, and takes linear time. */
export function parseFirstFailure(log: string, options: FirstFailureOptions = {}): FirstFailure {
  const {maxTokens = 300} = options;
  // Everything is below `/`, so it cannot tell own frames from foreign ones.
  const root = options.root === '' || options.root === '/' ? undefined : options.root;
  const lines = condenseLines(toPlainLines(log));
  const match = findMatch(log, lines);
  const below =
    root === undefined
      ? undefined
      : new RegExp(
          `(?<![\\w./~@-])(?:file://)?${withSlash(root).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
          'g',
        );
  const clean = (line: string): string =>
    redactTokens(sanitizeText(below === undefined ? line : line.replaceAll(below, '')))
      .slice(0, maxLineLength)
      .toWellFormed();
  const found = bestPlace(match.places, root);
  const test = match.test === undefined ? undefined : clean(match.test);
  const file = found === undefined ? undefined : clean(relativeTo(root, found.file));
  const message = match.message.slice(0, maxMessageLines).map(clean).join('\n').trim();
  // A long message goes on in the excerpt: the budget cuts, not the count of lines.
  const excerpt = withoutGaps(
    [...match.message.slice(maxMessageLines), ...match.excerpt].map(clean),
  ).slice(0, maxExcerptLines);
  const where = [file, found?.line, found?.line === undefined ? undefined : found.column]
    .filter((part) => part !== undefined)
    .join(':');
  const head = [
    `${match.tool}${test === undefined ? '' : `: ${test}`}`,
    ...(where === '' ? [] : [`at ${where}`]),
    ...(message === '' ? [] : [message]),
  ];
  return {
    tool: match.tool,
    ...(test !== undefined && {test}),
    message,
    ...(file !== undefined && {file}),
    ...(found?.line !== undefined && {line: found.line}),
    ...(found?.column !== undefined && {column: found.column}),
    excerpt,
    confidence: match.confidence,
    text: fitText(
      excerpt.length === 0 ? head : [...head, '', ...excerpt],
      Number.isNaN(maxTokens) ? 300 : maxTokens,
    ),
  };
}

const maxLineLength = 500;
const maxMessageLines = 8;

/** One empty line is as good as two. */
function withoutGaps(lines: readonly string[]): string[] {
  return lines.filter(
    (line, index) => line.trim() !== '' || (index > 0 && (lines[index - 1] ?? '').trim() !== ''),
  );
}

/** A report that a tool printed says more than the text around it; a failure before it counts. */
function findMatch(log: string, lines: readonly string[]): ReadMatch {
  const streams = splitStreams(lines);
  const document = readDocument(log) ?? readStreamDocument(streams);
  if (document !== undefined) {
    const before = findFirst(splitStreams(toPlainLines(log.slice(0, document.offset))));
    return before?.confidence === 'found' && before.tool !== 'unknown'
      ? before
      : {...document.match, confidence: 'found', strength: 3};
  }

  return findFirst(streams) ?? {...parseTail(lines), confidence: 'end-of-log', strength: 0};
}

/** A report with a prefix before each of its lines. */
function readStreamDocument(streams: readonly LogStream[]): DocumentMatch | undefined {
  for (const {lines} of streams.slice(0, maxStreams)) {
    const document = readDocument(lines.join('\n'));
    if (document !== undefined) return {...document, offset: 0};
  }

  return undefined;
}

const maxStreams = 20;

function findFirst(streams: readonly LogStream[]): ReadMatch | undefined {
  const matches = streams.flatMap(({lines, indexes}) => {
    const match = readStream(lines);
    return match === undefined ? [] : [{...match, at: indexes[match.at] ?? match.at}];
  });
  // A marked test or a compiler's error goes before a line that only mentions an error.
  const strength = Math.max(...matches.map((match) => match.strength));
  return matches.filter((match) => match.strength === strength).toSorted((a, b) => a.at - b.at)[0];
}

/** The longest beginning of the lines within the token limit; an ellipsis marks a cut. */
export function fitText(lines: readonly string[], maxTokens: number): string {
  const whole = lines.join('\n');
  if (countTokens(whole) <= maxTokens) return whole;
  const characters = Array.from(whole);
  let [min, max] = [0, characters.length];
  while (min < max) {
    const middle = Math.ceil((min + max) / 2);
    if (countTokens(`${characters.slice(0, middle).join('')}…`) <= maxTokens) min = middle;
    else max = middle - 1;
  }

  // Token counts are not monotonic: a longer beginning can have fewer tokens.
  for (; min > 0; min -= 1) {
    const text = cutAt(characters, min);
    if (countTokens(text) <= maxTokens) return text;
  }

  return '';
}

/** Cuts at a line end if that loses little. */
function cutAt(characters: readonly string[], length: number): string {
  const text = characters.slice(0, length).join('');
  const newline = text.lastIndexOf('\n');
  return newline > 0 && text.length - newline < 80 ? `${text.slice(0, newline)}\n…` : `${text}…`;
}
