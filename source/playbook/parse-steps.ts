import {excerpt, nearest} from '../shared/index.ts';
import {parsePlanPath, type PlanPathParseResult} from '../plan/index.ts';
import {parseCommand, parseEntries, pathInto, type Report} from '../project-config/index.ts';
import {describeYaml, type YamlEntry, type YamlValue} from '../syntax/index.ts';
import {hasAnswer, type Step} from './playbook.ts';
import {
  parseAsk,
  parseDuration,
  parseNonEmptyText,
  parseReport,
  parseShape,
} from './step-values.ts';

/** The steps of one task, in their order. */
export function parseSteps(value: YamlValue, path: string, report: Report): Step[] {
  if (value.is !== 'list') {
    report(
      value.line,
      `${path}: expected a list of steps, each as "- print: words", got ${describeYaml(value)}. Change it.`,
    );
    return [];
  }

  const steps = value.items.flatMap((item, index) => {
    const place = `${path}[${index}]`;
    const entry = parseStepEntry(item, place, report);
    return (entry && parseStep(entry, place, report)) ?? [];
  });
  checkAnswers(steps, path, report);
  checkReports(steps, path, report);
  return steps;
}

/** A step has one field, because the fields of a mapping have no order. */
function parseStepEntry(item: YamlValue, path: string, report: Report): YamlEntry | undefined {
  if (item.is !== 'mapping') {
    report(
      item.line,
      `${path}: expected a step, like "print: words", got ${describeYaml(item)}. Change it.`,
    );
    return undefined;
  }

  const [entry, second] = parseEntries(item, path, report);
  if (entry === undefined) {
    report(
      item.line,
      `${path}: expected a step, got an empty mapping. Write one of: ${stepKinds.join(', ')}.`,
    );
  } else if (second !== undefined) {
    report(
      second.line,
      `${path}: expected one thing to do, got "${guessStepKind(entry)}" and "${guessStepKind(second)}". Make each a step of its own, with "-" before it.`,
    );
    return undefined;
  }

  return entry;
}

function guessStepKind({key}: YamlEntry): string {
  return stepKinds.find((kind) => kind === key) ?? nearest(key, stepKinds) ?? 'something else';
}

/** `${answer}` needs an earlier `ask` in the same steps: an attempt knows only its own answers. */
function checkAnswers(steps: readonly Step[], path: string, report: Report): void {
  const asked = steps.findIndex((step) => step.do === 'ask');
  for (const [index, step] of steps.entries()) {
    if ((asked === -1 || index <= asked) && hasAnswer(JSON.stringify(step)))
      report(
        step.line,
        `${path}[${index}]: has \${answer}, but nothing was asked before. Add an "ask:" above, or write $\${answer} for the words themselves.`,
      );
  }
}

function checkReports(steps: readonly Step[], path: string, report: Report): void {
  const reports = [...steps.entries()].filter(([, step]) => step.do === 'report');
  for (const [index, {line}] of reports.slice(1))
    report(line, `${path}[${index}]: is a second report. Merge it into the first.`);
}

type StepKind = Step['do'];

/** One step; undefined when anything in it is wrong. */
export function parseStep(
  {key, line, value}: YamlEntry,
  parentPath: string,
  report: Report,
): Step | undefined {
  const kind = stepKinds.find((known) => known === key);
  if (kind === undefined) {
    const meant = nearest(key.toLowerCase(), stepKinds);
    report(
      line,
      `${parentPath}: expected something that a step can do, got "${excerpt(key, 40)}". ${meant === undefined ? `It can: ${stepKinds.join(', ')}.` : `Did you mean "${meant}"?`}`,
    );
    return undefined;
  }

  const step = readers[kind](value, pathInto(parentPath, kind), report);
  return step && {line, ...step};
}

type Reader = (value: YamlValue, path: string, report: Report) => StepWithoutLine | undefined;
type StepWithoutLine = Step extends infer One
  ? One extends Step
    ? Omit<One, 'line'>
    : never
  : never;

