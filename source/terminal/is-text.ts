/** Whether a UTF-16 unit is drawn or moves the cursor by itself. Characters that only reorder what a person reads are not text. */
export function isText(code: number): boolean {
  if (code < 0x7f)
    return (
      code >= 0x20 ||
      code === lineFeed ||
      code === carriageReturn ||
      code === tab ||
      code === backspace
    );
  return (
    code >= 0xa0 && (code < firstBidiControl || code > lastBidiControl || !isBidiControl(code))
  );
}

const backspace = 0x08;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const firstBidiControl = 0x61c;
const lastBidiControl = 0x2069;

function isBidiControl(code: number): boolean {
  return (
    code === firstBidiControl ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= lastBidiControl)
  );
}
