export type Kept = {
  readonly owner: string;
  readonly ref: string | null;
  readonly patch: string | null;
  readonly files: string | null;
};

/** How to get back what was kept: commands that work as they stand. */
export function restoreWords({owner, ref, patch, files}: Kept): readonly string[] {
  return [
    ...(ref === null
      ? []
      : [
          `Everything that ${owner} had is in ${ref}. Look at it: git show --stat ${ref}`,
          `Bring it back as a branch: git branch ${owner.replaceAll('.', '-')}-kept ${ref}`,
        ]),
    ...(patch === null ? [] : [`Or lay it over your checkout: git apply --3way '${patch}'`]),
    ...(files === null
      ? []
      : [
          `Files that git does not keep (ignored ones that were changed, repositories within) are in ${files}`,
        ]),
  ];
}
