import type {FailureMatch, FailureReader} from './failure-match.ts';
import {parseAva, parseJest, parseMocha, parseNodeTest, parseVitest} from './readers/javascript.ts';
import {parseCargoTest, parseGo, parseRustc} from './readers/native.ts';
import {parseDiagnostic, parseEslintStylish} from './readers/diagnostics.ts';
import {parseGradle, parseJunit, parseJunitXml, parseSurefire} from './readers/jvm.ts';
import {parseErrorLine, parseGradleBuild, parseMake, parseNpm} from './readers/fallback.ts';
import {parsePhpunit, parseRspec} from './readers/ruby-php.ts';
import {parsePytest, parseUnittest} from './readers/python.ts';
import {parseStackTrace} from './readers/stack-traces.ts';
import {parseTap} from './readers/tap.ts';
import {findBlockPlaces} from './structure/slots.ts';
import {withoutTolerated} from './tolerated-lines.ts';
import {readStructure, type StructureMatch} from './structure/read-structure.ts';

/** A failure, and how sure it is. */
export type ReadMatch = FailureMatch & {
  readonly confidence: 'found' | 'likely' | 'end-of-log';
  /** Of several streams the one with the strongest evidence failed. */
  readonly strength: number;
};

const runners: readonly FailureReader[] = [
  parseVitest,
  parseJest,
  parseMocha,
  parseAva,
  parseNodeTest,
  parseTap,
  parseJunitXml,
  parsePytest,
  parseUnittest,
  parseGo,
  parseCargoTest,
  parseJunit,
  parseSurefire,
  parseGradle,
  parseRspec,
  parsePhpunit,
];
const compilers: readonly FailureReader[] = [parseRustc, parseEslintStylish, parseDiagnostic];
const wrappers: readonly FailureReader[] = [parseGradleBuild, parseErrorLine, parseMake, parseNpm];

/**
 * The first failure of one stream. Readers of known tools and the reader of structure both look at
 * it; the earlier failure wins, and where both found the same one, the reader that knows the tool.
 */
export function readStream(lines: readonly string[]): ReadMatch | undefined {
  // When nothing else failed, what did not count is still the best evidence.
  return readLines(withoutTolerated(lines)) ?? readLines(lines);
}

function readLines(lines: readonly string[]): ReadMatch | undefined {
  const [structure, next] = readStructure(lines);
  const runner = earliest(runners, lines);
  const compiler = earliest(compilers, lines);
  const known = pickEarlier(runner, compiler);
  // A compiler's error before the tests of a known runner is a failure of its own.
  const isBeforeTests = runner !== undefined && known === compiler;
  if (known !== undefined && (isBeforeTests || !isEarlier(structure, known, known === runner)))
    return {...withPlaces(known), confidence: 'found', strength: 3};
  const trace = earliest([parseStackTrace], lines);
  if (structure === undefined || isSame(structure, trace))
    return trace === undefined ? undefined : {...trace, confidence: 'found', strength: 2};
  if (isStrong(structure))
    return {...filled(structure, lines), confidence: 'found', strength: strengthOf(structure)};
  if (trace !== undefined) return {...trace, confidence: 'found', strength: 2};
  if (structure.kind === 'wrapper' || structure.kind === 'word') {
    const other = earliest(wrappers, lines);
    if (other !== undefined && other.tool !== 'unknown')
      return {...other, confidence: 'likely', strength: 1};
  }

  return {...withNext(filled(structure, lines), next), confidence: 'likely', strength: 1};
}

function strengthOf({kind, places}: StructureMatch): number {
  if (kind === 'failed') return 3;
  return kind === 'crash' || places.some(({line}) => line !== undefined) ? 2.5 : 1.5;
}

function earliest(
  readers: readonly FailureReader[],
  lines: readonly string[],
): FailureMatch | undefined {
  // The sort is stable: of two matches on the same line the first reader of the table wins.
  return readers.flatMap((read) => read(lines) ?? []).toSorted((a, b) => a.at - b.at)[0];
}

function pickEarlier(
  runner: FailureMatch | undefined,
  compiler: FailureMatch | undefined,
): FailureMatch | undefined {
  if (runner === undefined || compiler === undefined) return runner ?? compiler;
  return compiler.at < runner.at ? compiler : runner;
}

function isStrong({kind}: StructureMatch): boolean {
  return kind === 'failed' || kind === 'crash' || kind === 'error' || kind === 'statement';
}

/** Whether structure shows a failure before the one that a reader found, or more of the same. */
function isEarlier(
  structure: StructureMatch | undefined,
  known: FailureMatch,
  isRunner: boolean,
): structure is StructureMatch {
  if (structure === undefined) return false;
  if (isRunner && isSameTest(structure, known)) return false;
  if (isRunner && structure.places.length === 0 && known.places.length > 0) return false;
  if (isRunner) return structure.at < known.at - 1 && isTestOrPlaced(structure);
  // A compiler's line inside the block of a failed test is its place.
  return (
    structure.kind === 'failed' && structure.at <= known.at + 40 && known.at <= structure.end + 40
  );
}

/** Both name the test; the reader of the tool knows more about it. */
function isSameTest({test}: StructureMatch, known: FailureMatch): boolean {
  const name = known.test?.split(/[.\s>›:]+/).at(-1) ?? '';
  return name.length > 2 && test?.includes(name) === true;
}

function isTestOrPlaced({kind, places}: StructureMatch): boolean {
  return kind === 'failed' || kind === 'crash' || (kind === 'error' && places.length > 0);
}

function isSame(structure: StructureMatch, trace: FailureMatch | undefined): boolean {
  return (
    trace !== undefined &&
    structure.kind !== 'failed' &&
    trace.at <= structure.at + 3 &&
    structure.at - trace.at < 12
  );
}

/** A place that the reader of the tool does not know the form of. */
function withPlaces(match: FailureMatch): FailureMatch {
  return match.places.length > 0
    ? match
    : {...match, places: findBlockPlaces('', [...match.message, ...match.excerpt], undefined)};
}

/** A short block is followed by what comes after it, for what the structure did not show. */
function filled(match: StructureMatch, lines: readonly string[]): StructureMatch {
  const size = match.message.length + match.excerpt.length;
  const rest = lines.slice(match.end + 1, match.end + 1 + Math.max(0, minLines - size));
  while (rest.at(-1)?.trim() === '') rest.pop();
  return rest.length === 0 ? match : {...match, excerpt: [...match.excerpt, '', ...rest]};
}

const minLines = 12;

/** When not sure, the next best block is shown as well. */
function withNext(match: StructureMatch, next: StructureMatch | undefined): FailureMatch {
  if (next === undefined) return match;
  return {
    ...match,
    excerpt: [...match.excerpt.slice(0, 12), '', ...next.message, ...next.excerpt.slice(0, 8)],
  };
}
