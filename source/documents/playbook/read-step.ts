import {nearest} from '../../base/index.ts';
import {excerpt} from '../excerpt.ts';
import {type PlanPathReading, readPlanPath} from '../plan/read-plan-path.ts';
import {type Report, pathInto} from '../project/read-fields.ts';
import {readCommand} from '../project/read-values.ts';
import {type YamlEntry, type YamlValue, describeYaml} from '../project/yaml-value.ts';
import {hasAnswer} from './answer.ts';
import type {Step} from './playbook.ts';
import {readAsk} from './read-ask.ts';
import {readDuration} from './read-duration.ts';
import {readReport} from './read-report.ts';
import {readShape} from './read-shape.ts';
import {readWords} from './read-words.ts';

type StepKind = Step['do'];

/** One step. Without a value when anything in it is wrong. */
export function readStep(
  {key, line, value}: YamlEntry,
  around: string,
  report: Report,
): Step | undefined {
  const kind = stepKinds.find((known) => known === key);
  if (kind === undefined) {
    const meant = nearest(key.toLowerCase(), stepKinds);
    report(
      line,
      `${around}: expected something that a step can do, got "${excerpt(key, 40)}". ${meant === undefined ? `It can: ${stepKinds.join(', ')}.` : `Did you mean "${meant}"?`}`,
    );
    return undefined;
  }

  const step = readers[kind](value, pathInto(around, kind), report);
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
    given(readWords(value, path, report), (text) => ({do: 'print', text})),
  replace: readReplace,
  write: (value, path, report) => readTextFile('write', value, path, report),
  append: (value, path, report) => readTextFile('append', value, path, report),
  delete: (value, path, report) =>
    given(readPath(value, path, report), (file) => ({do: 'delete', path: file})),
  run: readRun,
  ask: (value, path, report) => given(readAsk(value, path, report), (ask) => ({do: 'ask', ...ask})),
  wait: (value, path, report) =>
    given(readDuration(value, path, report), (milliseconds) => ({do: 'wait', milliseconds})),
  fail: (value, path, report) =>
    given(readWords(value, path, report), (words) => ({do: 'fail', words})),
  report: (value, path, report) =>
    given(readReport(value, path, report), (told) => ({do: 'report', report: told})),
};

export const stepKinds = Object.keys(readers) as readonly StepKind[];

function given<Value>(
  value: Value | undefined,
  stepOf: (value: Value) => StepWithoutLine,
): StepWithoutLine | undefined {
  return value === undefined ? undefined : stepOf(value);
}

function readReplace(value: YamlValue, path: string, report: Report): StepWithoutLine | undefined {
  const fields = readShape(value, path, {required: ['path', 'find', 'with']}, report);
  const file = readPath(fields?.get('path'), `${path}.path`, report);
  const find = readWords(fields?.get('find'), `${path}.find`, report);
  const replacement = readText(fields?.get('with'), `${path}.with`, report);
  if (file === undefined || find === undefined || replacement === undefined) return undefined;
  if (find !== replacement) return {do: 'replace', path: file, find, with: replacement};
  report(value.line, `${path}: expected two texts that differ, got the same twice. Change one.`);
  return undefined;
}

function readTextFile(
  kind: 'write' | 'append',
  value: YamlValue,
  path: string,
  report: Report,
): StepWithoutLine | undefined {
  const fields = readShape(value, path, {required: ['path', 'text']}, report);
  const file = readPath(fields?.get('path'), `${path}.path`, report);
  const text = (kind === 'write' ? readText : readWords)(
    fields?.get('text'),
    `${path}.text`,
    report,
  );
  return file === undefined || text === undefined ? undefined : {do: kind, path: file, text};
}

function readRun(value: YamlValue, path: string, report: Report): StepWithoutLine | undefined {
  if (value.is !== 'mapping')
    return given(readCommand(value, path, report), (command) => ({
      do: 'run',
      command,
      mayFail: false,
    }));
  const fields = readShape(value, path, {required: ['command'], optional: ['mayFail']}, report);
  const [commandField, truthField] = [fields?.get('command'), fields?.get('mayFail')];
  const command = commandField && readCommand(commandField, `${path}.command`, report);
  const mayFail =
    truthField === undefined ? false : readTruth(truthField, `${path}.mayFail`, report);
  return command === undefined || mayFail === undefined ? undefined : {do: 'run', command, mayFail};
}

function readTruth(value: YamlValue, path: string, report: Report): boolean | undefined {
  if (value.is === 'other' && (value.what === 'true' || value.what === 'false'))
    return value.what === 'true';
  report(value.line, `${path}: expected true or false, got ${describeYaml(value)}. Change it.`);
  return undefined;
}

/** Any text, also an empty one. */
function readText(value: YamlValue | undefined, path: string, report: Report): string | undefined {
  return value?.is === 'text' ? value.text : readWords(value, path, report);
}

/** The same rules as for the files of a plan, but one file. */
function readPath(value: YamlValue | undefined, path: string, report: Report): string | undefined {
  const text = readWords(value, path, report);
  if (value === undefined || text === undefined) return undefined;
  const reading = readFilePath(text);
  if ('path' in reading) return reading.path;
  report(value.line, `${path}: "${excerpt(text)}" ${reading.refused}`);
  return undefined;
}

function readFilePath(text: string): PlanPathReading {
  if (text.endsWith('/')) return {refused: 'is a folder; name a file.'};
  return hasAnswer(text)
    ? {refused: 'has ${answer} in it, which is not filled in in paths; write the path itself.'}
    : readPlanPath(text);
}
