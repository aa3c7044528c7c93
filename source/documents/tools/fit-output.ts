/** What of an output is shown: its beginning and its end, by whole lines, and how much is left out between. */
export function fitOutput(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const half = Math.floor(mostCharacters / 2);
  const head = lineEndBefore(text, half);
  const tail = lineStartAfter(text, text.length - half);
  const between = text.slice(head, tail);
  return `${text.slice(0, head).trimEnd()}\n[… ${leftOutWords(between)} left out …]\n${text.slice(tail)}`;
}

export function leftOutWords(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '').length;
  return lines > 1 ? `${lines} lines` : `${text.length} characters`;
}

function lineEndBefore(text: string, place: number): number {
  const newline = text.lastIndexOf('\n', place);
  return newline > place / 2 ? newline + 1 : place;
}

function lineStartAfter(text: string, place: number): number {
  const newline = text.indexOf('\n', place);
  return newline !== -1 && newline < place + (text.length - place) / 2 ? newline + 1 : place;
}
