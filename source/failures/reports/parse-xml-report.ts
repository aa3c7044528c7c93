import {
  createFailureCollector,
  type Diagnostic,
  type CheckReport,
  toDiagnosticReport,
} from './check-report.ts';
import {scanXml} from './scan-xml.ts';
import type {CodePlace} from '../failure-match.ts';

/**
 * JUnit XML of any tool, NUnit 3, xUnit.net, TRX of `dotnet test`, and Checkstyle. Undefined for
 * any other document.
 */
export function parseXmlReport(text: string): CheckReport | undefined {
  const collector = createFailureCollector();
  const diagnostics: Diagnostic[] = [];
  let root: string | undefined;
  let test: TestElement | undefined;
  let failure: FailureElement | undefined;
  let file = '';
  let suiteFile: string | undefined;

  const isWhole = scanXml(text, {
    onOpen: (name, attribute) => {
      root ??= name;
      if (name === 'testsuite') suiteFile = attribute('file') ?? attribute('filepath');
      else if (testElements.has(name)) test = toTest(name, attribute, suiteFile);
      else if (name === 'file') file = attribute('name') ?? '';
      else if (name === 'error' && root === 'checkstyle') {
        if (diagnostics.length < maxDiagnostics) diagnostics.push(toDiagnostic(file, attribute));
      } else if (failureElements.has(name) && test !== undefined && failure === undefined)
        failure = {
          element: name,
          message: attribute('message') ?? '',
          type: attribute('type') ?? attribute('exception-type') ?? '',
          part: 'details',
          parts: {message: '', details: ''},
        };
      else if (failure !== undefined && messageElements.has(name)) failure.part = 'message';
      else if (failure !== undefined) failure.part = 'details';
    },
    onText: (content) => {
      if (failure === undefined) return;
      const {part, parts} = failure;
      if (parts[part].length < maxTextLength)
        parts[part] += content.slice(0, maxTextLength - parts[part].length);
    },
    onClose: (name) => {
      if (failure !== undefined && messageElements.has(name)) failure.part = 'details';
      if (name === failure?.element) {
        // Of several failures of one test the first counts.
        if (test !== undefined && !test.hasFailed) collector.add(toFailure(test, failure));
        if (test !== undefined) test.hasFailed = true;
        failure = undefined;
      }

      if (!testElements.has(name) || test === undefined) return;
      // A failed test without a message.
      if (test.isFailed && !test.hasFailed)
        collector.add({tool: 'junit-xml', test: test.name, message: 'failed', ...placeOf(test)});
      test = undefined;
    },
  });
  if (root === undefined || !roots.has(root)) return undefined;
  return root === 'checkstyle'
    ? toDiagnosticReport(diagnostics, isWhole && diagnostics.length < maxDiagnostics)
    : collector.toReport(isWhole);
}

type TestElement = {
  readonly name: string;
  readonly place?: CodePlace;
  readonly isFailed: boolean;
  hasFailed: boolean;
};

type FailureElement = {
  readonly element: string;
  readonly message: string;
  readonly type: string;
  part: 'message' | 'details';
  readonly parts: Record<'message' | 'details', string>;
};

const maxTextLength = 64 * 1024;
const maxDiagnostics = 20_000;

const roots: ReadonlySet<string> = new Set([
  'testsuites',
  'testsuite',
  'test-run',
  'assemblies',
  'assembly',
  'TestRun',
  'checkstyle',
]);
const testElements: ReadonlySet<string> = new Set([
  'testcase',
  'test-case',
  'test',
  'UnitTestResult',
]);
const failureElements: ReadonlySet<string> = new Set(['failure', 'error', 'ErrorInfo']);
const messageElements: ReadonlySet<string> = new Set(['message', 'Message']);

type Attribute = (name: string) => string | undefined;

function toTest(element: string, attribute: Attribute, suiteFile: string | undefined): TestElement {
  const name =
    attribute('fullname') ?? attribute('testName') ?? attribute('name') ?? attribute('id') ?? '';
  const group = element === 'testcase' ? (attribute('classname') ?? '') : '';
  const file = attribute('file') ?? suiteFile;
  const line = Number(attribute('line'));
  const outcome = attribute('result') ?? attribute('outcome') ?? '';
  return {
    // node:test writes the same word for every class.
    name: [group === 'test' || group === name ? '' : group, name]
      .filter((part) => part !== '')
      .join(' > '),
    ...(file !== undefined &&
      file !== '' && {
        place: {file, ...(Number.isSafeInteger(line) && line > 0 && {line})},
      }),
    isFailed: element !== 'testcase' && /^fail/i.test(outcome),
    hasFailed: false,
  };
}

function toFailure(
  test: TestElement,
  {message, type, parts}: FailureElement,
): Parameters<ReturnType<typeof createFailureCollector>['add']>[0] {
  const text = message.trim() === '' ? parts.message.trim() : message.trim();
  const details = parts.details.trim();
  return {
    tool: 'junit-xml',
    test: test.name,
    message: text === '' && details === '' ? type : text,
    ...(details !== '' && {details}),
    ...placeOf(test),
  };
}

function placeOf({place}: TestElement): {place?: CodePlace; isTestPlace?: boolean} {
  return place === undefined ? {} : {place, isTestPlace: true};
}

function toDiagnostic(file: string, attribute: Attribute): Diagnostic {
  const [line, column] = [Number(attribute('line')), Number(attribute('column'))];
  const rule = attribute('source');
  return {
    tool: 'checkstyle',
    ...(rule !== undefined && rule !== '' && {test: rule}),
    message: attribute('message') ?? '',
    place: {
      file,
      ...(Number.isSafeInteger(line) && line > 0 && {line}),
      ...(Number.isSafeInteger(column) && column > 0 && {column}),
    },
    isError: (attribute('severity') ?? 'error') === 'error',
  };
}
