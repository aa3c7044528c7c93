import {sanitizeText} from '../../shared/index.ts';
import {bestPlace, relativeTo, withSlash} from '../failure-match.ts';
import {parseBlock, toPlainLines} from '../log-lines.ts';
import {
  type FirstFailure,
  type FirstFailureOptions,
  fitText,
  parseFirstFailure,
} from '../parse-first-failure.ts';
import {parseAnnotations} from './parse-annotations.ts';
import {parseDiagnosticJson, parseDiagnosticLines} from './parse-diagnostic-json.ts';
import {parseReportLog, parseTestJson} from './parse-test-json.ts';
import {parseXmlReport} from './parse-xml-report.ts';
import {parseJsonLines, textIn, tryParseJson} from './json-value.ts';
import {type CheckReport, type ReportFailure, maxReportFailures} from './check-report.ts';

/**
 * Parses the report file of a test runner or a linter, recognised by its content. Undefined for any
 * other text. Never throws, and takes linear time.
 */
export function parseCheckReport(text: string): CheckReport | undefined {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (content.startsWith('<')) return parseXmlReport(content);
  if (content.startsWith('{') || content.startsWith('[')) {
    const value = tryParseJson(content);
    const report =
      value === undefined ? undefined : (parseTestJson(value) ?? parseDiagnosticJson(value));
    // Linters write an empty list when nothing is wrong.
    if (report === undefined && Array.isArray(value) && value.length === 0) return noFailures;
    return (
      report ?? parseGoEvents(content) ?? parseReportLog(content) ?? parseDiagnosticLines(content)
    );
  }

  return parseAnnotations(content) ?? parseTapReport(content);
}

const noFailures: CheckReport = {failures: [], failed: 0, isWhole: true};

/** The first failure of a report in the form of a log's first failure. */
export function toFirstFailure(
  failure: ReportFailure,
  {maxTokens = 300, root}: FirstFailureOptions = {},
): FirstFailure {
  const details = toPlainLines((failure.details ?? '').slice(0, maxDetails));
  const block = parseBlock(details);
  const own = failure.message.trim() === '' ? [] : toPlainLines(failure.message.trim());
  const message = (own.length === 0 ? block.message : own).slice(0, maxMessageLines);
  const {place: named, isTestPlace = false} = failure;
  const places = isTestPlace
    ? [...block.places, ...(named === undefined ? [] : [named])]
    : [...(named === undefined ? [] : [named]), ...block.places];
  const found = bestPlace(places, root);
  const prefix = root === undefined || root === '' || root === '/' ? undefined : withSlash(root);
  const clean = (line: string): string =>
    sanitizeText(prefix === undefined ? line : line.replaceAll(prefix, ''))
      .slice(0, maxLineLength)
      .toWellFormed();
  const file = found === undefined ? undefined : clean(relativeTo(root, found.file));
  const test = failure.test === undefined ? undefined : clean(failure.test.replaceAll(/\s+/g, ' '));
  const where = [file, found?.line, found?.line === undefined ? undefined : found.column]
    .filter((part) => part !== undefined)
    .join(':');
  const shown = message.map(clean);
  const rest = own.length === 0 ? block.excerpt : [...block.message, ...block.excerpt];
  const excerpt = rest.map(clean).filter((line) => line === '' || !shown.includes(line));
  const head = [
    `${failure.tool}${test === undefined ? '' : `: ${test}`}`,
    ...(where === '' ? [] : [`at ${where}`]),
    ...shown,
  ];
  return {
    tool: failure.tool,
    ...(test !== undefined && {test}),
    message: shown.join('\n'),
    ...(file !== undefined && {file}),
    ...(found?.line !== undefined && {line: found.line}),
    ...(found?.column !== undefined && {column: found.column}),
    excerpt,
    confidence: 'found',
    text: fitText(
      excerpt.some((line) => line !== '') ? [...head, '', ...excerpt] : head,
      Number.isNaN(maxTokens) ? 300 : maxTokens,
    ),
  };
}

const maxDetails = 64 * 1024;
const maxMessageLines = 8;
const maxLineLength = 300;

