import {
  dedented,
  firstFrom,
  lastBefore,
  linesUntil,
  maxExcerptLines,
  parseBlock,
} from '../log-lines.ts';
import {type FailureMatch, toPlace} from '../failure-match.ts';

/**
 * The first `<failure>` or `<error>` of a printed JUnit report; the `<testcase>` before it has the
 * name.
 */
export function parseJunitXml(lines: readonly string[]): FailureMatch | undefined {
  const at = lines.findIndex((line) =>
    /^\s*(?:<testcase\b[^>]*>\s*)?<(?:failure|error)(?: message| type|>)/.test(line),
  );
  const testcase =
    at === -1 ? undefined : lastBefore(lines, at + 1, (line) => /^\s*<testcase\b/.test(line));
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
  const block = parseBlock(
    body.map((line, index) =>
      unescaped(index === 0 ? line.replace(/^\s*(?:<testcase\b[^>]*>\s*)?<\w+[^>]*>/, '') : line),
    ),
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
    excerpt: [...block.message, ...block.excerpt].slice(0, maxExcerptLines),
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

/** JUnit's own console (5) and text runner (4). */
export function parseJunit(lines: readonly string[]): FailureMatch | undefined {
  const list = lines.findIndex((line) => /^Failures \(\d+\):$/.test(line));
  const platform =
    list === -1 ? undefined : firstFrom(lines, list + 1, (line) => /^ {2}\S.*:/.test(line), 3);
  if (platform !== undefined) {
    const body = dedented(linesUntil(lines, platform + 1, (line) => /^ {0,2}\S/.test(line)));
    const error = body.findIndex((line) => line.startsWith('=> '));
    const block = parseBlock(
      body.slice(Math.max(error, 0)).map((line) => line.replace(/^=> |^ {3}(?=\S)/, '')),
    );
    const drawn = lastBefore(lines, list, (line) => line === '╷') ?? list;
    return {
      at: drawn,
      tool: 'junit',
      test: (lines[platform] ?? '').trim().replace(/^JUnit \w+:/, ''),
      ...block,
      excerpt: block.excerpt.filter((line) => line !== '[...]'),
    };
  }

  const entry = lines.findIndex(
    (line, index) =>
      /^1\) \w+\([\w.$]+\)$/.test(line) &&
      /^There (?:was|were) \d+ failures?:$/.test(lines[index - 1] ?? ''),
  );
  if (entry === -1) return undefined;
  const test = (lines[entry] ?? '').replace(/^1\) (\w+)\((.+)\)$/, '$2.$1');
  return {
    at: lastBefore(lines, entry, (line) => line.startsWith('JUnit version ')) ?? entry,
    tool: 'junit',
    test,
    ...parseBlock(linesUntil(lines, entry + 1, (line) => line === '' || /^\d+\) /.test(line))),
  };
}

/** Maven: `twoAndTwo(com.acme.CartTest)  Time elapsed: 0.01 s  <<< FAILURE!` */
export function parseSurefire(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').replace(/^\[ERROR\] +/, '');
    const elapsed = line.indexOf('Time elapsed: ');
    if (elapsed === -1 || line.startsWith('Tests run:') || !/<<< (?:FAILURE|ERROR)!$/.test(line))
      continue;
    const name = line
      .slice(0, elapsed)
      .trimEnd()
      .replace(/ --$/, '')
      .replace(/^([\w[\]]+)\((.+)\)$/, '$2.$1');
    const inClass = /<<< \w+! -+ in (\S+)$/.exec(
      lines[lastBefore(lines, at, (before) => before.includes('<<< ')) ?? -1] ?? '',
    )?.[1];
    const test = name.includes('.') || inClass === undefined ? name : `${inClass}.${name}`;
    const body = linesUntil(
      lines,
      at + 1,
      (next) => next === '' || /^\[(?:ERROR|INFO|WARNING)\]/.test(next),
    );
    const header = lastBefore(lines, at, (before) => before.includes('T E S T S')) ?? at;
    return {at: header, tool: 'maven', test, ...parseBlock(body)};
  }

  return undefined;
}

/** Gradle: `com.acme.CartTest > twoAndTwo FAILED`, with the whole trace or only its first line. */
export function parseGradle(lines: readonly string[]): FailureMatch | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const test = /^(\S.* > .+) FAILED$/.exec(lines[at] ?? '')?.[1];
    if (test === undefined || !/^ {4}\S/.test(lines[at + 1] ?? '')) continue;
    const body = linesUntil(lines, at + 1, (line) => line !== '' && !/^\s/.test(line), 100);
    const [, file, line] = /^\s+[\w.$]+ at (\w+\.\w+):(\d+)$/.exec(body[0] ?? '') ?? [];
    const block = parseBlock(body);
    return {
      at,
      tool: 'gradle',
      test,
      ...block,
      places: file === undefined ? block.places : [toPlace(file, line)],
    };
  }

  return undefined;
}
