import type {RejectedAlternative} from '../../domain/index.ts';
import type {Report} from '../project/read-fields.ts';
import {type YamlValue, describeYaml} from '../project/yaml-value.ts';
import type {PlaybookReport} from './playbook.ts';
import {readShape} from './read-shape.ts';
import {readWords} from './read-words.ts';

/** What the summary of the task will say in the agent's words. */
export function readReport(
  value: YamlValue,
  path: string,
  report: Report,
): PlaybookReport | undefined {
  const fields = readShape(
    value,
    path,
    {required: [], optional: ['rootCause', 'decisions', 'rejected']},
    report,
  );
  if (fields === undefined) return undefined;
  const [cause, decided, other] = [
    fields.get('rootCause'),
    fields.get('decisions'),
    fields.get('rejected'),
  ];
  const rootCause = cause && readWords(cause, `${path}.rootCause`, report);
  const decisions = decided && readMembers(decided, `${path}.decisions`, readWords, report);
  const rejected = other && readMembers(other, `${path}.rejected`, readRejected, report);
  return {
    ...(rootCause !== undefined && {rootCause}),
    ...(decisions !== undefined && {decisions}),
    ...(rejected !== undefined && {rejected}),
  };
}

const mostMembers = 50;

function readMembers<Member>(
  value: YamlValue,
  path: string,
  read: (value: YamlValue, path: string, report: Report) => Member | undefined,
  report: Report,
): Member[] | undefined {
  if (value.is === 'list' && value.items.length <= mostMembers)
    return value.items.flatMap((item, index) => read(item, `${path}[${index}]`, report) ?? []);
  report(
    value.line,
    `${path}: expected a list of at most ${mostMembers}, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
  );
  return undefined;
}

function readRejected(
  value: YamlValue,
  path: string,
  report: Report,
): RejectedAlternative | undefined {
  const fields = readShape(value, path, {required: ['alternative', 'reason']}, report);
  const alternative = readWords(fields?.get('alternative'), `${path}.alternative`, report);
  const reason = readWords(fields?.get('reason'), `${path}.reason`, report);
  return alternative === undefined || reason === undefined ? undefined : {alternative, reason};
}
