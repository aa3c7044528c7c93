import {excerpt, nearest} from '../shared/index.ts';
import {
  commandSchema,
  parseEntries,
  parseObjectWithSchema,
  parseWithSchema,
  pathInto,
  type ReportProblem,
} from '../project-config/index.ts';
import {describeYaml, type YamlEntry, type YamlValue} from '../syntax/index.ts';
import {hasAnswer, planningKinds, type PlanningStep, type Step} from './playbook.ts';
import {
  appendFields,
  askFields,
  duration,
  filePath,
  nonEmptyText,
  question,
  replaceFields,
  reportFields,
  runFields,
  useFields,
  writeFields,
} from './step-schemas.ts';

/** The steps of one task, in their order. */
export function parseSteps(value: YamlValue, path: string, report: ReportProblem): Step[] {
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

/** The steps of the planner, which may only print, wait and count its use. */
export function parsePlanningSteps(
  value: YamlValue,
  path: string,
  report: ReportProblem,
): PlanningStep[] {
  return parseSteps(value, path, report).flatMap((step) => {
    if (isPlanningStep(step)) return step;
    report(
      step.line,
      `${path}: expected ${planningKinds.join(', ')}, got "${step.do}". A planner ` +
        'changes nothing and asks nobody; move it to a task.',
    );
    return [];
  });
}

function isPlanningStep(step: Step): step is PlanningStep {
  return planningKinds.some((kind) => kind === step.do);
}

/** A step has one field, because the fields of a mapping have no order. */
function parseStepEntry(
  item: YamlValue,
  path: string,
  report: ReportProblem,
): YamlEntry | undefined {
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
      `${path}: expected one thing to do, got "${guessStepKind(entry)}" and ` +
        `"${guessStepKind(second)}". Make each a step of its own, with "-" before it.`,
    );
    return undefined;
  }

  return entry;
}

function guessStepKind({key}: YamlEntry): string {
  return stepKinds.find((kind) => kind === key) ?? nearest(key, stepKinds) ?? 'something else';
}

/** `${answer}` needs an earlier `ask` in the same steps: an attempt knows only its own answers. */
function checkAnswers(steps: readonly Step[], path: string, report: ReportProblem): void {
  const asked = steps.findIndex((step) => step.do === 'ask');
  for (const [index, step] of steps.entries()) {
    if ((asked === -1 || index <= asked) && hasAnswer(JSON.stringify(step)))
      report(
        step.line,
        `${path}[${index}]: has \${answer}, but nothing was asked before. Add an "ask:" ` +
          'above, or write $${answer} for the words themselves.',
      );
  }
}

function checkReports(steps: readonly Step[], path: string, report: ReportProblem): void {
  const reports = [...steps.entries()].filter(([, step]) => step.do === 'report');
  for (const [index, {line}] of reports.slice(1))
    report(line, `${path}[${index}]: is a second report. Merge it into the first.`);
}

type StepKind = Step['do'];

/** One step; undefined when anything in it is wrong. */
export function parseStep(
  {key, line, value}: YamlEntry,
  parentPath: string,
  report: ReportProblem,
): Step | undefined {
  const kind = stepKinds.find((known) => known === key);
  if (kind === undefined) {
    const meant = nearest(key.toLowerCase(), stepKinds);
    report(
      line,
      `${parentPath}: expected something that a step can do, got "${excerpt(key, 40)}". ` +
        (meant === undefined ? `It can: ${stepKinds.join(', ')}.` : `Did you mean "${meant}"?`),
    );
    return undefined;
  }

  const step = readers[kind](value, pathInto(parentPath, kind), report);
  return step && {line, ...step};
}

type Reader = (
  value: YamlValue,
  path: string,
  report: ReportProblem,
) => StepWithoutLine | undefined;
type StepWithoutLine = Step extends infer One
  ? One extends Step
    ? Omit<One, 'line'>
    : never
  : never;

const readers: Readonly<Record<StepKind, Reader>> = {
  print: (value, path, report) =>
    given(parseWithSchema(nonEmptyText, value, path, report), (text) => ({do: 'print', text})),
  replace: (value, path, report) =>
    given(parseObjectWithSchema(replaceFields, value, path, report), (step) => ({
      do: 'replace',
      ...step,
    })),
  write: (value, path, report) =>
    given(parseObjectWithSchema(writeFields, value, path, report), (step) => ({
      do: 'write',
      ...step,
    })),
  append: (value, path, report) =>
    given(parseObjectWithSchema(appendFields, value, path, report), (step) => ({
      do: 'append',
      ...step,
    })),
  delete: (value, path, report) =>
    given(parseWithSchema(filePath, value, path, report), (file) => ({do: 'delete', path: file})),
  run: parseRun,
  ask: parseAsk,
  wait: (value, path, report) =>
    given(parseWithSchema(duration, value, path, report), (milliseconds) => ({
      do: 'wait',
      milliseconds,
    })),
  fail: (value, path, report) =>
    given(parseWithSchema(nonEmptyText, value, path, report), (text) => ({
      do: 'fail',
      words: text,
    })),
  report: (value, path, report) =>
    given(parseObjectWithSchema(reportFields, value, path, report), (parsed) => ({
      do: 'report',
      report: parsed,
    })),
  use: (value, path, report) =>
    given(parseObjectWithSchema(useFields, value, path, report), ({input, output, cost}) => ({
      do: 'use',
      usage: {input, output, ...(cost !== undefined && {cost})},
    })),
};

export const stepKinds = Object.keys(readers) as readonly StepKind[];

function given<Value>(
  value: Value | undefined,
  stepOf: (value: Value) => StepWithoutLine,
): StepWithoutLine | undefined {
  return value === undefined ? undefined : stepOf(value);
}

/** A command, or a command that may fail. */
function parseRun(
  value: YamlValue,
  path: string,
  report: ReportProblem,
): StepWithoutLine | undefined {
  if (value.is !== 'mapping')
    return given(parseWithSchema(commandSchema, value, path, report), (command) => ({
      do: 'run',
      command,
      mayFail: false,
    }));
  return given(parseObjectWithSchema(runFields, value, path, report), ({command, mayFail}) => ({
    do: 'run',
    command,
    mayFail: mayFail ?? false,
  }));
}

/** A question, or a question with the accepted answers. */
function parseAsk(
  value: YamlValue,
  path: string,
  report: ReportProblem,
): StepWithoutLine | undefined {
  if (value.is !== 'mapping')
    return given(parseWithSchema(question, value, path, report), (asked) => ({
      do: 'ask',
      question: asked,
      options: [],
    }));
  return given(
    parseObjectWithSchema(askFields, value, path, report),
    ({question: asked, options}) => ({
      do: 'ask',
      question: asked,
      options: options ?? [],
    }),
  );
}
