import {columns, formatJson} from '../../documents/index.ts';
import {runOf, runIdIn, worktreeOf, type WorktreeOwner} from '../../domain/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {withLive} from './with-live.ts';

type Candidate = {readonly owner: string; readonly path: string; readonly bytes: number; readonly mayGo: boolean; readonly why: string};

/** Worktrees of what is over. What is not merged is kept by a ref and a patch; what somebody is at work in stays. */
export async function gc(options: {readonly dryRun?: boolean; readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const {candidates} = (await live.ask({about: 'gc'})) as {readonly candidates: readonly Candidate[]};
    const going = options.dryRun === true ? [] : candidates.filter(({mayGo}) => mayGo);
    for (const {owner} of going) await live.ask({about: 'wish', wish: {type: 'tidy-worktree', owner: owner as WorktreeOwner}});
    await live.until((state) => going.every(({owner}) => {
      const run = runOf(state, runIdIn(owner as WorktreeOwner));
      return run === undefined || run.trouble !== undefined || worktreeOf(run, owner as WorktreeOwner) === undefined;
    }));
    if (options.json === true) surroundings.out(formatJson({dryRun: options.dryRun === true, candidates}));
    else surroundings.out(textOf(candidates, options.dryRun === true, surroundings.columns));
    return 0;
  });
}

function textOf(candidates: readonly Candidate[], isDry: boolean, width: number | undefined): string {
  if (candidates.length === 0) return 'There is no worktree of ours.\n';
  const rows = candidates.map(({owner, bytes, mayGo, why, path}) => [owner, sizeOf(bytes), mayGo ? (isDry ? 'would go' : 'removed') : 'stays', why, path]);
  return columns([['WORKTREE', 'SIZE', '', 'WHY', 'PATH'], ...rows], width);
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? ''}`;
}
