/** Something that a hostile agent does from inside of its worktree, and who must name it. */
export type Attack = {
  readonly name: string;
  /**
   * For sh, with the agent's worktree as working directory. $MAIN is the person's checkout (it has
   * an edit that is not committed, and a branch `feature`), $SIBLING another worktree, $PAYLOAD a
   * program that must not run, $HOME the home.
   */
  readonly script: string;
  /**
   * Who names it: the guard, the outside fingerprint, the branches; or nobody, because it does no
   * harm.
   */
  readonly by: 'guard' | 'outside' | 'branches' | 'nobody';
  /** What is named. */
  readonly names?: RegExp;
};

export const attacks: readonly Attack[] = [
  {
    name: 'a file system monitor',
    script: 'git config core.fsmonitor "$PAYLOAD"',
    by: 'guard',
    names: /^\.git\/config: core\.fsmonitor$/,
  },
  {
    name: 'a directory of hooks',
    script:
      'mkdir hooks; cp "$PAYLOAD" hooks/post-checkout; cp "$PAYLOAD" hooks/reference-transaction; git config core.hooksPath "$PWD/hooks"',
    by: 'guard',
    names: /^\.git\/config: core\.hookspath$/,
  },
  {
    name: 'a hook',
    script: 'mkdir -p "$MAIN/.git/hooks"; cp "$PAYLOAD" "$MAIN/.git/hooks/post-checkout"',
    by: 'guard',
    names: /^\.git\/hooks\/post-checkout$/,
  },
  {
    name: 'a filter with its attributes',
    script:
      'git config filter.x.clean "$PAYLOAD"; git config filter.x.smudge "$PAYLOAD"; echo "* filter=x" > .gitattributes',
    by: 'guard',
    names: /^\.git\/config: filter\.x\.clean$/,
  },
  {
    name: 'a filter process in the home directory',
    script: 'git config --global filter.y.process "$PAYLOAD"; echo "* filter=y" > .gitattributes',
    by: 'guard',
    names: /^~\/\.gitconfig: filter\.y\.process$/,
  },
  {
    name: 'attributes for a driver',
    script:
      'mkdir -p "$MAIN/.git/info"; echo "* filter=lfs merge=evil" > "$MAIN/.git/info/attributes"',
    by: 'guard',
    names: /^\.git\/info\/attributes$/,
  },
  {
    name: 'drivers for diff and merge',
    script:
      'git config diff.evil.textconv "$PAYLOAD"; git config diff.evil.command "$PAYLOAD"; git config merge.evil.driver "$PAYLOAD"; echo "* diff=evil merge=evil" > .gitattributes',
    by: 'guard',
    names: /^\.git\/config: merge\.evil\.driver$/,
  },
  {
    name: 'an alias for the person to run',
    script: 'git config alias.st "!$PAYLOAD"',
    by: 'guard',
    names: /^\.git\/config: alias\.st$/,
  },
  {
    name: 'a file that is included',
    script:
      'printf "[core]\\n\\tfsmonitor = $PAYLOAD\\n" > evil.inc; git config include.path "$PWD/evil.inc"',
    by: 'guard',
    names: /^\.git\/config: include\.path$/,
  },
  {
    name: 'a file that is included on a condition',
    script:
      'printf "[core]\\n\\tfsmonitor = $PAYLOAD\\n" > evil.inc; git config includeIf.onbranch:orchestra/**.path "$PWD/evil.inc"',
    by: 'guard',
    names: /^\.git\/config: includeif\.onbranch:orchestra\/\*\*\.path$/,
  },
  {
    name: 'a command for ssh',
    script: 'git config core.sshCommand "$PAYLOAD"; git config credential.helper "!$PAYLOAD"',
    by: 'guard',
    names: /^\.git\/config: core\.sshcommand$/,
  },
  {
    name: 'another working tree for the main checkout',
    script: 'git config core.worktree "$PWD"',
    by: 'guard',
    names: /^\.git\/config: core\.worktree$/,
  },
  {
    name: 'settings of its own worktree',
    script:
      'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$PAYLOAD"',
    by: 'guard',
    names: /^\.git\/worktrees\/[^/]+\/config\.worktree: core\.fsmonitor$/,
  },
  {
    name: 'a repository of its own in place of the worktree',
    script:
      'git init -q "$HOME/evil"; git -C "$HOME/evil" config core.fsmonitor "$PAYLOAD"; echo "gitdir: $HOME/evil/.git" > .git',
    by: 'guard',
    names: /\/project\.worktrees\/r1-t1\/\.git$/,
  },
  {
    name: 'the removal of its own .git file',
    script: 'rm -rf .git',
    by: 'guard',
    names: /\/project\.worktrees\/r1-t1\/\.git$/,
  },
  {
    name: 'the removal of the sibling',
    script: 'git worktree unlock "$SIBLING"; git worktree remove --force "$SIBLING"',
    by: 'guard',
    names: /\/project\.worktrees\/r1-t2\/\.git$/,
  },
  {
    name: 'moving the sibling away',
    script: 'git worktree unlock "$SIBLING"; git worktree move "$SIBLING" "$HOME/moved"',
    by: 'guard',
    names: /\/project\.worktrees\/r1-t2\/\.git$/,
  },
  {
    name: 'objects from elsewhere',
    script: 'mkdir -p "$HOME/objects"; echo "$HOME/objects" > "$MAIN/.git/objects/info/alternates"',
    by: 'guard',
    names: /^\.git\/objects\/info\/alternates$/,
  },
  {
    name: 'a commit that is replaced by another',
    script: 'git commit -q --allow-empty -m other; git replace HEAD~1 HEAD',
    by: 'guard',
    names: /^refs\/replace\/[0-9a-f]{40}$/,
  },
  {
    name: 'a replacement that is packed',
    script: 'git commit -q --allow-empty -m other; git replace HEAD~1 HEAD; git pack-refs --all',
    by: 'guard',
    names: /^refs\/replace\/[0-9a-f]{40}$/,
  },
  {
    name: 'a graft',
    script: 'git rev-parse HEAD > "$MAIN/.git/info/grafts"',
    by: 'guard',
    names: /^\.git\/info\/grafts$/,
  },
  {
    name: 'a configuration that cannot be read',
    script: 'echo "[[[" >> "$MAIN/.git/config"',
    by: 'guard',
    names: /^\.git\/config: unreadable$/,
  },
  {
    name: 'an edit in the main checkout',
    script: 'echo stolen > "$MAIN/source.txt"',
    by: 'outside',
    names: /\/project\/source\.txt$/,
  },
  {
    name: 'an edit in the main checkout with its time put back',
    script:
      'touch -r "$MAIN/source.txt" stamp; printf "SAME\\n" > "$MAIN/source.txt"; touch -r stamp "$MAIN/source.txt"',
    by: 'outside',
    names: /\/project\/source\.txt$/,
  },
  {
    name: 'an edit in the main checkout that its index hides',
    script:
      'git -C "$MAIN" update-index --assume-unchanged source.txt; echo hidden > "$MAIN/source.txt"',
    by: 'outside',
    names: /\/project\/source\.txt$/,
  },
  {
    name: 'a new file in the main checkout that an exclude hides',
    script:
      'echo planted > "$MAIN/planted"; mkdir -p "$MAIN/.git/info"; echo planted >> "$MAIN/.git/info/exclude"',
    by: 'outside',
    names: /\/project\/planted$/,
  },
  {
    name: 'a directory in the main checkout that hides itself',
    script: 'mkdir "$MAIN/quiet"; echo "*" > "$MAIN/quiet/.gitignore"; echo x > "$MAIN/quiet/x"',
    by: 'outside',
    names: /\/project\/quiet\//,
  },
  {
    name: 'a reset of the main checkout',
    script: 'git -C "$MAIN" reset -q --hard',
    by: 'outside',
    names: /\/project\/readme\.md$/,
  },
  {
    name: 'a stash of the main checkout',
    script: 'git -C "$MAIN" stash -q -u',
    by: 'outside',
    names: /\/project\/readme\.md$/,
  },
  {
    name: 'an edit in the sibling',
    script: 'echo stolen > "$SIBLING/source.txt"',
    by: 'outside',
    names: /\/project\.worktrees\/r1-t2\/source\.txt$/,
  },
  {
    name: 'an edit through a link that leads out',
    script: 'ln -s "$MAIN" out; echo stolen > out/source.txt',
    by: 'outside',
    names: /\/project\/source\.txt$/,
  },
  {
    name: 'a line in a start file',
    script: 'echo "$PAYLOAD" >> "$HOME/.bashrc"',
    by: 'outside',
    names: /\/\.bashrc$/,
  },
  {
    name: "the end of a person's branch",
    script: 'git branch -q -D feature',
    by: 'branches',
    names: /^refs\/heads\/feature$/,
  },
  {
    name: 'the end of the main branch',
    script: 'git update-ref -d refs/heads/main',
    by: 'branches',
    names: /^refs\/heads\/main$/,
  },
  {
    name: "a person's branch that is moved",
    script: 'git commit -q --allow-empty -m mine; git update-ref refs/heads/feature HEAD',
    by: 'branches',
    names: /^refs\/heads\/feature$/,
  },
  {
    name: 'another branch under the main checkout',
    script: 'git -C "$MAIN" symbolic-ref HEAD refs/heads/feature',
    by: 'branches',
    names: /^HEAD$/,
  },
  {
    name: "the end of the sibling's branch",
    script: 'git update-ref -d refs/heads/orchestra/r1-t2',
    by: 'branches',
    names: /^refs\/heads\/orchestra\/r1-t2$/,
  },
  {
    name: 'a repository within, whose own configuration runs a program when git looks for changes in it',
    script:
      'git init -q sub; cd sub; echo x > x; git add x; git commit -q -m x; git config core.fsmonitor "$PAYLOAD"; git config filter.e.clean "$PAYLOAD"; echo "* filter=e" > .git/info/attributes; cd ..; printf "[submodule \\"sub\\"]\\n\\tpath = sub\\n\\turl = ./sub\\n\\tignore = none\\n" > .gitmodules; git add -A; git commit -q -m sub; echo y > sub/x',
    by: 'nobody',
  },
  {
    name: 'a repository within that has no commit',
    script: 'git init -q empty; echo x > empty/x',
    by: 'nobody',
  },
  {
    name: 'flags in its own index',
    script: 'git update-index --assume-unchanged source.txt; echo hidden > source.txt',
    by: 'nobody',
  },
  {
    name: 'its own commits, thrown away again',
    script:
      'echo work > work; git add work; git commit -q -m work; git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now',
    by: 'nobody',
  },
  {
    name: 'locks that it leaves in its worktree',
    script: 'touch "$(git rev-parse --git-dir)/index.lock"',
    by: 'nobody',
  },
];
