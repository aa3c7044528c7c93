/** Whether something in the bytes looks like a query that `replyToSequence` or `replyToString` answers. It costs next to nothing; what answers reads properly. */
export function asksTerminal(bytes: Uint8Array): boolean {
  return query.test(latin1(bytes));
}

/** Whether a program says what it is doing, by OSC 7501. */
export function tellsStatus(bytes: Uint8Array): boolean {
  return latin1(bytes).includes('\u001B]7501;');
}

const query = /\u001B(?:\[(?:[>=]?\d*c|\??[56]n|>\d*q|\??\d+\$p)|\](?:1[01]|7501);\?|P\$q)/;

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
