import {blockOf, linesUntil} from '../block-of.ts';
import {place, placeOf} from '../place.ts';
import type {Place, Sighting} from '../sighting.ts';

/** RSpec's numbered list under `Failures:`, files that do not load, and Minitest's list. */
export function readRspec(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const file =
      /^An error occurred (?:while loading|in an? `\S+` hook for) (\S+?)\.?(?: - .*)?$/.exec(
        line,
      )?.[1];
    if (file !== undefined) return unloaded(lines, at, file);
    if (line === 'Failures:') {
      const test = /^ {2}1\) (.+)$/.exec(lines[at + 2] ?? '')?.[1];
      if (test !== undefined)
        return {at, tool: 'rspec', test, ...said(linesUntil(lines, at + 3, isEnd))};
    }

    if (/^ {2}1\) (?:Failure|Error):$/.test(line)) return minitest(lines, at);
  }

  return undefined;
}

function isEnd(line: string): boolean {
  return /^(?: {2}\d+\) |Finished in |No examples found|\d+ examples?,)/.test(line);
}

/** `Failure/Error:` shows the code; what is wrong with it comes after an empty line. */
function said(body: readonly string[]): Pick<Sighting, 'message' | 'places' | 'excerpt'> {
  const trimmed = body.map((line) => line.replace(/^ {5}/, ''));
  const code = trimmed.findIndex((line) => line.startsWith('Failure/Error:'));
  const gap = trimmed.indexOf('', code);
  const block = blockOf(trimmed.slice(gap === -1 ? code + 1 : gap));
  const shown = trimmed.slice(Math.max(code, 0), gap === -1 ? code + 1 : gap).slice(0, 4);
  return {
    message: block.message.length === 0 ? shown : block.message.map((line) => line.trim()),
    places: block.places,
    excerpt: [...shown, ...block.excerpt].filter((line) => line !== '').slice(0, 14),
  };
}

function unloaded(lines: readonly string[], at: number, file: string): Sighting {
  const found = said(linesUntil(lines, at + 1, isEnd));
  const spoken: Place[] = found.message.slice(0, 3).flatMap((line) => placeOf(line) ?? []);
  return {at, tool: 'rspec', ...found, places: [...spoken, ...found.places, place(file)]};
}

function minitest(lines: readonly string[], at: number): Sighting {
  const [, test, file, line] = /^(\S+)(?: \[(.+):(\d+)\])?:$/.exec(lines[at + 1] ?? '') ?? [];
  const block = blockOf(
    linesUntil(lines, at + 2, (text) => /^(?: {2}\d+\) |\d+ runs,)/.test(text)),
  );
  return {
    at,
    tool: 'minitest',
    ...(test !== undefined && {test}),
    ...block,
    places: file === undefined ? block.places : [place(file, line), ...block.places],
  };
}
