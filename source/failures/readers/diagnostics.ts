import {lastBefore, linesUntil, toExcerpt} from '../log-lines.ts';
import {type FailureMatch, findPlace, isOwn, type CodePlace, toPlace} from '../failure-match.ts';

type Kind = {readonly tool: string; readonly pattern: RegExp; readonly maxExcerptLines?: number};

/**
 * Compilers and linters that print each error on one line with its place. Groups: `file`, `line`,
 * `column`, `message`.
 */
const kinds: readonly Kind[] = [
  {
    tool: 'tsc',
    pattern: /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): error (?<message>TS\d+: .+)$/,
    maxExcerptLines: 3,
  },
  {
    tool: 'tsc',
    pattern: /^(?<file>\S[^:]*):(?<line>\d+):(?<column>\d+) - error (?<message>TS\d+: .+)$/,
  },
  {tool: 'tsc', pattern: /^error (?<message>TS\d+: .+)$/, maxExcerptLines: 0},
  {
    tool: 'eslint',
    pattern: /^(?<file>\S.*): line (?<line>\d+), col (?<column>\d+), Error - (?<message>.+)$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'eslint',
    pattern: /^(?<file>\S[^:]*):(?<line>\d+):(?<column>\d+): (?<message>.+ \[Error(?:\/\S+)?\])$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'mypy',
    pattern:
      /^(?<file>\S[^:]*\.pyi?):(?<line>\d+)(?::(?<column>\d+))?(?::\d+:\d+)?: error: (?<message>.+)$/,
    maxExcerptLines: 4,
  },
  {
    tool: 'pyright',
    pattern: /^\s*(?<file>\/\S[^:]*\.pyi?):(?<line>\d+):(?<column>\d+) - error: (?<message>.+)$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'ruff',
    pattern:
      /^(?<file>\S[^:]*\.(?:pyi?|ipynb)):(?<line>\d+):(?<column>\d+): (?<message>(?:[A-Z]{1,6}\d{2,4}|SyntaxError:|invalid-syntax:)\s.+)$/,
  },
  {
    tool: 'javac',
    pattern: /^(?::[\w:]+(?=\/))?(?<file>[^\s:][^:]*\.java):(?<line>\d+): error: (?<message>.+)$/,
    maxExcerptLines: 4,
  },
  {
    tool: 'maven',
    pattern:
      /^\[ERROR\] (?<file>\S[^:]*\.(?:java|kt|scala)):\[(?<line>\d+),(?<column>\d+)\] (?<message>.+)$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'kotlinc',
    pattern:
      /^e: (?<file>(?:file:\/\/)?\S[^:]*\.kts?):(?:(?<line>\d+):(?<column>\d+)| ) (?<message>.+)$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'rustc',
    pattern:
      /^(?<file>\S[^:]*\.rs):(?<line>\d+):(?<column>\d+): (?<message>error(?:\[E\d+\])?: .+)$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'go',
    pattern: /^(?:vet: )?(?<file>\S[^:]*\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+)$/,
    maxExcerptLines: 0,
  },
  {
    tool: 'gcc',
    pattern: /^(?<file>\S[^:]*):(?<line>\d+):(?<column>\d+): (?:fatal )?error: (?<message>.+)$/,
  },
  {
    tool: 'ld',
    pattern:
      /^(?:\S*\bld: )?(?<file>\S[^:]*):(?:\(\.\w+\+0x[0-9a-f]+\)|(?<line>\d+)): (?<message>(?:undefined reference|multiple definition).+)$/,
    maxExcerptLines: 0,
  },
];

export function parseDiagnostic(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^ +--> /.test(line)) {
      const found = parseArrowed(lines, at);
      if (found !== undefined) return found;
    }

    if (!line.includes(':')) continue;
    for (const {tool, pattern, maxExcerptLines = 6} of kinds) {
      const groups = pattern.exec(line)?.groups;
      if (groups !== undefined) return toMatch(lines, at, tool, maxExcerptLines, groups);
    }
  }

  return undefined;
}

