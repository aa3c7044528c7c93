/** What a person or a worker is shown of one conflict. */
const mostCharacters = 4000;

/** The regions between conflict markers, each with the line that it begins at. Cut, and said so, when there is too much of it. */
export function hunksOf(text: string): string {
  const found: string[] = [];
  let region: string[] | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (region === undefined && /^<{7}(?: |$)/.test(line)) region = [`line ${index + 1}:`];
    if (region === undefined) continue;
    region.push(line);
    if (!/^>{7}(?: |$)/.test(line)) continue;
    found.push(region.join('\n'));
    region = undefined;
  }

  const all = found.join('\n\n');
  const note = '\n… (cut)';
  return all.length <= mostCharacters
    ? all
    : `${all.slice(0, mostCharacters - note.length)}${note}`;
}
