import {createFailureCollector, type CheckReport, type ReportFailure} from './check-report.ts';
import {
  fieldOf,
  hasFields,
  isObject,
  listIn,
  parseJsonLines,
  positionIn,
  textIn,
  toCodePlace,
} from './json-value.ts';

/**
 * JSON reports of test runners: jest and vitest, mocha, pytest (json-report), RSpec, Playwright.
 * Undefined for any other value.
 */
export function parseTestJson(value: unknown): CheckReport | undefined {
  const format = formats.find(({isMatch}) => isMatch(value));
  if (format === undefined) return undefined;
  const collector = createFailureCollector();
  for (const failure of format.failures(value)) collector.add(failure);
  return collector.toReport(true);
}

type TestFormat = {
  readonly isMatch: (value: unknown) => boolean;
  readonly failures: (value: unknown) => Iterable<ReportFailure>;
};

const formats: readonly TestFormat[] = [
  {
    isMatch: (value) => hasFields(value, 'testResults') && hasFields(value, 'numFailedTests'),
    failures: jestFailures,
  },
  {
    isMatch: (value) => hasFields(value, 'stats', 'failures') && hasFields(value, 'passes'),
    failures: mochaFailures,
  },
  {isMatch: (value) => hasFields(value, 'tests', 'summary', 'exitcode'), failures: pytestFailures},
  {isMatch: (value) => hasFields(value, 'examples', 'summary'), failures: rspecFailures},
  {
    isMatch: (value) => hasFields(value, 'suites', 'config') && isObject(fieldOf(value, 'config')),
    failures: playwrightFailures,
  },
];

/** Vitest writes the same format; only jest counts suites that could not run. */
function* jestFailures(value: unknown): Generator<ReportFailure> {
  const tool = hasFields(value, 'numRuntimeErrorTestSuites') ? 'jest' : 'vitest';
  for (const suite of listIn(value, 'testResults')) {
    const file = textIn(suite, 'name') || textIn(suite, 'testFilePath');
    const tests = listIn(suite, 'assertionResults').filter(
      (test) => textIn(test, 'status') === 'failed',
    );
    for (const test of tests) {
      const details = listIn(test, 'failureMessages')
        .filter((text) => typeof text === 'string')
        .join('\n');
      const names = [...listIn(test, 'ancestorTitles'), fieldOf(test, 'title')].filter(
        (name) => typeof name === 'string' && name !== '',
      );
      yield {
        tool,
        test: [file, names.join(' > ') || textIn(test, 'fullName')].join(' > '),
        message: '',
        details,
        ...toCodePlace(
          file,
          positionIn(test, 'location', 'line'),
          positionIn(test, 'location', 'column'),
        ),
        isTestPlace: true,
      };
    }

    // A file that could not be loaded has no tests.
    if (tests.length === 0 && textIn(suite, 'status') === 'failed')
      yield {
        tool,
        test: file,
        message: '',
        details: textIn(suite, 'message') || textIn(suite, 'failureMessage'),
        ...toCodePlace(file, undefined),
        isTestPlace: true,
      };
  }
}

function* mochaFailures(value: unknown): Generator<ReportFailure> {
  for (const test of listIn(value, 'failures')) {
    const stack = textIn(test, 'err', 'stack');
    yield {
      tool: 'mocha',
      test: textIn(test, 'fullTitle') || textIn(test, 'title'),
      message: stack === '' ? textIn(test, 'err', 'message') : '',
      details: stack,
      ...toCodePlace(textIn(test, 'file'), undefined),
      isTestPlace: true,
    };
  }
}

