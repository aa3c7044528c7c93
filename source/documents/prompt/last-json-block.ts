/** The last fenced `json` block of a text with LF line ends, cut off by the end of the text or not. */
export function lastJsonBlock(text: string): string | undefined {
  let opening: RegExpExecArray | undefined;
  for (const match of text.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*json(?:[ \t].*)?$/gim))
    opening = match;
  if (opening === undefined) return undefined;

  const [line, fence = ''] = opening;
  const body = text.slice(opening.index + line.length + 1);
  const end = new RegExp(`^[ \\t]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'm').exec(body);
  return end === null ? body : body.slice(0, end.index);
}
