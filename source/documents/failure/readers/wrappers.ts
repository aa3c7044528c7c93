import {excerptOf, linesUntil} from '../block-of.ts';
import {place} from '../place.ts';
import type {Sighting} from '../sighting.ts';

/** make: which recipe failed, and what it printed before. */
export function readMake(lines: readonly string[]): Sighting | undefined {
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
    places: found === undefined ? [] : [place(found, own === undefined ? number : ownNumber)],
    excerpt: before,
  };
}

/** npm's own words, without its wrapper around a script that failed. */
export function readNpm(lines: readonly string[]): Sighting | undefined {
  const at = lines.findIndex((line) => /^npm (?:error|ERR!)/.test(line));
  if (at === -1) return undefined;
  const said = linesUntil(lines, at, (line) => !/^npm (?:error|ERR!)/.test(line), 40).map((line) =>
    line.replace(/^npm (?:error|ERR!) ?/, ''),
  );
  const told = said.filter(
    (line) =>
      !/^(?:code|path|command|workspace|location|errno|syscall|A complete log|Lifecycle script|This is probably not)\b/.test(
        line,
      ),
  );
  const start = Math.max(
    told.findIndex((line) => line !== ''),
    0,
  );
  const gap = told.indexOf('', start);
  const message = told.slice(start, gap === -1 ? undefined : gap).slice(0, 6);
  const before = lines.slice(Math.max(0, at - 6), at).filter((line) => line !== '');
  return {
    at,
    tool: 'npm',
    message,
    places: [],
    excerpt: before.length > 0 || gap === -1 ? before : excerptOf(told.slice(gap), 6),
  };
}

/** Gradle's own words about a build that failed. */
export function readGradleBuild(lines: readonly string[]): Sighting | undefined {
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
    places: file === undefined ? [] : [place(file, line)],
    excerpt: [],
  };
}