function* pytestFailures(value: unknown): Generator<ReportFailure> {
  // A module that cannot be imported stops everything, so it comes first.
  for (const collector of listIn(value, 'collectors'))
    if (textIn(collector, 'outcome') === 'failed')
      yield {
        tool: 'pytest',
        test: textIn(collector, 'nodeid'),
        message: '',
        details: textIn(collector, 'longrepr'),
      };
  for (const test of listIn(value, 'tests')) {
    if (!['failed', 'error'].includes(textIn(test, 'outcome'))) continue;
    const phase = ['setup', 'call', 'teardown']
      .map((name) => fieldOf(test, name))
      .find((found) => textIn(found, 'outcome') === 'failed');
    yield {
      tool: 'pytest',
      test: textIn(test, 'nodeid'),
      message: textIn(phase, 'crash', 'message'),
      details: textIn(phase, 'longrepr'),
      ...toCodePlace(textIn(phase, 'crash', 'path'), positionIn(phase, 'crash', 'lineno')),
    };
  }
}

function* rspecFailures(value: unknown): Generator<ReportFailure> {
  for (const text of listIn(value, 'messages'))
    if (typeof text === 'string' && /error occurred/i.test(text))
      yield {tool: 'rspec', message: '', details: text};
  for (const example of listIn(value, 'examples')) {
    if (textIn(example, 'status') !== 'failed') continue;
    const frames = listIn(example, 'exception', 'backtrace').filter(
      (line) => typeof line === 'string',
    );
    yield {
      tool: 'rspec',
      test: textIn(example, 'full_description'),
      message: [
        textIn(example, 'exception', 'class'),
        textIn(example, 'exception', 'message').trim(),
      ]
        .filter((part) => part !== '')
        .join(': '),
      details: frames
        .slice(0, maxFrames)
        .map((line) => `# ${line}`)
        .join('\n'),
      ...toCodePlace(textIn(example, 'file_path'), positionIn(example, 'line_number')),
      isTestPlace: true,
    };
  }
}

const maxFrames = 100;

function* playwrightFailures(value: unknown): Generator<ReportFailure> {
  for (const error of listIn(value, 'errors')) yield fromPlaywrightError('', error);
  for (const suite of listIn(value, 'suites')) yield* playwrightSuite(suite, []);
}

function* playwrightSuite(suite: unknown, titles: readonly string[]): Generator<ReportFailure> {
  const own = [...titles, textIn(suite, 'title')];
  for (const spec of listIn(suite, 'specs')) {
    if (fieldOf(spec, 'ok') !== false) continue;
    const error = listIn(spec, 'tests')
      .flatMap((test) => listIn(test, 'results'))
      .map((result) => fieldOf(result, 'error'))
      .find((found) => isObject(found));
    yield fromPlaywrightError([...own, textIn(spec, 'title')].join(' > '), error, spec);
  }

  if (own.length === maxDepth) return;
  for (const inner of listIn(suite, 'suites')) yield* playwrightSuite(inner, own);
}

const maxDepth = 50;

function fromPlaywrightError(test: string, error: unknown, spec?: unknown): ReportFailure {
  const stack = textIn(error, 'stack');
  const place = fieldOf(error, 'location') ?? spec;
  return {
    tool: 'playwright',
    ...(test !== '' && {test}),
    message: stack === '' ? textIn(error, 'message') : '',
    details: stack,
    ...toCodePlace(textIn(place, 'file'), positionIn(place, 'line'), positionIn(place, 'column')),
    isTestPlace: place === spec,
  };
}

/** pytest-reportlog: one JSON object on each line. Undefined for any other text. */
export function parseReportLog(text: string): CheckReport | undefined {
  const collector = createFailureCollector();
  let isReport = false;
  let isWhole = false;
  for (const value of parseJsonLines(text)) {
    const type = textIn(value, '$report_type');
    if (type === '') continue;
    isReport = true;
    isWhole ||= type === 'SessionFinish';
    if (!/^(?:Test|Collect)Report$/.test(type) || textIn(value, 'outcome') !== 'failed') continue;
    const crash = fieldOf(value, 'longrepr', 'reprcrash');
    collector.add({
      tool: 'pytest',
      test: textIn(value, 'nodeid'),
      message: textIn(crash, 'message'),
      details: textIn(value, 'longrepr'),
      ...toCodePlace(textIn(crash, 'path'), positionIn(crash, 'lineno')),
    });
  }

  return isReport ? collector.toReport(isWhole) : undefined;
}
