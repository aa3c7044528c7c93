import {type Diagnostic, type CheckReport, toDiagnosticReport} from './check-report.ts';
import {
  fieldOf,
  hasFields,
  listIn,
  parseJsonLines,
  positionIn,
  textIn,
  toCodePlace,
} from './json-value.ts';

/**
 * JSON reports of linters and compilers, and SARIF, which many write. Undefined for any other
 * value.
 */
export function parseDiagnosticJson(value: unknown): CheckReport | undefined {
  const format = formats.find(({isMatch}) => isMatch(value));
  return format === undefined ? undefined : toDiagnosticReport(format.diagnostics(value), true);
}

type DiagnosticFormat = {
  readonly isMatch: (value: unknown) => boolean;
  readonly diagnostics: (value: unknown) => Iterable<Diagnostic>;
};

/** Whether it is a list whose first item has these fields. */
function isListWith(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && hasFields(value[0], ...names);
}

/** A list of diagnostics without files around them. */
function flat(
  names: readonly string[],
  toDiagnostic: (item: unknown) => Diagnostic,
): DiagnosticFormat {
  return {
    isMatch: isListWith(...names),
    *diagnostics(value) {
      for (const item of listIn({value}, 'value')) yield toDiagnostic(item);
    },
  };
}

const formats: readonly DiagnosticFormat[] = [
  {isMatch: (value) => hasFields(value, 'runs') && hasFields(value, 'version'), diagnostics: sarif},
  {isMatch: isListWith('filePath', 'messages'), diagnostics: eslint},
  {isMatch: isListWith('source', 'warnings'), diagnostics: stylelint},
  {isMatch: (value) => hasFields(value, 'generalDiagnostics'), diagnostics: pyright},
  {isMatch: (value) => hasFields(value, 'Issues', 'Report'), diagnostics: golangci},
  {isMatch: (value) => hasFields(value, 'files', 'metadata'), diagnostics: rubocop},
  flat(['filename', 'location', 'message'], (item) => ({
    tool: 'ruff',
    ...named(textIn(item, 'code')),
    message: textIn(item, 'message'),
    ...toCodePlace(
      textIn(item, 'filename'),
      positionIn(item, 'location', 'row'),
      positionIn(item, 'location', 'column'),
    ),
    isError: true,
  })),
  flat(['path', 'line', 'message', 'symbol'], (item) => ({
    tool: 'pylint',
    ...named(textIn(item, 'symbol')),
    message: textIn(item, 'message'),
    ...toCodePlace(textIn(item, 'path'), positionIn(item, 'line'), positionIn(item, 'column')),
    isError: /^(?:error|fatal)$/.test(textIn(item, 'type')),
  })),
  flat(['file', 'line', 'level', 'message'], (item) => ({
    tool: 'shellcheck',
    ...named(ruleCode(item)),
    message: textIn(item, 'message'),
    ...toCodePlace(textIn(item, 'file'), positionIn(item, 'line'), positionIn(item, 'column')),
    isError: textIn(item, 'level') === 'error',
  })),
  flat(['description', 'location', 'fingerprint'], (item) => ({
    tool: 'code-quality',
    ...named(textIn(item, 'check_name')),
    message: textIn(item, 'description'),
    ...toCodePlace(
      textIn(item, 'location', 'path'),
      positionIn(item, 'location', 'lines', 'begin') ??
        positionIn(item, 'location', 'positions', 'begin', 'line'),
    ),
    isError: /^(?:major|critical|blocker)$/.test(textIn(item, 'severity')),
  })),
];

function named(test: string): {readonly test?: string} {
  return test === '' ? {} : {test};
}

function ruleCode(item: unknown): string {
  const code = fieldOf(item, 'code');
  return typeof code === 'number' ? `SC${code}` : '';
}

function* sarif(value: unknown): Generator<Diagnostic> {
  for (const run of listIn(value, 'runs')) {
    for (const result of listIn(run, 'results')) {
      const level = textIn(result, 'level') || 'warning';
      // A suppressed, an accepted and a passed result did not fail anything.
      const isLeftOut =
        level === 'none' ||
        level === 'note' ||
        listIn(result, 'suppressions').length > 0 ||
        /^(?:unchanged|absent)$/.test(textIn(result, 'baselineState')) ||
        !['', 'fail'].includes(textIn(result, 'kind'));
      if (isLeftOut) continue;
      const place = fieldOf(listIn(result, 'locations')[0], 'physicalLocation');
      const name = [textIn(run, 'tool', 'driver', 'name'), textIn(result, 'ruleId')]
        .filter((part) => part !== '')
        .join(' ');
      yield {
        tool: 'sarif',
        ...named(name),
        message: textIn(result, 'message', 'text') || textIn(result, 'message', 'markdown'),
        ...toCodePlace(
          decodeUri(textIn(place, 'artifactLocation', 'uri')),
          positionIn(place, 'region', 'startLine'),
          positionIn(place, 'region', 'startColumn'),
        ),
        isError: level === 'error',
      };
    }
  }
}

