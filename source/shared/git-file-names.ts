// Names of git's own files, also as Windows file systems spell them: `.git.`, `GIT~1`,
// `.git::$INDEX_ALLOCATION`.
// `.gitignore`, `.gitkeep` and `.github/` are ordinary files.

export const gitFolderName = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/is;
export const gitModulesName = /^(?:\.gitmodules|gitmod~\d+)[. ]*(?::.*)?$/is;
export const gitAttributesName = /^(?:\.gitattributes|gitatt~\d+)[. ]*(?::.*)?$/is;

/** Whether the name belongs to git: changing such a file runs code or moves the repository. */
export function isGitFileName(name: string): boolean {
  return [gitFolderName, gitModulesName, gitAttributesName].some((pattern) => pattern.test(name));
}
