import {blockOf, linesUntil} from '../block-of.ts';
import type {Sighting} from '../sighting.ts';
import {lastBefore} from './scan.ts';

/** The first `<failure>` or `<error>` of a JUnit report that was printed; the `<testcase>` before it has the name. */
export function readJunitXml(lines: readonly string[]): Sighting | undefined {
  const at = lines.findIndex((line) => /^\s*<(?:failure|error)\b/.test(line));
  const testcase =
    at === -1 ? undefined : lastBefore(lines, at, (line) => /^\s*<testcase\b/.test(line));
  if (testcase === undefined) return undefined;
  const opening = lines[at] ?? '';
  const [name, group] = [
    attribute(lines[testcase] ?? '', 'name'),
    attribute(lines[testcase] ?? '', 'classname'),
  ];
  const body = linesUntil(
    lines,
    at,
    (line) => line.includes('</failure>') || line.includes('</error>'),
  );
  const block = blockOf(
    body.map((line, index) => unescaped(index === 0 ? line.replace(/^\s*<\w+[^>]*>/, '') : line)),
  );
  const message = attribute(opening, 'message');
  const header = lastBefore(lines, testcase, (line) => /^\s*<\?xml\b/.test(line)) ?? testcase;
  return {
    at: header,
    tool: 'junit-xml',
    test: [group, name]
      .filter((part) => part !== undefined && part !== '' && part !== 'test')
      .join(' > '),
    message: message === undefined || message === '' ? block.message : [message],
    places: block.places,
    excerpt: [...block.message, ...block.excerpt].slice(0, 12),
  };
}

function attribute(line: string, name: string): string | undefined {
  const value = line.split(` ${name}="`)[1]?.split('"')[0];
  return value === undefined ? undefined : unescaped(value);
}

function unescaped(text: string): string {
  return text.replaceAll(
    /&(lt|gt|quot|apos|amp|#10|#13);/g,
    (_, name: string) => entities[name] ?? '',
  );
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  '#10': ' ',
  '#13': '',
};
