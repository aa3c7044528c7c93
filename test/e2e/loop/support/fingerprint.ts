import path from 'node:path';
import {createHash} from 'node:crypto';
import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import type {LoopFixture} from './loop-fixture.ts';

/**
 * Fingerprint of everything of the person's: files, index, refs, config, hooks. Without orchestra's
 * own refs and worktrees.
 */
export function fingerprint({root, git}: Pick<LoopFixture, 'root' | 'git'>): string {
  const hash = createHash('sha256');
  walk(root, (file) => {
    const relative = path.relative(root, file);
    if (
      /^\.git\/(?:objects|worktrees|logs|refs\/orchestra|orchestra|index$|COMMIT_EDITMSG)/.test(
        relative,
      )
    )
      return;
    const facts = lstatSync(file);
    hash.update(
      `${relative} ${facts.mode} ${facts.isSymbolicLink() ? readlinkSync(file) : createHash('sha256').update(readFileSync(file)).digest('hex')}\n`,
    );
  });
  hash.update(git('ls-files', '--stage'));
  hash.update(git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes'));
  return hash.digest('hex');
}

function walk(directory: string, visit: (file: string) => void): void {
  for (const entry of readdirSync(directory, {withFileTypes: true}).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) walk(file, visit);
    else if (entry.isFile() || entry.isSymbolicLink()) visit(file);
  }
}
