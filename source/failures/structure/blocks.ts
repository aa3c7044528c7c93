import {indentation} from '../log-lines.ts';
import type {ClassifiedLine, LogLineKind} from './line-kinds.ts';

/** The lines of a log and what each of them is. */
export type ClassifiedLog = {
  readonly lines: readonly string[];
  readonly kinds: readonly ClassifiedLine[];
};

/** A line of one sign: `-----`, `=====`, `────`. */
export function isRule(line: string): boolean {
  return /^\s*(?:([-=~_*#.·⎯─━═▔▁―^┄])\1{3,}[-=~_*#.·⎯─━═―✀\s]*|[┌└├╭╰][─━┬┴┼┐┘┤╮╯]{4,})\s*$/u.test(
    line,
  );
}

/**
 * The lines that belong to the one at `at`: to the next failure, passed test, summary, command or
 * rule. A rule directly below the line only underlines it.
 */
export function linesBelow({lines, kinds}: ClassifiedLog, at: number): readonly string[] {
  const body: string[] = [];
  const indent = indentation(lines[at] ?? '');
  const end: BlockEnd = {
    indent,
    shape: shapeOf(lines[at] ?? ''),
    kind: kinds[at]?.kind,
    isNumbered: /^\s*\d+[).] /.test(lines[at] ?? ''),
  };
  let hasContent = false;
  let blanks = 0;
  for (let index = at + 1; index < lines.length && body.length < maxBlock; index += 1) {
    const line = lines[index] ?? '';
    if (isRule(line)) {
      if (hasContent && indentation(line) <= indent) break;
      continue;
    }

    blanks = line === '' ? blanks + 1 : 0;
    if (blanks > 1 && hasContent && isOutside(lines, index, indent)) break;
    const isAfterGap = (lines[index - 1] ?? '').trim() === '';
    const name = kinds[index]?.name;
    // `FAIL total` inside the details of `[FAIL] total`.
    const isRepeated =
      end.kind === 'failed' &&
      name !== undefined &&
      name !== '' &&
      (body.at(-1) ?? '') !== '' &&
      !isRule(lines[index - 1] ?? '') &&
      (lines[at] ?? '').includes(name);
    if (line !== '' && !isRepeated && isEnd(line, kinds[index]?.kind, end, isAfterGap)) {
      // The place of the next item of a list stands above its number.
      if (end.isNumbered)
        while (/^\s*(?:\S+:\d+(?::\d+)?:?)?$/.test(body.at(-1) ?? 'x')) body.pop();
      break;
    }

    if (
      isAfterGap &&
      hasNoIndentedText(body) &&
      indent > 1 &&
      indentation(line) < indent &&
      line !== ''
    )
      break;
    hasContent ||= line !== '' && !line.startsWith('>>> ');
    body.push(line);
  }

  while (body.at(-1) === '') body.pop();
  return body;
}

/** Whether the next text after a gap is not indented below the first line. */
function isOutside(lines: readonly string[], at: number, indent: number): boolean {
  for (let index = at; index < lines.length && index - at < 4; index += 1)
    if (lines[index] !== '')
      return indentation(lines[index] ?? '') <= indent && !/^[-+] /.test(lines[index] ?? '');
  return true;
}

type BlockEnd = {
  readonly indent: number;
  readonly shape: string;
  readonly kind: LogLineKind | undefined;
  readonly isNumbered: boolean;
};

function isEnd(
  line: string,
  kind: LogLineKind = 'text',
  {indent, shape, kind: own, isNumbered}: BlockEnd,
  isAfterGap: boolean,
): boolean {
  if (kind === 'summary' && isAfterGap) return true;
  if (indentation(line) > indent) return false;
  if (kind === 'passed' || kind === 'summary' || kind === 'wrapper' || kind === 'echo') return true;
  if (kind === 'failed' || kind === 'section') return true;
  if (isNumbered && /^\s*\d+[).] /.test(line)) return true;
  return shapeOf(line) === shape && kind === own && kind !== 'text' && kind !== 'word';
}

function hasNoIndentedText(body: readonly string[]): boolean {
  return body.every((line) => line.trim() === '');
}

/** How a line begins: the next item of a list begins in the same way. */
function shapeOf(line: string): string {
  const start = /^\s*(\S{1,40})/u.exec(line)?.[1] ?? '';
  const shape = /[:(]\d/.test(start) ? 'place' : start.replaceAll(/\d+/g, '0');
  return `${shape} ${indentation(line)}`;
}

/** What stands above, back to a rule, a passed test or an empty line (`isAcrossGaps`: across them). */
export function linesAbove(
  {lines, kinds}: ClassifiedLog,
  at: number,
  {max, isAcrossGaps}: {readonly max: number; readonly isAcrossGaps: boolean},
): readonly string[] {
  const above: string[] = [];
  for (let index = at - 1; index >= 0 && above.length < max; index -= 1) {
    const line = lines[index] ?? '';
    const kind = kinds[index]?.kind;
    if (kind === 'passed' || kind === 'echo' || kind === 'failed' || kind === 'section') break;
    if (kind === 'wrapper') break;
    if (!isAcrossGaps && (line.trim() === '' || isRule(line))) break;
    above.unshift(line);
  }

  while (above[0]?.trim() === '') above.shift();
  return above;
}

const maxBlock = 60;
