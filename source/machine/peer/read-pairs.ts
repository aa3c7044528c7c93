/** The end of a row of `ss -xHn`: our number, `*`, the number of the other end. Before it stands a name that anybody may have chosen. */
const row = /^u_str +ESTAB +\d+ +\d+ .*\s(?<near>\d+) +\* +(?<far>\d+) *$/;

/** socket → its other ends. More than one: a socket with a line break in its name has made a row up, and nothing is certain. */
export function readPairs(text: string): ReadonlyMap<number, readonly number[]> {
  const pairs = new Map<number, number[]>();
  for (const line of text.split('\n')) {
    const {near, far} = row.exec(line)?.groups ?? {};
    if (near !== undefined && far !== undefined)
      pairs.set(Number(near), [...(pairs.get(Number(near)) ?? []), Number(far)]);
  }

  return pairs;
}
