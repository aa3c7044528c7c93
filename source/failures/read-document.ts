import type {FailureMatch} from './failure-match.ts';
import {parseBlock, toPlainLines} from './log-lines.ts';
import type {CheckReport, ReportFailure} from './reports/check-report.ts';
import {tryParseJson} from './reports/json-value.ts';
import {parseDiagnosticJson, parseDiagnosticLines} from './reports/parse-diagnostic-json.ts';
import {parseReportLog, parseTestJson} from './reports/parse-test-json.ts';
import {parseXmlReport} from './reports/parse-xml-report.ts';

/** A report inside a log, and the offset of its first character. */
export type DocumentMatch = {readonly match: FailureMatch; readonly offset: number};

/**
 * The first failure of a report that a tool printed instead of text (`eslint -f json`, `jest
 * --json`, Checkstyle). Undefined when the log has no such document, or one without failures.
 */
export function readDocument(log: string): DocumentMatch | undefined {
  let tried = 0;
  for (const {index: offset} of log.matchAll(opening)) {
    tried += 1;
    const failure = parseDocument(log, offset)?.failures[0];
    if (failure !== undefined) return {match: toMatch(failure), offset};
    if (tried === maxDocuments || offset > maxOffset) break;
  }

  return undefined;
}

const maxDocuments = 4;
/** How far from the beginning of the log a document may begin. */
const maxOffset = 256 * 1024;

/**
 * The first lines of documents: a list, an object with a key, XML that is not JUnit's (which has a
 * reader of its own).
 */
const opening =
  /^(?:\[(?=\s*(?:\{|$))|\{(?=\s*(?:"|$))|<\?xml(?=[^>]{0,200}\?>\s{0,9}<(?!testsuite)))/gm;

function parseDocument(log: string, offset: number): CheckReport | undefined {
  const first = log[offset];
  if (first === '<') return parseXmlReport(log.slice(offset));
  const newline = log.indexOf('\n', offset);
  const line = log.slice(offset, newline === -1 ? undefined : newline);
  const close = first === '[' ? ']' : '}';
  // On one line, up to a bracket alone on its line, or up to the last bracket.
  const alone = log.indexOf(`\n${close}`, offset);
  const ends = [
    line.trimEnd().endsWith(close) ? offset + line.length : -1,
    alone === -1 ? -1 : alone + 2,
    log.lastIndexOf(close) + 1,
  ];
  for (const end of new Set(ends.filter((each) => each > offset))) {
    const value = tryParseJson(log.slice(offset, end));
    const report =
      value === undefined ? undefined : (parseTestJson(value) ?? parseDiagnosticJson(value));
    if (report !== undefined) return report;
    // A line that is a value of its own: one object on each line.
    if (value !== undefined && first === '{' && end === offset + line.length)
      return parseReportLog(log.slice(offset)) ?? parseDiagnosticLines(log.slice(offset));
  }

  return undefined;
}

function toMatch(failure: ReportFailure): FailureMatch {
  const {tool, test, place, isTestPlace = false} = failure;
  const block = parseBlock(toPlainLines((failure.details ?? '').slice(0, maxDetails)));
  const own = toPlainLines(failure.message.trim()).filter((line) => line.trim() !== '');
  const named = place === undefined ? [] : [place];
  return {
    at: 0,
    tool,
    ...(test !== undefined && {test: test.replaceAll(/\s+/g, ' ')}),
    message: own.length === 0 ? block.message : own,
    places: isTestPlace ? [...block.places, ...named] : [...named, ...block.places],
    excerpt: [...(own.length === 0 ? [] : block.message), ...block.excerpt].filter(
      (line) => !own.includes(line),
    ),
  };
}

const maxDetails = 64 * 1024;
