import {blockOf, dedented, linesUntil} from '../block-of.ts';
import {place} from '../place.ts';
import type {Sighting} from '../sighting.ts';
import {firstFrom, lastBefore} from './scan.ts';

/** JUnit's own console (5) and text runner (4). */
export function readJunit(lines: readonly string[]): Sighting | undefined {
  const list = lines.findIndex((line) => /^Failures \(\d+\):$/.test(line));
  const platform =
    list === -1 ? undefined : firstFrom(lines, list + 1, (line) => /^ {2}\S.*:/.test(line), 3);
  if (platform !== undefined) {
    const body = dedented(linesUntil(lines, platform + 1, (line) => /^ {0,2}\S/.test(line)));
    const error = body.findIndex((line) => line.startsWith('=> '));
    const block = blockOf(
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
    ...blockOf(linesUntil(lines, entry + 1, (line) => line === '' || /^\d+\) /.test(line))),
  };
}

/** Maven: `twoAndTwo(com.acme.CartTest)  Time elapsed: 0.01 s  <<< FAILURE!` */
export function readSurefire(lines: readonly string[]): Sighting | undefined {
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
    return {at: header, tool: 'maven', test, ...blockOf(body)};
  }

  return undefined;
}

/** Gradle: `com.acme.CartTest > twoAndTwo FAILED`, with the whole trace or only its first line. */
export function readGradle(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const test = /^(\S.* > .+) FAILED$/.exec(lines[at] ?? '')?.[1];
    if (test === undefined || !/^ {4}\S/.test(lines[at + 1] ?? '')) continue;
    const body = linesUntil(lines, at + 1, (line) => line !== '' && !/^\s/.test(line), 100);
    const [, file, line] = /^\s+[\w.$]+ at (\w+\.\w+):(\d+)$/.exec(body[0] ?? '') ?? [];
    const block = blockOf(body);
    return {
      at,
      tool: 'gradle',
      test,
      ...block,
      places: file === undefined ? block.places : [place(file, line)],
    };
  }

  return undefined;
}
