import {StringDecoder} from 'node:string_decoder';

export type Lines = {
  readonly push: (bytes: Uint8Array) => void;
  /** What came after the last line end is a line, too. */
  readonly end: () => void;
};

/** Nobody says more than this in one line; what is longer is said to have been left out, and the next line is read as ever. */
const mostBytes = 64 * 1024 * 1024;

/** Cuts bytes into lines, however they arrive, in time that grows with their number alone. */
export function createLines(onLine: (line: string) => void, most: number = mostBytes): Lines {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length <= most) pieces.push(piece);
    else pieces = [];
  };

  const finish = (): void => {
    const line = length > most ? `(a line of ${length} bytes was left out)` : textOf(pieces);
    pieces = [];
    length = 0;
    onLine(line);
  };

  return {
    push: (bytes) => {
      let from = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        take(bytes.subarray(from, end));
        finish();
        from = end + 1;
      }

      if (from < bytes.length) take(bytes.subarray(from));
    },
    end: () => {
      if (length > 0) finish();
    },
  };
}

const newline = 0x0a;

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new StringDecoder('utf8');
  const text =
    pieces
      .map((piece) => decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)))
      .join('') + decoder.end();
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
