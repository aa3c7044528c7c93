/** Puts a text into the person's clipboard, where their terminal allows it (OSC 52). Terminals refuse what is too long; then it is cut. */
export function clipboardSequence(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, longest);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `\u001B]52;c;${btoa(binary)}\u0007`;
}

const longest = 74_994;
