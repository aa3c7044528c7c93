/** Whether something in the bytes looks like a query that `replyToSequence` or `replyToString` answers. It costs next to nothing; what answers reads properly. */
export function asksTerminal(bytes: Uint8Array): boolean {
  return isSomewhere(bytes, (at) => mayAsk(bytes, at) && query.test(textAt(bytes, at)));
}

/** Whether a program says what it is doing, by OSC 7501. */
export function tellsStatus(bytes: Uint8Array): boolean {
  return isSomewhere(
    bytes,
    (at) => bytes[at + 1] === bracket && textAt(bytes, at).startsWith('\u001B]7501;'),
  );
}

const query = /^\u001B(?:\[(?:[>=]?\d*c|\??[56]n|>\d*q|\??\d+\$p)|\](?:1[01]|7501);\?|P\$q)/;
const [escapeByte, openBracket, bracket, deviceControl] = [0x1b, 0x5b, 0x5d, 0x50];
const finals = new Set(Array.from('cnqp', (final) => final.charCodeAt(0)));
/** Longer than any query. */
const longest = 32;

function isSomewhere(bytes: Uint8Array, isThere: (at: number) => boolean): boolean {
  for (let at = bytes.indexOf(escapeByte); at !== -1; at = bytes.indexOf(escapeByte, at + 1))
    if (isThere(at)) return true;
  return false;
}

/** Most sequences set a colour or move the cursor: their last character tells. */
function mayAsk(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] !== openBracket)
    return bytes[at + 1] === bracket || bytes[at + 1] === deviceControl;
  let end = at + 2;
  while (end < at + longest && (bytes[end] ?? 0) >= 0x20 && (bytes[end] ?? 0) < 0x40) end++;
  return finals.has(bytes[end] ?? 0);
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + longest));
}
