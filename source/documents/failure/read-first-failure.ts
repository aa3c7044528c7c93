import {sanitizeText} from '../../base/index.ts';
import {fitText} from './fit-text.ts';
import {bestPlace, relativeTo, withSlash} from './place.ts';
import {plainLinesOf} from './plain-lines-of.ts';
import {readAva} from './readers/ava.ts';
import {readCargoTest, readRustc} from './readers/rust.ts';
import {readDiagnostic} from './readers/diagnostics.ts';
import {readEslintStylish} from './readers/eslint.ts';
import {readGo} from './readers/go.ts';
import {readGradle, readJunit, readSurefire} from './readers/java.ts';
import {readJest} from './readers/jest.ts';
import {readJunitXml} from './readers/junit-xml.ts';
import {readGradleBuild, readMake, readNpm} from './readers/wrappers.ts';
import {readMocha} from './readers/mocha.ts';
import {readNodeTest} from './readers/node-test.ts';
import {readPhpunit} from './readers/phpunit.ts';
import {readPytest} from './readers/pytest.ts';
import {readRspec} from './readers/ruby.ts';
import {readStackTrace} from './readers/stack-traces.ts';
import {readTap} from './readers/tap.ts';
import {readErrorLine, readTail} from './readers/unknown.ts';
import {readUnittest} from './readers/unittest.ts';
import {readVitest} from './readers/vitest.ts';
import type {FailureReader, Sighting} from './sighting.ts';

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
  /** A few lines. */
  readonly excerpt: readonly string[];
  /** What an agent gets: all of the above, short, plain and safe to print. */
  readonly text: string;
};

export type FirstFailureOptions = {
  /** @default 300 */
  readonly mostTokens?: number;
  /** The project's directory: paths below it are written relative to it, and frames outside of it count as foreign. */
  readonly root?: string;
};

/**
 * From the strongest evidence to the weakest: what test runners and compilers say of a failure, then stack traces (a
 * test may print one and pass), then wrappers and lines that speak of an error. In one rank the earliest line wins.
 */
const ranks: readonly (readonly FailureReader[])[] = [
  [
    readVitest,
    readJest,
    readMocha,
    readAva,
    readNodeTest,
    readTap,
    readJunitXml,
    readPytest,
    readUnittest,
    readGo,
    readCargoTest,
    readRustc,
    readJunit,
    readSurefire,
    readGradle,
    readRspec,
    readPhpunit,
    readEslintStylish,
    readDiagnostic,
  ],
  [readStackTrace],
  [readGradleBuild, readErrorLine, readMake, readNpm],
];

/** The first failing test or error of a log, and nothing else of it. Never throws; takes time in proportion to the log. */
export function readFirstFailure(log: string, options: FirstFailureOptions = {}): FirstFailure {
  const {mostTokens = 300} = options;
  // Everything is below `/`: nothing would be left to tell ours from others.
  const root = options.root === '' || options.root === '/' ? undefined : options.root;
  const lines = plainLinesOf(log);
  const sighting = firstOf(lines) ?? readTail(lines);
  const below =
    root === undefined
      ? undefined
      : new RegExp(
          `(?<![\\w./~@-])(?:file://)?${withSlash(root).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
          'g',
        );
  const clean = (line: string): string =>
    sanitizeText(below === undefined ? line : line.replaceAll(below, ''))
      .slice(0, mostLineLength)
      .toWellFormed();
  const found = bestPlace(sighting.places, root);
  const test = sighting.test === undefined ? undefined : clean(sighting.test);
  const file = found === undefined ? undefined : clean(relativeTo(root, found.file));
  const message = sighting.message.slice(0, mostMessageLines).map(clean).join('\n').trim();
  const excerpt = sighting.excerpt.map(clean);
  const where = [file, found?.line, found?.line === undefined ? undefined : found.column]
    .filter((part) => part !== undefined)
    .join(':');
  const head = [
    `${sighting.tool}${test === undefined ? '' : `: ${test}`}`,
    ...(where === '' ? [] : [`at ${where}`]),
    ...(message === '' ? [] : [message]),
  ];
  return {
    tool: sighting.tool,
    ...(test !== undefined && {test}),
    message,
    ...(file !== undefined && {file}),
    ...(found?.line !== undefined && {line: found.line}),
    ...(found?.column !== undefined && {column: found.column}),
    excerpt,
    text: fitText(
      excerpt.length === 0 ? head : [...head, '', ...excerpt],
      Number.isNaN(mostTokens) ? 300 : mostTokens,
    ),
  };
}

const mostLineLength = 300;
const mostMessageLines = 8;

function firstOf(lines: readonly string[]): Sighting | undefined {
  for (const readers of ranks) {
    const sightings = readers.flatMap((read) => read(lines) ?? []);
    // The sort is stable: of two at the same line the earlier in the table wins.
    const [first] = sightings.toSorted((a, b) => a.at - b.at);
    if (first !== undefined) return first;
  }

  return undefined;
}
