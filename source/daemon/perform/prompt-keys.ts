import {Buffer} from 'node:buffer';
import {sanitizeText} from '../../base/index.ts';

/** A terminal takes so much of a line at once, and a program so much of a paste; beyond it the file is named. */
const most = {line: 1000, paste: 60_000};

/** What is typed: the prompt, or, where that would be too long or several lines would be several answers, a sentence that names its file. */
export function textToType(
  prompt: string,
  {file, takesPaste}: {readonly file: string; readonly takesPaste: boolean},
): string {
  const text = sanitizeText(prompt.trim());
  const isFit = takesPaste
    ? Buffer.byteLength(text) <= most.paste
    : text.length <= most.line && !/[\n\t]/.test(text);
  return isFit ? text : `Read the file ${file} and do what it says.`;
}

/** Marked as a paste where the program asked for that. The text has no controls in it, so nothing in it can end the paste. */
export function keysOf(text: string, takesPaste: boolean): string {
  return takesPaste ? `\u001B[200~${text}\u001B[201~` : text;
}

/** Whether the screen shows what was typed: its end or its beginning, or a stand-in such as `[Pasted text #1 +24 lines]`. */
export function isShown(
  text: string,
  before: readonly string[],
  after: readonly string[],
): boolean {
  const [was, is] = [squeezed(before.join('')), squeezed(after.join(''))];
  if (was === is) return false;
  const whole = squeezed(text);
  return (
    [whole.slice(-tellingLength), whole.slice(0, tellingLength)].some(
      (part) => countOf(is, part) > countOf(was, part),
    ) || countOf(is, '[Pasted') > countOf(was, '[Pasted')
  );
}

const tellingLength = 24;

/** A screen breaks lines where it likes, and puts frames around them. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s│┃|]+/gu, '');
}

function countOf(text: string, part: string): number {
  return part === '' ? 0 : text.split(part).length - 1;
}
