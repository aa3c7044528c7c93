/**
 * What a program printed, as text: without colours, cursor movements and other sequences, lines ended by a newline alone.
 * Nothing is cut: a plan may stand on one line.
 */
export function plainOutputOf(output: string): string {
  return output.replaceAll(terminalSequence, '').replaceAll(/\r+\n/g, '\n');
}

/** OSC and other strings with their end, CSI, two-character escapes. An introducer without an end goes alone. */
export const terminalSequence =
  /\u001B[\]PX^_][^\u0007\u001B]{0,2000}(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]{0,100}[ -/]{0,10}[@-~]|\u001B[ -/]{0,10}[0-~]?/g;
