import {sanitizeText} from '../../base/index.ts';
import {plainLinesOf} from '../failure/plain-lines-of.ts';
import {fitOutput} from './fit-output.ts';

export type ShellOutput = {
  readonly head: string;
  readonly tail: string;
  readonly leftOut: {readonly lines: number; readonly bytes: number};
};

/** What a command printed, as plain text and short: its beginning and its end, and how much stands between. */
export function formatShellOutput(
  {head, tail, leftOut}: ShellOutput,
  mostCharacters: number,
): string {
  if (leftOut.lines === 0 && leftOut.bytes === 0)
    return fitOutput(plain(head + tail), mostCharacters);
  const half = Math.floor(mostCharacters / 2);
  const [first, last] = [plain(head), plain(tail)];
  const start = first.slice(0, half).replace(/\n[^\n]*$/, '');
  const end = last.slice(-half).replace(/^[^\n]*\n/, '');
  const lines = leftOut.lines + countOf(first) - countOf(start) + countOf(last) - countOf(end);
  const dropped = leftOut.bytes === 0 ? '' : ` and ${leftOut.bytes} bytes that were not kept`;
  return `${start}\n[… ${lines} lines${dropped} left out …]\n${end}`;
}

function plain(text: string): string {
  return sanitizeText(plainLinesOf(text).join('\n').replace(/^\n+/, '').trimEnd());
}

function countOf(text: string): number {
  return text === '' ? 0 : text.split('\n').length;
}