function toMatch(
  lines: readonly string[],
  at: number,
  tool: string,
  maxExcerptLines: number,
  groups: Readonly<Record<string, string | undefined>>,
): FailureMatch {
  const {file, line, column, message = ''} = groups;
  const isDiagnostic = (text: string): boolean =>
    kinds.some(({pattern}) => pattern.test(text)) || /: (?:note|warning|error): /.test(text);
  const under = linesUntil(
    lines,
    at + 1,
    (text) =>
      isDiagnostic(text) ||
      /^(?:make|npm|Found|\d+ errors?\b|compilation terminated|FAIL|In file included|cc1|collect2)|: In \w+ /.test(
        text,
      ),
    12,
  );
  const gap = under.findIndex((text, index) => text === '' && index > 0);
  const found =
    file === undefined
      ? []
      : [toPlace(tool === 'gcc' ? resolveIn(directoryAt(lines, at), file) : file, line, column)];
  // mypy --pretty wraps its messages.
  const wrapped =
    tool === 'mypy' && !message.endsWith(']')
      ? under.findIndex((text) => /\[[\w-]+\]$/.test(text)) + 1
      : 0;
  if (wrapped > 0 && wrapped < 4)
    return {
      at,
      tool,
      message: [[message, ...under.slice(0, wrapped)].join(' ')],
      places: found,
      excerpt: toExcerpt(under.slice(wrapped), maxExcerptLines),
    };
  return {
    at,
    tool: tool === 'gcc' ? detectCompiler(lines, at) : tool,
    message: [message],
    places: [...found, ...(tool === 'gcc' ? instantiatedFrom(lines, at, found[0]) : [])],
    excerpt: toExcerpt(gap === -1 ? under : under.slice(0, gap), maxExcerptLines),
  };
}

/** The directory of a recursive make at this line. */
function directoryAt(lines: readonly string[], at: number): string | undefined {
  let left = 0;
  for (let index = at - 1; index >= 0; index -= 1) {
    const [, way, directory] =
      /^g?make(?:\[\d+\])?: (Entering|Leaving) directory [`'](.+)'$/.exec(lines[index] ?? '') ?? [];
    if (way === 'Leaving') left += 1;
    else if (way === 'Entering' && left > 0) left -= 1;
    else if (way === 'Entering') return directory;
  }

  return undefined;
}

function resolveIn(directory: string | undefined, file: string): string {
  if (directory === undefined || file.startsWith('/')) return file;
  const parts: string[] = [];
  for (const part of `${directory}/${file}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }

  return parts.join('/');
}

/** Both print the same line, but only clang counts its errors at the end. */
function detectCompiler(lines: readonly string[], at: number): string {
  for (let index = at; index < lines.length && index - at < 2000; index += 1)
    if (/^(?:\d+ warnings? and )?\d+ errors? generated\.$/.test(lines[index] ?? '')) return 'clang';
  return 'gcc';
}

/** An error inside a system header is caused by the own line that led there. */
function instantiatedFrom(
  lines: readonly string[],
  at: number,
  where: CodePlace | undefined,
): CodePlace[] {
  if (where === undefined || isOwn(where)) return [];
  const from = lastBefore(lines.slice(Math.max(0, at - 40), at), Math.min(at, 40), (line) =>
    /required from here$|^\s*from |^In file included from/.test(line),
  );
  const found =
    from === undefined ? undefined : findPlace(lines[Math.max(0, at - 40) + from] ?? '');
  return found === undefined ? [] : [found];
}

/** ruff since 0.13: the rule on one line, the place below it. */
function parseArrowed(lines: readonly string[], at: number): FailureMatch | undefined {
  const message = /^(?:[A-Z]{1,6}\d{2,4}|invalid-syntax:?) .+$/.exec(lines[at - 1] ?? '')?.[0];
  const [, file, line, column] = /^ +--> (.+):(\d+):(\d+)$/.exec(lines[at] ?? '') ?? [];
  if (message === undefined || file === undefined) return undefined;
  return {
    at: at - 1,
    tool: 'ruff',
    message: [message],
    places: [toPlace(file, line, column)],
    excerpt: toExcerpt(
      linesUntil(lines, at + 1, (text) => text === '', 12).filter((text) => !/^\s*\|$/.test(text)),
      8,
    ),
  };
}

/**
 * A file, and its problems indented below it. Warnings count only when there are no errors
 * (`--max-warnings`).
 */
export function parseEslintStylish(lines: readonly string[]): FailureMatch | undefined {
  let file: string | undefined;
  let warning: FailureMatch | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^[^\s✖].*\.\w+$/.test(line)) file = line;
    if (line === '') file = undefined;
    if (file === undefined) continue;
    const [, number, column, level, text = ''] =
      /^\s+(\d+):(\d+)\s+(error|warning)\s+(.+)$/.exec(line) ?? [];
    if (level === undefined || (level === 'warning' && warning !== undefined)) continue;
    const found: FailureMatch = {
      at,
      tool: 'eslint',
      message: [text.trim().replace(/\s{2,}(\S+)$/, ' ($1)')],
      places: [toPlace(file, number, column)],
      excerpt: [],
    };
    if (level === 'error') return found;
    warning = found;
  }

  return lines.some((line) => line.startsWith('ESLint found too many warnings'))
    ? warning
    : undefined;
}