const readers: Readonly<Record<StepKind, Reader>> = {
  print: (value, path, report) =>
    given(parseNonEmptyText(value, path, report), (text) => ({do: 'print', text})),
  replace: parseReplace,
  write: (value, path, report) => parseTextFile('write', value, path, report),
  append: (value, path, report) => parseTextFile('append', value, path, report),
  delete: (value, path, report) =>
    given(parsePath(value, path, report), (file) => ({do: 'delete', path: file})),
  run: parseRun,
  ask: (value, path, report) =>
    given(parseAsk(value, path, report), (ask) => ({do: 'ask', ...ask})),
  wait: (value, path, report) =>
    given(parseDuration(value, path, report), (milliseconds) => ({do: 'wait', milliseconds})),
  fail: (value, path, report) =>
    given(parseNonEmptyText(value, path, report), (text) => ({do: 'fail', words: text})),
  report: (value, path, report) =>
    given(parseReport(value, path, report), (parsed) => ({do: 'report', report: parsed})),
};

export const stepKinds = Object.keys(readers) as readonly StepKind[];

function given<Value>(
  value: Value | undefined,
  stepOf: (value: Value) => StepWithoutLine,
): StepWithoutLine | undefined {
  return value === undefined ? undefined : stepOf(value);
}

function parseReplace(value: YamlValue, path: string, report: Report): StepWithoutLine | undefined {
  const fields = parseShape(value, path, {required: ['path', 'find', 'with']}, report);
  const file = parsePath(fields?.get('path'), `${path}.path`, report);
  const find = parseNonEmptyText(fields?.get('find'), `${path}.find`, report);
  const replacement = parseText(fields?.get('with'), `${path}.with`, report);
  if (file === undefined || find === undefined || replacement === undefined) return undefined;
  if (find !== replacement) return {do: 'replace', path: file, find, with: replacement};
  report(value.line, `${path}: expected two texts that differ, got the same twice. Change one.`);
  return undefined;
}

function parseTextFile(
  kind: 'write' | 'append',
  value: YamlValue,
  path: string,
  report: Report,
): StepWithoutLine | undefined {
  const fields = parseShape(value, path, {required: ['path', 'text']}, report);
  const file = parsePath(fields?.get('path'), `${path}.path`, report);
  const text = (kind === 'write' ? parseText : parseNonEmptyText)(
    fields?.get('text'),
    `${path}.text`,
    report,
  );
  return file === undefined || text === undefined ? undefined : {do: kind, path: file, text};
}

function parseRun(value: YamlValue, path: string, report: Report): StepWithoutLine | undefined {
  if (value.is !== 'mapping')
    return given(parseCommand(value, path, report), (command) => ({
      do: 'run',
      command,
      mayFail: false,
    }));
  const fields = parseShape(value, path, {required: ['command'], optional: ['mayFail']}, report);
  const [commandField, mayFailField] = [fields?.get('command'), fields?.get('mayFail')];
  const command = commandField && parseCommand(commandField, `${path}.command`, report);
  const mayFail =
    mayFailField === undefined ? false : parseBoolean(mayFailField, `${path}.mayFail`, report);
  return command === undefined || mayFail === undefined ? undefined : {do: 'run', command, mayFail};
}

function parseBoolean(value: YamlValue, path: string, report: Report): boolean | undefined {
  if (value.is === 'other' && (value.what === 'true' || value.what === 'false'))
    return value.what === 'true';
  report(value.line, `${path}: expected true or false, got ${describeYaml(value)}. Change it.`);
  return undefined;
}

/** Any text, including an empty one. */
function parseText(value: YamlValue | undefined, path: string, report: Report): string | undefined {
  return value?.is === 'text' ? value.text : parseNonEmptyText(value, path, report);
}

/** One file, by the same rules as the files of a plan. */
function parsePath(value: YamlValue | undefined, path: string, report: Report): string | undefined {
  const text = parseNonEmptyText(value, path, report);
  if (value === undefined || text === undefined) return undefined;
  const parsed = parseFilePath(text);
  if ('path' in parsed) return parsed.path;
  report(value.line, `${path}: "${excerpt(text)}" ${parsed.rejected}`);
  return undefined;
}

function parseFilePath(text: string): PlanPathParseResult {
  if (text.endsWith('/')) return {rejected: 'is a folder; name a file.'};
  return hasAnswer(text)
    ? {rejected: 'has ${answer} in it, which is not filled in in paths; write the path itself.'}
    : parsePlanPath(text);
}
