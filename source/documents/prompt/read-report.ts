import type {Problem, Reading} from '../../base/index.ts';
import type {RejectedAlternative} from '../../domain/index.ts';
import {lineOf} from '../line-of.ts';
import {scanJson} from '../plan/scan-json.ts';
import {withPlainLines} from '../read-text.ts';
import {lastJsonBlock} from './last-json-block.ts';
import {plainTextOf} from './plain-text-of.ts';

/** What a worker says about its work; the only words of an agent that a summary keeps. */
export type WorkerReport = {
  readonly rootCause?: string;
  readonly decisions: readonly string[];
  readonly rejected: readonly RejectedAlternative[];
  /** It says that it cannot do the task, and why. */
  readonly gaveUp?: string;
};

/** Reads the report out of what a worker printed: the last fenced `json` block. Lines are lines of that block. */
export function readReport(output: string, secrets: readonly string[] = []): Reading<WorkerReport> {
  const block = lastJsonBlock(withPlainLines(output.slice(-mostCharacters)));
  if (block === undefined)
    return {
      value: nothing,
      problems: [
        {
          line: 1,
          text: 'Expected a report in a fenced block that begins with ```json, got none. End the answer with one.',
        },
      ],
    };

  const {fault, oddKeys} = scanJson(block);
  if (fault !== undefined)
    return {
      value: nothing,
      problems: [
        {line: lineOf(block, fault.offset), text: `Expected a report as JSON, but ${fault.text}.`},
      ],
    };
  if (oddKeys.some(({oddity}) => oddity === 'forbidden'))
    return {
      value: nothing,
      problems: [
        {
          line: 1,
          text: 'Expected the fields of a report, got a name that is not allowed. Leave it out.',
        },
      ],
    };
  return reportOf(JSON.parse(block) as unknown, secrets);
}

/** A report is at the end of the output, and is short. */
const mostCharacters = 256 * 1024;
const mostItems = 20;
const mostWords = 2000;

const nothing: WorkerReport = {decisions: [], rejected: []};

function reportOf(document: unknown, secrets: readonly string[]): Reading<WorkerReport> {
  if (!isRecord(document))
    return {
      value: nothing,
      problems: [
        {
          line: 1,
          text: 'Expected a report as an object { … }, got something else. Write the fields of a report.',
        },
      ],
    };

  const problems: Problem[] = [];
  const said = (value: unknown): string[] => {
    const words = typeof value === 'string' ? plainTextOf(value, {most: mostWords, secrets}) : '';
    return words === '' ? [] : [words];
  };

  const [rootCause] = said(document['rootCause']);
  const [gaveUp] = said(document['gaveUp']);
  const value: WorkerReport = {
    ...(rootCause !== undefined && {rootCause}),
    decisions: membersOf(document, 'decisions', problems).flatMap(said),
    rejected: membersOf(document, 'rejected', problems).flatMap((member) => {
      const [alternative] = said(isRecord(member) ? member['alternative'] : member);
      const [reason = 'no reason given'] = said(isRecord(member) ? member['reason'] : undefined);
      return alternative === undefined ? [] : [{alternative, reason}];
    }),
    ...(gaveUp !== undefined && {gaveUp}),
  };
  const isEmpty =
    rootCause === undefined &&
    gaveUp === undefined &&
    value.decisions.length + value.rejected.length === 0;
  if (isEmpty)
    problems.push({
      line: 1,
      text: 'Expected rootCause, decisions, rejected or gaveUp, got none of them. Say at least the root cause.',
    });
  return {value, problems};
}

/** A single thing stands for a list of one. */
function membersOf(
  document: Readonly<Record<string, unknown>>,
  name: string,
  problems: Problem[],
): readonly unknown[] {
  const value = document[name];
  if (value === undefined || value === null) return [];
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (members.length > mostItems)
    problems.push({
      line: 1,
      text: `${name}: expected at most ${mostItems}, got ${members.length}. The first ${mostItems} count.`,
    });
  return members.slice(0, mostItems);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
