import {indentation} from '../log-lines.ts';
import {isEcho, isPassed, isSummary, weigh, weights} from './line-kinds.ts';

/** A line of one sign: `-----`, `=====`, `────`. */
export function isRule(line: string): boolean {
  return /^\s*([-=~_*#.·⎯─━═▔▁])\1{4,}[-=~_*#.·⎯─━═]*\s*$/u.test(line);
}

/** The lines that belong to the one at `at`: to the next failure, passed test, summary or rule. */
export function linesBelow(lines: readonly string[], at: number): readonly string[] {
  const body: string[] = [];
  const indent = indentation(lines[at] ?? '');
  const shape = shapeOf(lines[at] ?? '');
  let hasContent = false;
  for (let index = at + 1; index < lines.length && body.length < maxBlock; index += 1) {
    const line = lines[index] ?? '';
    if (isRule(line)) {
      if (hasContent && indentation(line) <= indent) break;
      continue;
    }

    if (line !== '' && indentation(line) <= indent && isEnd(line, shape)) break;
    hasContent ||= line !== '';
    body.push(line);
  }

  while (body.at(-1) === '') body.pop();
  return body;
}

/** Whether more than the mark itself is at this place. */
export function hasBody(lines: readonly string[], at: number): boolean {
  return linesBelow(lines, at).some((line) => line.trim() !== '' && !isEcho(line));
}

function isEnd(line: string, shape: string): boolean {
  if (isPassed(line) || isSummary(line) || isEcho(line)) return true;
  return shapeOf(line) === shape && weigh(line).weight >= weights.item;
}

/** How a line begins: the next item of a list begins in the same way. */
function shapeOf(line: string): string {
  const start = /^\s*(\S{1,3})/u.exec(line)?.[1] ?? '';
  return start.replaceAll(/\d+/g, '0').replaceAll(/[a-z]+/gi, 'a') + String(indentation(line));
}

/** What stands directly above: the name of the test, the file, the code. */
export function linesAbove(lines: readonly string[], at: number): readonly string[] {
  const above: string[] = [];
  for (let index = at - 1; index >= 0 && above.length < maxAbove; index -= 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '' || isRule(line) || isPassed(line) || isSummary(line) || isEcho(line))
      break;
    above.unshift(line);
  }

  return above;
}

const maxBlock = 40;
const maxAbove = 4;
