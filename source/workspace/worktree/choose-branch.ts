import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {firstFree} from './names.ts';
import {lineOf, readRegistered} from './registered.ts';

export type BranchWish = {
  readonly asked: string;
  readonly commit: string;
  /** The name that was chosen before a crash. It may be there already, made by us. */
  readonly noted: string | null;
  readonly admin: string;
};

export type ChosenBranch = {readonly name: string; readonly isThere: boolean};

/** The branch of an earlier try, if it is there as we made it; else the first name that is free. */
export async function chooseBranch(
  workspace: Workspace,
  {asked, commit, noted, admin}: BranchWish,
): Promise<ChosenBranch> {
  const heads = await headsOf(workspace);
  if (noted !== null && heads.get(noted.toLowerCase()) === commit) {
    const others = readRegistered(workspace)
      .filter((other) => other.admin !== admin)
      .map(({head}) => head);
    const isElsewhere = [...others, lineOf(path.join(workspace.commonDirectory, 'HEAD'))].includes(
      `ref: refs/heads/${noted}`,
    );
    if (!isElsewhere) return {name: noted, isThere: true};
  }

  return {name: firstFreeBranch(heads, asked), isThere: false};
}

/**
 * A branch name that nobody has. One that somebody has is left to them, and so is one that git cannot have beside theirs:
 * with a branch `orchestra`, `orchestra/r1-t3` becomes `orchestra-2/r1-t3`.
 */
export async function freeBranch(workspace: Workspace, asked: string): Promise<string> {
  return firstFreeBranch(await headsOf(workspace), asked);
}

function firstFreeBranch(heads: ReadonlyMap<string, string>, asked: string): string {
  const names = [...heads.keys()];
  const parts = asked.split('/');
  return parts.reduce((before, part, index) => {
    const isLast = index === parts.length - 1;
    const free = firstFree(part, (candidate) => {
      // Names that differ only in case are one name on some disks.
      const whole = `${before}${candidate}`.toLowerCase();
      return !heads.has(whole) && !(isLast && names.some((other) => other.startsWith(`${whole}/`)));
    });
    return isLast ? `${before}${free}` : `${before}${free}/`;
  }, '');
}

async function headsOf(workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  const lines = await workspace.git(
    workspace.root,
    ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads'],
    {isRead: true},
  );
  return new Map(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [
        line.slice(line.indexOf(' ') + 1).toLowerCase(),
        line.slice(0, line.indexOf(' ')),
      ]),
  );
}
