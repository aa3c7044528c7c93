import type {Problem} from '../shared/index.ts';

/** The maximum size of a document that a person or a planner wrote. A larger one is not parsed. */
export const maxDocumentBytes = 256 * 1024;

export type TextProblem = Problem & {readonly name: 'too-large' | 'not-utf8'};

/** A document as text without a byte order mark, with LF line ends. Empty when it was rejected. */
export type DocumentText = {
  readonly text: string;
  readonly isRejected: boolean;
  readonly problems: readonly TextProblem[];
};

export function parseText(source: Uint8Array | string): DocumentText {
  if (isTooLarge(source))
    return rejected(
      'too-large',
      `Expected at most 256 kB (${maxDocumentBytes} bytes) of text, got more. Nothing of it was read; make it shorter.`,
    );
  if (typeof source === 'string')
    return {text: withPlainLines(source), isRejected: false, problems: []};
  if (isUtf16(source))
    return rejected(
      'not-utf8',
      'Expected UTF-8 text, got UTF-16. Nothing of it was read; save the file as UTF-8.',
    );

  try {
    return {text: withPlainLines(decode(source, {fatal: true})), isRejected: false, problems: []};
  } catch {
    const text = withPlainLines(decode(source, {fatal: false}));
    const line = lineNumberAt(text, text.indexOf('\uFFFD'));
    return {
      text,
      isRejected: false,
      problems: [
        {
          name: 'not-utf8',
          line,
          text:
            'Expected UTF-8 text, got bytes that are not (each reads as \uFFFD, the first ' +
            'on this line). Save the file as UTF-8.',
        },
      ],
    };
  }
}

function isTooLarge(source: Uint8Array | string): boolean {
  // A string has at least as many bytes as UTF-16 units: a huge one is rejected without being
  // encoded.
  return (
    source.length > maxDocumentBytes ||
    (typeof source === 'string' && Buffer.byteLength(source) > maxDocumentBytes)
  );
}

function rejected(name: TextProblem['name'], text: string): DocumentText {
  return {text: '', isRejected: true, problems: [{name, line: 1, text}]};
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function decode(bytes: Uint8Array, {fatal}: {readonly fatal: boolean}): string {
  return new TextDecoder('utf-8', {fatal, ignoreBOM: true}).decode(bytes);
}

/** Removes the byte order mark and turns every line end into LF. */
export function withPlainLines(text: string): string {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
}

/** The line, counted from 1, of the character at `offset`. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}