/**
 * The names of all failures, sorted, which do not change when lines move. Undefined if some are
 * missing: an incomplete list would let a new failure pass for an old one.
 */
export function toFailedNames(
  reports: readonly CheckReport[],
  {root}: {readonly root?: string} = {},
): readonly string[] | undefined {
  if (reports.some(({isWhole, failed, failures}) => !isWhole || failed > failures.length))
    return undefined;
  const prefix = root === undefined || root === '' || root === '/' ? undefined : withSlash(root);
  const seen = new Map<string, number>();
  const names = reports
    .flatMap(({failures}) => failures)
    .map(({tool, test = '', message, place}) => {
      const isTest = testTools.has(tool);
      const parts = isTest ? [test] : [place?.file ?? '', test, message.split('\n')[0] ?? ''];
      const text = parts.filter((part) => part !== '').join(' ');
      const name = sanitizeText(prefix === undefined ? text : text.replaceAll(prefix, ''))
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, maxNameLength)
        .toWellFormed();
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return count === 1 ? name : `${name} (${count})`;
    });
  const isNamed = names.every((name) => name !== '');
  return names.length === 0 || names.length > maxReportFailures || !isNamed
    ? undefined
    : names.toSorted();
}

const maxNameLength = 200;
const testTools: ReadonlySet<string> = new Set([
  'junit-xml',
  'jest',
  'vitest',
  'mocha',
  'pytest',
  'rspec',
  'playwright',
  'go test',
  'tap',
]);

/**
 * `go test -json`. The log reader knows what `go test` prints; the names come from the events. A
 * package that does not build has no list of its tests, so the report is never whole.
 */
function parseGoEvents(text: string): CheckReport | undefined {
  const names: string[] = [];
  const output: string[] = [];
  let isReport = false;
  for (const value of parseJsonLines(text)) {
    const action = textIn(value, 'Action');
    if (action === '' || textIn(value, 'Package') + textIn(value, 'ImportPath') === '') continue;
    isReport = true;
    if (action === 'output' || action === 'build-output') output.push(textIn(value, 'Output'));
    if (action === 'fail' || action === 'build-fail')
      names.push(
        [textIn(value, 'Package') || textIn(value, 'ImportPath'), textIn(value, 'Test')]
          .filter((part) => part !== '')
          .join(' '),
      );
  }

  if (!isReport) return undefined;
  return fromLog(output.join(''), 'go test', names, false);
}

/** TAP of any producer. The log reader knows the format. */
function parseTapReport(text: string): CheckReport | undefined {
  if (!/^(?:TAP version \d+|1\.\.\d+|(?:not )?ok \d+)/m.test(text.slice(0, 4096))) return undefined;
  const names: string[] = [];
  for (const match of text.matchAll(/^not ok(?: \d{1,9})?(?: - | |$)(.{0,400})/gm)) {
    const name = (match[1] ?? '').trim();
    if (!/# (?:todo|skip)\b/i.test(name)) names.push(name.replace(/ # .*$| \{$/g, ''));
  }

  const isWhole = /^1\.\.\d+/m.test(text);
  return fromLog(text, 'tap', names, isWhole);
}

function fromLog(
  text: string,
  tool: string,
  names: readonly string[],
  isWhole: boolean,
): CheckReport {
  const failed = names.length;
  const others = names.slice(1, maxReportFailures).map((test) => ({tool, test, message: ''}));
  if (failed === 0) return {failures: [], failed, isWhole};
  const first = parseFirstFailure(text, {maxTokens: Number.POSITIVE_INFINITY});
  const {test, message, file, line, column, excerpt} = first;
  return {
    failures: [
      {
        tool,
        ...(test === undefined ? {test: names[0] ?? ''} : {test}),
        message,
        details: excerpt.join('\n'),
        ...(file !== undefined && {
          place: {
            file,
            ...(line !== undefined && {line}),
            ...(column !== undefined && {column}),
          },
        }),
      },
      ...others,
    ],
    failed,
    isWhole,
  };
}
