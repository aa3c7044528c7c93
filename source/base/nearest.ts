/** The candidate that `word` was probably meant to be; none when nothing is close. */
export function nearest<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const most = word.length < 5 ? 1 : 2;
  const ranked = candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({candidate, distance: distanceOf(word, candidate)}))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked.find(({distance}) => distance <= most)?.candidate;
}

/** How many letters must be added, removed or changed (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let previous = Array.from({length: to.length + 1}, (_, index) => index);
  for (let row = 0; row < from.length; row += 1) {
    let left = row + 1;
    const current = [left];
    for (let column = 0; column < to.length; column += 1) {
      const changed = (previous[column] ?? 0) + (from[row] === to[column] ? 0 : 1);
      left = Math.min(changed, (previous[column + 1] ?? 0) + 1, left + 1);
      current.push(left);
    }

    previous = current;
  }

  return previous.at(-1) ?? 0;
}
