import type {Problem} from '../base/index.ts';
import {lineOf} from './line-of.ts';

/** The most bytes a person's or a planner's document may have. Above it nothing is parsed. */
export const mostBytes = 256 * 1024;

export type TextProblem = Problem & {readonly name: 'too-large' | 'not-utf8'};

/** A document as text: no byte order mark, every line ended by LF alone. Empty when it was refused. */
export type DocumentText = {
  readonly text: string;
  /** Nothing of it was read. */
  readonly isRefused: boolean;
  readonly problems: readonly TextProblem[];
};

export function readText(source: Uint8Array | string): DocumentText {
  if (isTooLarge(source))
    return refused(
      'too-large',
      `Expected at most 256 kB (${mostBytes} bytes) of text, got more. Nothing of it was read; make it shorter.`,
    );
  if (typeof source === 'string')
    return {text: withPlainLines(source), isRefused: false, problems: []};
  if (isUtf16(source))
    return refused(
      'not-utf8',
      'Expected UTF-8 text, got UTF-16. Nothing of it was read; save the file as UTF-8.',
    );

  try {
    return {text: withPlainLines(decode(source, {fatal: true})), isRefused: false, problems: []};
  } catch {
    const text = withPlainLines(decode(source, {fatal: false}));
    const line = lineOf(text, text.indexOf('\uFFFD'));
    return {
      text,
      isRefused: false,
      problems: [
        {
          name: 'not-utf8',
          line,
          text: 'Expected UTF-8 text, got bytes that are not (each reads as \uFFFD, the first on this line). Save the file as UTF-8.',
        },
      ],
    };
  }
}

function isTooLarge(source: Uint8Array | string): boolean {
  // A string has at least as many bytes as UTF-16 units: a huge one is refused without being encoded.
  return (
    source.length > mostBytes ||
    (typeof source === 'string' && Buffer.byteLength(source) > mostBytes)
  );
}

function refused(name: TextProblem['name'], text: string): DocumentText {
  return {text: '', isRefused: true, problems: [{name, line: 1, text}]};
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function decode(bytes: Uint8Array, {fatal}: {readonly fatal: boolean}): string {
  return new TextDecoder('utf-8', {fatal, ignoreBOM: true}).decode(bytes);
}

/** No byte order mark, every line ended by LF alone. */
export function withPlainLines(text: string): string {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
}
