import {sanitizeText} from '../../shared/index.ts';
import {readCheckouts} from '../accept/user-branch.ts';
import {readRef, toBranchRef} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';

export type StartOptions = {
  /** A branch or commit to start from. */
  readonly on?: string;
  /** The name of a branch to create, or of an existing one to continue. */
  readonly branch?: string;
};

export type Start = {
  /** Where work starts, and the branch that it is accepted into; absent: as in the checkout. */
  readonly from?: {readonly base: string; readonly branch?: string};
  /** The name of the branch to create. */
  readonly own?: string;
};

/**
 * Where work starts that has no plan. Throws with a sentence if a name is wrong or taken. An
 * existing branch is never moved by the work itself, only by accepting it.
 */
export async function resolveStart(
  workspace: Workspace,
  {on, branch}: StartOptions,
): Promise<Start> {
  const from = on === undefined ? undefined : await resolveBase(workspace, on);
  if (branch === undefined) return from === undefined ? {} : {from};
  const name = sanitizeText(branch);
  if (!(await isBranchName(workspace, branch)))
    throw new Error(`expected the name of a branch, got ${JSON.stringify(name)}`);
  const tip = await readRef(workspace, toBranchRef(branch));
  if (tip === null) {
    const obstacle = await findObstacle(workspace, branch);
    if (obstacle !== undefined)
      throw new Error(
        `git cannot have a branch ${name} beside ${sanitizeText(obstacle)}; choose another name`,
      );
    return {...(from === undefined ? {} : {from}), own: branch};
  }

  if (on !== undefined)
    throw new Error(
      `${name} exists, so the session would start there. Leave out --on, or name a new branch`,
    );
  const place = readCheckouts(workspace).find((checkout) => checkout.branch === branch);
  if (place !== undefined)
    throw new Error(
      `${name} is checked out in ${sanitizeText(place.directory)}. To start from it, with a ` +
        `branch of its own: --on ${name}`,
    );
  return {from: {base: tip, branch}};
}

/** A local branch is also what the work is accepted into. */
async function resolveBase(
  workspace: Workspace,
  on: string,
): Promise<{readonly base: string; readonly branch?: string}> {
  const tip = (await isBranchName(workspace, on))
    ? await readRef(workspace, toBranchRef(on))
    : null;
  if (tip !== null) return {base: tip, branch: on};
  const base = await workspace
    .git(
      workspace.root,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${on}^{commit}`],
      {isRead: true},
    )
    .then(
      (text) => text.trim(),
      () => '',
    );
  if (!/^[0-9a-f]{40,64}$/.test(base))
    throw new Error(
      `expected a branch, tag or commit to start from, got ${JSON.stringify(sanitizeText(on))}`,
    );
  return {base};
}

async function isBranchName({git, root}: Workspace, name: string): Promise<boolean> {
  return git(root, ['check-ref-format', '--branch', name], {isRead: true}).then(
    (text) => text.trim() === name,
    () => false,
  );
}

/** A branch whose name is a directory of the new one, or the other way round. */
async function findObstacle({git, root}: Workspace, branch: string): Promise<string | undefined> {
  const names = await git(root, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'], {
    isRead: true,
  });
  return names
    .split('\n')
    .find(
      (name) => name !== '' && (name.startsWith(`${branch}/`) || branch.startsWith(`${name}/`)),
    );
}
