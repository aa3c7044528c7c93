import {sanitizeText} from '../../shared/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {syncCheckout, type SyncResult} from './sync-checkout.ts';
import {
  advanceUserBranch,
  dropIntent,
  formatNames,
  movePhrases,
  type MovePurpose,
  readCheckouts,
  writeIntent,
} from './user-branch.ts';

/**
 * Moves the person's branch, together with the files of the checkout that has it. The caller holds
 * the workspace lock.
 */
export async function moveUserBranch(
  workspace: Workspace,
  {
    branch,
    from,
    to,
    lockTimeoutMs,
    purpose = 'accept',
  }: {
    readonly branch: string;
    readonly from: string;
    readonly to: string;
    readonly lockTimeoutMs: number;
    readonly purpose?: MovePurpose;
  },
): Promise<SyncResult> {
  const phrases = movePhrases[purpose];
  const [checkout, second] = readCheckouts(workspace).filter((one) => one.branch === branch);
  if (checkout === undefined) {
    const since = writeIntent(workspace, {
      branch,
      from,
      to,
      at: 'looking',
      checkout: null,
      purpose,
    });
    const moved = await advanceUserBranch(workspace, {
      branch,
      from,
      to,
      since,
      gitDirectory: workspace.commonDirectory,
      purpose,
    });
    dropIntent(workspace);
    return moved;
  }

  if (second !== undefined)
    return {
      rejected:
        `${sanitizeText(branch)} is checked out twice, in ` +
        `${formatNames([checkout.directory, second.directory])}. Switch one of them to ` +
        `another branch, then ${phrases.again}.`,
    };
  const {directory, gitDirectory, busy} = checkout;
  if (busy !== null)
    return {
      rejected:
        `${busy} is in progress in ${formatNames([directory])}. Finish or abort it, then ` +
        `${phrases.again}. ${phrases.result(to)}`,
    };
  return syncCheckout(workspace, {
    intent: {branch, from, to, at: 'looking', checkout: {directory, gitDirectory}, purpose},
    lockTimeoutMs,
  });
}
