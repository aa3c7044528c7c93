import path from 'node:path';
import {findRepository, type Repository} from '../settings/index.ts';

/** A run begins in a checkout of the person's own, and reads its rules and skills there: an agent's worktree holds what that agent wrote. */
export function checkCheckout(checkout: unknown, commonDirectory: string): void {
  if (checkout === undefined) return;
  const found =
    typeof checkout === 'string' && path.isAbsolute(checkout) ? repositoryIn(checkout) : undefined;
  if (found?.root === checkout && found.commonDirectory === commonDirectory) return;
  throw new Error(
    `expected a checkout of this repository that is your own, got ${JSON.stringify(checkout)}. Start the run in your checkout, or in a worktree that you made with git worktree add`,
  );
}

function repositoryIn(directory: string): Repository | undefined {
  try {
    return findRepository(directory);
  } catch {
    return undefined;
  }
}
