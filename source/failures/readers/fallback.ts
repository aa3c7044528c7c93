import {linesUntil, toExcerpt} from '../log-lines.ts';
import {type FailureMatch, findPlace, type CodePlace, toPlace} from '../failure-match.ts';

/** The first line with `error`; otherwise the first that mentions a failure in other words. */
export function parseErrorLine(lines: readonly string[]): FailureMatch | undefined {
  let weak: number | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.length < 4 || harmless.test(line) || isWrapper(line)) continue;
    if (strong.test(line)) return errorAt(lines, at);
    if (weak === undefined && weakly.test(line)) weak = at;
  }

  return weak === undefined ? undefined : errorAt(lines, weak);
}

const strong =
  /^\W{0,10}(?:error|fatal|failure|panic|critical|uncaught|unhandled)\b(?:\W|$)|\b(?:error|fatal): |\[(?:error|fatal)\]|\bAssertion .* failed\b|\bERROR\b|\bFATAL\b|Segmentation fault/i;
const weakly =
  /\b(?:errors?|fails?(?!-)|failed|failure|failing|exception|cannot|can't|could not|couldn't|unable to|not found|no such file|denied|refused|invalid|undefined|unexpected|mismatch|aborted|killed|timed out|missing)\b/i;
const harmless =
  /\b(?:0|no|without) (?:errors?|fails?|failures?|failed|failing)\b|\bwarning\b|\bfail(?:ed|ures?|ing)?: ?0\b|\berrors?: ?0\b/i;

/** Lines of wrappers have their own readers; earlier lines are more specific. */
function isWrapper(line: string): boolean {
  return /^(?:npm (?:error|ERR!)|g?make(?:\[\d+\])?: \*\*\* |\S+:\d+: \*\*\* |> )/.test(line);
}

function errorAt(lines: readonly string[], at: number): FailureMatch {
  const line = (lines[at] ?? '').trim();
  const after = linesUntil(lines, at + 1, isWrapper, 10);
  return {
    at,
    tool: 'unknown',
    message: [line],
    places: [
      ...findMentionedPlace(line),
      ...[line, ...after].flatMap((text) => findPlace(text) ?? []),
    ],
    excerpt: toExcerpt(after, 6),
  };
}

/** `check.sh: line 2: …`, as shells print it. */
function findMentionedPlace(line: string): CodePlace[] {
  const [, file, number] = /^(\S+): line (\d+): /.exec(line) ?? [];
  return file === undefined || !/\.\w+$/.test(file) ? [] : [toPlace(file, number)];
}

/** The end of a log in which nothing looks like an error. */
export function parseTail(lines: readonly string[]): FailureMatch {
  const tail: string[] = [];
  for (let index = lines.length - 1; index >= 0 && tail.length < 10; index -= 1)
    if (lines[index]?.trim() !== '') tail.unshift(lines[index] ?? '');
  if (tail.length === 0)
    return {
      at: 0,
      tool: 'unknown',
      message: ['It failed and printed nothing.'],
      places: [],
      excerpt: [],
    };
  return {
    at: 0,
    tool: 'unknown',
    message: ['No line of the log mentions an error. It ends with:'],
    places: [],
    excerpt: tail,
  };
}

/** make: the recipe that failed, and its output before. */
export function parseMake(lines: readonly string[]): FailureMatch | undefined {
  const at = lines.findIndex((line) => /^(?:g?make(?:\[\d+\])?|\S+:\d+): \*\*\* /.test(line));
  if (at === -1) return undefined;
  const line = lines[at] ?? '';
  const [, file, number] = /\[([^\]:]+):(\d+): [^\]]*\]|$/.exec(line) ?? [];
  const [, own, ownNumber] = /^(\S+):(\d+): \*\*\*/.exec(line) ?? [];
  const before = lines.slice(Math.max(0, at - 8), at).filter((text) => text !== '');
  const found = own ?? file;
  return {
    at,
    tool: 'make',
    message: [line],
    places: found === undefined ? [] : [toPlace(found, own === undefined ? number : ownNumber)],
    excerpt: before,
  };
}

/** npm's own error, without its wrapper around a failed script. */
export function parseNpm(lines: readonly string[]): FailureMatch | undefined {
  const at = lines.findIndex((line) => /^npm (?:error|ERR!)/.test(line));
  if (at === -1) return undefined;
  const output = linesUntil(lines, at, (line) => !/^npm (?:error|ERR!)/.test(line), 40).map(
    (line) => line.replace(/^npm (?:error|ERR!) ?/, ''),
  );
  const details = output.filter(
    (line) =>
      !/^(?:code|path|command|workspace|location|errno|syscall|A complete log|Lifecycle script|This is probably not)\b/.test(
        line,
      ),
  );
  const start = Math.max(
    details.findIndex((line) => line !== ''),
    0,
  );
  const gap = details.indexOf('', start);
  const message = details.slice(start, gap === -1 ? undefined : gap).slice(0, 6);
  const before = lines.slice(Math.max(0, at - 6), at).filter((line) => line !== '');
  return {
    at,
    tool: 'npm',
    message,
    places: [],
    excerpt: before.length > 0 || gap === -1 ? before : toExcerpt(details.slice(gap), 6),
  };
}

/** Gradle's own report of a failed build. */
export function parseGradleBuild(lines: readonly string[]): FailureMatch | undefined {
  const at = lines.findIndex((line) => line.startsWith('FAILURE: Build failed with an exception'));
  if (at === -1) return undefined;
  const body = linesUntil(lines, at + 1, (line) => line.startsWith('* Try:'), 30);
  const [, file, line] =
    /(?:file|script) '(.+?)' line: (\d+)/.exec(
      body.find((text) => text.includes(' line: ')) ?? '',
    ) ?? [];
  const wrong = body.indexOf('* What went wrong:');
  return {
    at,
    tool: 'gradle',
    message: body
      .slice(wrong + 1)
      .filter((text) => text !== '')
      .slice(0, 6),
    places: file === undefined ? [] : [toPlace(file, line)],
    excerpt: [],
  };
}