function decodeUri(uri: string): string {
  const path = uri.replace(/^file:\/\/(?=\/)/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function* eslint(value: unknown): Generator<Diagnostic> {
  for (const file of listIn({value}, 'value'))
    for (const item of listIn(file, 'messages'))
      yield {
        tool: 'eslint',
        ...named(textIn(item, 'ruleId')),
        message: textIn(item, 'message'),
        ...toCodePlace(
          textIn(file, 'filePath'),
          positionIn(item, 'line'),
          positionIn(item, 'column'),
        ),
        isError: fieldOf(item, 'severity') === 2 || fieldOf(item, 'fatal') === true,
      };
}

function* stylelint(value: unknown): Generator<Diagnostic> {
  for (const file of listIn({value}, 'value'))
    for (const item of listIn(file, 'warnings'))
      yield {
        tool: 'stylelint',
        ...named(textIn(item, 'rule')),
        message: textIn(item, 'text'),
        ...toCodePlace(
          textIn(file, 'source'),
          positionIn(item, 'line'),
          positionIn(item, 'column'),
        ),
        isError: textIn(item, 'severity') === 'error',
      };
}

function* pyright(value: unknown): Generator<Diagnostic> {
  for (const item of listIn(value, 'generalDiagnostics')) {
    if (textIn(item, 'severity') === 'information') continue;
    // Lines and columns count from 0.
    const {line, character} = (fieldOf(item, 'range', 'start') ?? {}) as Record<string, unknown>;
    yield {
      tool: 'pyright',
      ...named(textIn(item, 'rule')),
      message: textIn(item, 'message'),
      ...toCodePlace(
        textIn(item, 'file'),
        typeof line === 'number' ? line + 1 : undefined,
        typeof character === 'number' ? character + 1 : undefined,
      ),
      isError: textIn(item, 'severity') === 'error',
    };
  }
}

function* golangci(value: unknown): Generator<Diagnostic> {
  for (const item of listIn(value, 'Issues'))
    yield {
      tool: 'golangci-lint',
      ...named(textIn(item, 'FromLinter')),
      message: textIn(item, 'Text'),
      ...toCodePlace(
        textIn(item, 'Pos', 'Filename'),
        positionIn(item, 'Pos', 'Line'),
        positionIn(item, 'Pos', 'Column'),
      ),
      isError: textIn(item, 'Severity') !== 'warning',
    };
}

function* rubocop(value: unknown): Generator<Diagnostic> {
  for (const file of listIn(value, 'files'))
    for (const item of listIn(file, 'offenses'))
      yield {
        tool: 'rubocop',
        ...named(textIn(item, 'cop_name')),
        message: textIn(item, 'message'),
        ...toCodePlace(
          textIn(file, 'path'),
          positionIn(item, 'location', 'line'),
          positionIn(item, 'location', 'column'),
        ),
        isError: /^(?:error|fatal)$/.test(textIn(item, 'severity')),
      };
}

/** `mypy -O json` and `cargo --message-format=json`: one JSON object on each line. */
export function parseDiagnosticLines(text: string): CheckReport | undefined {
  const diagnostics: Diagnostic[] = [];
  let isReport = false;
  for (const value of parseJsonLines(text)) {
    const isMypy = hasFields(value, 'file', 'line', 'message', 'severity');
    const isCargo = hasFields(value, 'reason');
    isReport ||= isMypy || isCargo;
    if (diagnostics.length === maxDiagnostics) break;
    if (isMypy && textIn(value, 'severity') !== 'note')
      diagnostics.push({
        tool: 'mypy',
        ...named(textIn(value, 'code')),
        message: textIn(value, 'message'),
        ...toCodePlace(
          textIn(value, 'file'),
          positionIn(value, 'line'),
          positionIn(value, 'column'),
        ),
        isError: textIn(value, 'severity') === 'error',
      });
    if (isCargo && textIn(value, 'reason') === 'compiler-message')
      diagnostics.push(...toCargoDiagnostics(fieldOf(value, 'message')));
  }

  return isReport
    ? toDiagnosticReport(diagnostics, diagnostics.length < maxDiagnostics)
    : undefined;
}

const maxDiagnostics = 20_000;

function toCargoDiagnostics(message: unknown): Diagnostic[] {
  const level = textIn(message, 'level');
  const spans = listIn(message, 'spans');
  // The count at the end ("aborting due to 2 errors") has no place.
  if (spans.length === 0 || !/^(?:error|warning)/.test(level)) return [];
  const span = spans.find((each) => fieldOf(each, 'is_primary') === true) ?? spans[0];
  return [
    {
      tool: 'rustc',
      ...named(textIn(message, 'code', 'code')),
      message: textIn(message, 'message'),
      details: textIn(message, 'rendered'),
      ...toCodePlace(
        textIn(span, 'file_name'),
        positionIn(span, 'line_start'),
        positionIn(span, 'column_start'),
      ),
      isError: level.startsWith('error'),
    },
  ];
}
