import {columns, formatJson} from '../../documents/index.ts';
import {runOf, runIdIn, worktreeOf, type WorktreeOwner} from '../../domain/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {withLive} from './with-live.ts';

type Report = {
  readonly worktrees: readonly {readonly owner: string; readonly path: string; readonly bytes: number; readonly mayGo: boolean; readonly why: string}[];
  readonly leftovers: readonly {readonly path: string; readonly bytes: number; readonly kind: string; readonly why: string}[];
  readonly backups: readonly {readonly ref: string; readonly at: number; readonly bytes: number}[];
};

/** Worktrees of what is over and merged. What somebody is at work in stays, and so does what is not merged: `discard` keeps that and removes it. */
export async function gc(options: {readonly dryRun?: boolean; readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const isDry = options.dryRun === true;
    const report = (await live.ask({about: 'gc', ...(isDry ? {} : {sweep: true})})) as Report;
    const going = isDry ? [] : report.worktrees.filter(({mayGo}) => mayGo).map(({owner}) => owner as WorktreeOwner);
    for (const owner of going) await live.ask({about: 'wish', wish: {type: 'tidy-worktree', owner}});
    await live.until((state) => going.every((owner) => {
      const run = runOf(state, runIdIn(owner));
      return run === undefined || run.trouble !== undefined || run.tasks.some((task) => task.id === owner && task.trouble !== undefined) || worktreeOf(run, owner) === undefined;
    }));
    surroundings.out(options.json === true ? formatJson({dryRun: isDry, ...report}) : textOf(report, isDry, surroundings.columns));
    return 0;
  });
}

function textOf({worktrees, leftovers, backups}: Report, isDry: boolean, width: number | undefined): string {
  const rows = [
    ...worktrees.map(({owner, bytes, mayGo, why, path}) => [owner, sizeOf(bytes), mayGo ? (isDry ? 'would go' : 'removed') : 'stays', why, path]),
    ...leftovers.map(({kind, bytes, why, path}) => [kind, sizeOf(bytes), kind === 'worktree' ? 'stays' : isDry ? 'would go' : 'removed', why, path]),
  ];
  const kept = backups.length === 0 ? '' : `\n${backups.length} kept: ${backups.slice(0, 5).map(({ref}) => ref).join(', ')}${backups.length > 5 ? ', …' : ''} (git show --stat REF)\n`;
  return `${rows.length === 0 ? 'There is no worktree of ours.\n' : columns([['WORKTREE', 'SIZE', '', 'WHY', 'PATH'], ...rows], width)}${kept}`;
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? ''}`;
}
