import {cutLine, sanitizeText} from '../../base/index.ts';
import {Refused, type LiveState} from '../../client/index.ts';
import {columns, formatJson} from '../../documents/index.ts';
import {runOf, runIdIn, worktreeOf, type State, type WorktreeOwner} from '../../domain/index.ts';
import type {Progress} from '../../protocol/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {withLive} from './with-live.ts';

type Report = {
  readonly worktrees: readonly {
    readonly owner: string;
    readonly path: string;
    readonly bytes: number;
    readonly mayGo: boolean;
    readonly why: string;
  }[];
  readonly leftovers: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly kind: string;
    readonly why: string;
  }[];
  readonly backups: readonly {readonly ref: string; readonly at: number; readonly bytes: number}[];
};

/** Worktrees of what is over and merged. What somebody is at work in stays, and so does what is not merged: `discard` keeps that and removes it. */
export async function gc(
  options: {readonly dryRun?: boolean; readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const isDry = options.dryRun === true;
    const progress = createProgress(options, surroundings);
    try {
      const report = (await live.ask(
        {about: 'gc', progress: true, ...(isDry ? {} : {sweep: true})},
        progress.tell,
      )) as Report;
      const going = isDry
        ? []
        : report.worktrees
            .filter(({mayGo}) => mayGo)
            .map(({owner}) => owner as WorktreeOwner)
            .filter((owner) => isKnown(live.state(), owner));
      for (const owner of going) await tidy(live, owner);
      await live.until((state) => {
        const left = going.filter((owner) => isUnderWay(state, owner));
        if (left[0] !== undefined)
          progress.tell({
            what: `removing ${left[0]}`,
            done: going.length - left.length,
            total: going.length,
          });
        return left.length === 0;
      });
      progress.end();
      surroundings.out(
        options.json === true
          ? formatJson({dryRun: isDry, ...report})
          : textOf(report, isDry, surroundings.columns),
      );
      return 0;
    } finally {
      progress.end();
    }
  });
}

/** One that has gone since it was looked at needs nobody's word any more. */
async function tidy(live: LiveState, owner: WorktreeOwner): Promise<void> {
  try {
    await live.ask({about: 'wish', wish: {type: 'tidy-worktree', owner}});
  } catch (error) {
    if (
      !(error instanceof Refused) ||
      error.reason.code !== undefined ||
      isKnown(live.state(), owner)
    )
      throw error;
  }
}

function isKnown(state: State, owner: WorktreeOwner): boolean {
  const run = runOf(state, runIdIn(owner));
  return run !== undefined && worktreeOf(run, owner) !== undefined;
}

function isUnderWay(state: State, owner: WorktreeOwner): boolean {
  const run = runOf(state, runIdIn(owner));
  return (
    isKnown(state, owner) &&
    run?.trouble === undefined &&
    run?.tasks.some((task) => task.id === owner && task.trouble !== undefined) !== true
  );
}

/** One line that is written over, where a person looks; a program that reads the output gets none of it. */
export function createProgress(
  {json}: {readonly json?: boolean},
  {isTerminal, err, columns: width = 80}: Pick<Surroundings, 'isTerminal' | 'err' | 'columns'>,
): {readonly tell: (progress: Progress) => void; readonly end: () => void} {
  const isShown = isTerminal && json !== true;
  let hasLine = false;
  return {
    tell: ({what, done, total}) => {
      if (!isShown) return;
      hasLine = true;
      err(
        `\r\u001B[K${cutLine(sanitizeText(`${what} (${Math.min(done + 1, total)} of ${total})`), Math.max(10, width - 1))}`,
      );
    },
    end: () => {
      if (hasLine) err('\r\u001B[K');
      hasLine = false;
    },
  };
}

function textOf(
  {worktrees, leftovers, backups}: Report,
  isDry: boolean,
  width: number | undefined,
): string {
  const rows = [
    ...worktrees.map(({owner, bytes, mayGo, why, path}) => [
      owner,
      sizeOf(bytes),
      mayGo ? (isDry ? 'would go' : 'removed') : 'stays',
      why,
      path,
    ]),
    ...leftovers.map(({kind, bytes, why, path}) => [
      kind,
      sizeOf(bytes),
      kind === 'worktree' ? 'stays' : isDry ? 'would go' : 'removed',
      why,
      path,
    ]),
  ];
  const kept =
    backups.length === 0
      ? ''
      : `\n${backups.length} kept: ${backups
          .slice(0, 5)
          .map(({ref}) => ref)
          .join(', ')}${backups.length > 5 ? ', …' : ''} (git show --stat REF)\n`;
  return `${rows.length === 0 ? 'There is no worktree of ours.\n' : columns([['WORKTREE', 'SIZE', '', 'WHY', 'PATH'], ...rows], width)}${kept}`;
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? ''}`;
}
