import {excerptOf, linesUntil} from '../block-of.ts';
import {isOwn, place, placeOf} from '../place.ts';
import type {Place, Sighting} from '../sighting.ts';
import {lastBefore} from './scan.ts';

type Kind = {readonly tool: string; readonly pattern: RegExp; readonly mostExcerpt?: number};

/** Compilers and linters that say each error in a line with its place. Groups: `file`, `line`, `column`, `message`. */
const kinds: readonly Kind[] = [
  {
    tool: 'tsc',
    pattern: /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): error (?<message>TS\d+: .+)$/,
    mostExcerpt: 3,
  },
  {
    tool: 'tsc',
    pattern: /^(?<file>\S[^:]*):(?<line>\d+):(?<column>\d+) - error (?<message>TS\d+: .+)$/,
  },
  {tool: 'tsc', pattern: /^error (?<message>TS\d+: .+)$/, mostExcerpt: 0},
  {
    tool: 'eslint',
    pattern: /^(?<file>\S.*): line (?<line>\d+), col (?<column>\d+), Error - (?<message>.+)$/,
    mostExcerpt: 0,
  },
  {
    tool: 'eslint',
    pattern: /^(?<file>\S[^:]*):(?<line>\d+):(?<column>\d+): (?<message>.+ \[Error(?:\/\S+)?\])$/,
    mostExcerpt: 0,
  },
  {
    tool: 'mypy',
    pattern:
      /^(?<file>\S[^:]*\.pyi?):(?<line>\d+)(?::(?<column>\d+))?(?::\d+:\d+)?: error: (?<message>.+)$/,
    mostExcerpt: 4,
  },
  {
    tool: 'pyright',
    pattern: /^\s*(?<file>\/\S[^:]*\.pyi?):(?<line>\d+):(?<column>\d+) - error: (?<message>.+)$/,
    mostExcerpt: 0,
  },
  {
    tool: 'ruff',
    pattern:
      /^(?<file>\S[^:]*\.(?:pyi?|ipynb)):(?<line>\d+):(?<column>\d+): (?<message>(?:[A-Z]{1,6}\d{2,4}|SyntaxError:|invalid-syntax:)\s.+)$/,
  },
  {
    tool: 'javac',
    pattern: /^(?::[\w:]+(?=\/))?(?<file>[^\s:][^:]*\.java):(?<line>\d+): error: (?<message>.+)$/,
    mostExcerpt: 4,
  },
  {
    tool: 'maven',
    pattern:
      /^\[ERROR\] (?<file>\S[^:]*\.(?:java|kt|scala)):\[(?<line>\d+),(?<column>\d+)\] (?<message>.+)$/,
    mostExcerpt: 0,
  },
  {
    tool: 'kotlinc',
    pattern:
      /^e: (?<file>(?:file:\/\/)?\S[^:]*\.kts?):(?:(?<line>\d+):(?<column>\d+)| ) (?<message>.+)$/,
    mostExcerpt: 0,
  },
  {
    tool: 'rustc',
    pattern:
      /^(?<file>\S[^:]*\.rs):(?<line>\d+):(?<column>\d+): (?<message>error(?:\[E\d+\])?: .+)$/,
    mostExcerpt: 0,
  },
  {
    tool: 'go',
    pattern: /^(?:vet: )?(?<file>\S[^:]*\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+)$/,
    mostExcerpt: 0,
  },
  {
    tool: 'gcc',
    pattern: /^(?<file>\S[^:]*):(?<line>\d+):(?<column>\d+): (?:fatal )?error: (?<message>.+)$/,
  },
  {
    tool: 'ld',
    pattern:
      /^(?:\S*\bld: )?(?<file>\S[^:]*):(?:\(\.\w+\+0x[0-9a-f]+\)|(?<line>\d+)): (?<message>(?:undefined reference|multiple definition).+)$/,
    mostExcerpt: 0,
  },
];

export function readDiagnostic(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^ +--> /.test(line)) {
      const found = arrowed(lines, at);
      if (found !== undefined) return found;
    }

    if (!line.includes(':')) continue;
    for (const {tool, pattern, mostExcerpt = 6} of kinds) {
      const groups = pattern.exec(line)?.groups;
      if (groups !== undefined) return sighting(lines, at, tool, mostExcerpt, groups);
    }
  }

  return undefined;
}

function sighting(
  lines: readonly string[],
  at: number,
  tool: string,
  mostExcerpt: number,
  groups: Readonly<Record<string, string | undefined>>,
): Sighting {
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
      : [place(tool === 'gcc' ? insideOf(directoryAt(lines, at), file) : file, line, column)];
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
      excerpt: excerptOf(under.slice(wrapped), mostExcerpt),
    };
  return {
    at,
    tool: tool === 'gcc' ? compilerOf(lines, at) : tool,
    message: [message],
    places: [...found, ...(tool === 'gcc' ? instantiatedFrom(lines, at, found[0]) : [])],
    excerpt: excerptOf(gap === -1 ? under : under.slice(0, gap), mostExcerpt),
  };
}

/** Where a recursive make was when it printed this. */
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

function insideOf(directory: string | undefined, file: string): string {
  if (directory === undefined || file.startsWith('/')) return file;
  const parts: string[] = [];
  for (const part of `${directory}/${file}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }

  return parts.join('/');
}

/** Both print the same line; clang counts its errors at the end. */
function compilerOf(lines: readonly string[], at: number): string {
  for (let index = at; index < lines.length && index - at < 2000; index += 1)
    if (/^(?:\d+ warnings? and )?\d+ errors? generated\.$/.test(lines[index] ?? '')) return 'clang';
  return 'gcc';
}

/** An error inside a system header is about the line of ours that led there. */
function instantiatedFrom(lines: readonly string[], at: number, where: Place | undefined): Place[] {
  if (where === undefined || isOwn(where)) return [];
  const from = lastBefore(lines.slice(Math.max(0, at - 40), at), Math.min(at, 40), (line) =>
    /required from here$|^\s*from |^In file included from/.test(line),
  );
  const found = from === undefined ? undefined : placeOf(lines[Math.max(0, at - 40) + from] ?? '');
  return found === undefined ? [] : [found];
}

/** ruff since 0.13: the rule in one line, the place under it. */
function arrowed(lines: readonly string[], at: number): Sighting | undefined {
  const message = /^(?:[A-Z]{1,6}\d{2,4}|invalid-syntax:?) .+$/.exec(lines[at - 1] ?? '')?.[0];
  const [, file, line, column] = /^ +--> (.+):(\d+):(\d+)$/.exec(lines[at] ?? '') ?? [];
  if (message === undefined || file === undefined) return undefined;
  return {
    at: at - 1,
    tool: 'ruff',
    message: [message],
    places: [place(file, line, column)],
    excerpt: excerptOf(
      linesUntil(lines, at + 1, (text) => text === '', 12).filter((text) => !/^\s*\|$/.test(text)),
      8,
    ),
  };
}
