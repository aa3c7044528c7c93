/** The name of a check, in the rules file and in a plan. Its failure code is made from it. */
export const checkName = /^[a-z][a-z0-9-]{0,30}$/;

/** The name of a service, an agent or a tool server: at most 40 characters, and never an option. */
export const shortName = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The name of a skill, in its file and in a plan. */
export const skillName = /^[a-z0-9][a-z0-9-]{0,63}$/;

// Names of git's own files, also as Windows file systems spell them: `.git.`, `GIT~1`,
// `.git::$INDEX_ALLOCATION`.
// `.gitignore`, `.gitkeep` and `.github/` are ordinary files.

export const gitFolderName = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/is;
export const gitModulesName = /^(?:\.gitmodules|gitmod~\d+)[. ]*(?::.*)?$/is;
export const gitAttributesName = /^(?:\.gitattributes|gitatt~\d+)[. ]*(?::.*)?$/is;

/** The candidate that `word` probably misspells; undefined when none is close. */
export function nearest<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const max = word.length < 5 ? 1 : 2;
  const ranked = candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= max)
    .map((candidate) => ({candidate, distance: editDistance(word, candidate)}))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked.find(({distance}) => distance <= max)?.candidate;
}

/** The Levenshtein distance. */
function editDistance(from: string, to: string): number {
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

/** Whether the name belongs to git: changing such a file runs code or moves the repository. */
export function isGitFileName(name: string): boolean {
  return [gitFolderName, gitModulesName, gitAttributesName].some((pattern) => pattern.test(name));
}
