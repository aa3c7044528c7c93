import {isRecord, type ParseResult, type Problem} from '../shared/index.ts';
import type {RejectedAlternative} from '../domain/index.ts';
import {lastJsonBlock, lineNumberAt, scanJson, withPlainLines} from '../syntax/index.ts';
import {toPlainText} from './prompt-text.ts';

/** A worker's report on its work: the only text of an agent that a summary contains. */
export type WorkerReport = {
  readonly rootCause?: string;
  readonly decisions: readonly string[];
  readonly rejected: readonly RejectedAlternative[];
  /** Why the worker cannot do the task. */
  readonly gaveUp?: string;
};

/**
 * Parses the report in a worker's output: the last fenced `json` block. Problems have lines of that
 * block.
 */
export function parseReport(
  output: string,
  secrets: readonly string[] = [],
): ParseResult<WorkerReport> {
  const block = lastJsonBlock(withPlainLines(output.slice(-maxCharacters)));
  if (block === undefined)
    return {
      value: emptyReport,
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
      value: emptyReport,
      problems: [
        {
          line: lineNumberAt(block, fault.offset),
          text: `Expected a report as JSON, but ${fault.text}.`,
        },
      ],
    };
  if (oddKeys.some(({oddity}) => oddity === 'forbidden'))
    return {
      value: emptyReport,
      problems: [
        {
          line: 1,
          text: 'Expected the fields of a report, got a name that is not allowed. Leave it out.',
        },
      ],
    };
  return toReport(JSON.parse(block) as unknown, secrets);
}

/** The report is short and at the end of the output. */
const maxCharacters = 256 * 1024;
const maxItems = 20;
const maxTextLength = 2000;

const emptyReport: WorkerReport = {decisions: [], rejected: []};

function toReport(document: unknown, secrets: readonly string[]): ParseResult<WorkerReport> {
  if (!isRecord(document))
    return {
      value: emptyReport,
      problems: [
        {
          line: 1,
          text: 'Expected a report as an object { … }, got something else. Write the fields of a report.',
        },
      ],
    };

  const problems: Problem[] = [];
  const text = (value: unknown): string[] => {
    const plain =
      typeof value === 'string' ? toPlainText(value, {max: maxTextLength, secrets}) : '';
    return plain === '' ? [] : [plain];
  };

  const [rootCause] = text(document['rootCause']);
  const [gaveUp] = text(document['gaveUp']);
  const value: WorkerReport = {
    ...(rootCause !== undefined && {rootCause}),
    decisions: listMembers(document, 'decisions', problems).flatMap(text),
    rejected: listMembers(document, 'rejected', problems).flatMap((member) => {
      const [alternative] = text(isRecord(member) ? member['alternative'] : member);
      const [reason = 'no reason given'] = text(isRecord(member) ? member['reason'] : undefined);
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

/** A single value counts as a list of one. */
function listMembers(
  document: Readonly<Record<string, unknown>>,
  name: string,
  problems: Problem[],
): readonly unknown[] {
  const value = document[name];
  if (value === undefined || value === null) return [];
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (members.length > maxItems)
    problems.push({
      line: 1,
      text: `${name}: expected at most ${maxItems}, got ${members.length}. The first ${maxItems} count.`,
    });
  return members.slice(0, maxItems);
}
