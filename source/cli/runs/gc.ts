import {cutLine, sanitizeText} from '../../shared/index.ts';
import {type LiveState, RequestRejectedError} from '../../client/index.ts';
import {formatColumns, formatJson} from '../../reports/index.ts';
import {
  runIdIn,
  selectRun,
  selectWorktree,
  type State,
  type WorktreeOwner,
} from '../../domain/index.ts';
import type {Progress} from '../../protocol/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {withLive} from '../with-daemon.ts';

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

/**
 * Removes worktrees of finished and merged work. Worktrees in use or with unmerged work stay;
 * `discard` backs those up and removes them.
 */
export async function gc(
  options: {readonly dryRun?: boolean; readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const isDry = options.dryRun === true;
    const progress = createProgress(options, cli);
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
      cli.out(
        options.json === true
          ? formatJson({dryRun: isDry, ...report})
          : formatReport(report, isDry, cli.columns),
      );
      return 0;
    } finally {
      progress.end();
    }
  });
}

/** A worktree that is already gone is no error. */
async function tidy(live: LiveState, owner: WorktreeOwner): Promise<void> {
  try {
    await live.ask({about: 'wish', wish: {type: 'tidy-worktree', owner}});
  } catch (error) {
    if (
      !(error instanceof RequestRejectedError) ||
      error.reason.code !== undefined ||
      isKnown(live.state(), owner)
    )
      throw error;
  }
}

function isKnown(state: State, owner: WorktreeOwner): boolean {
  const run = selectRun(state, runIdIn(owner));
  return run !== undefined && selectWorktree(run, owner) !== undefined;
}

function isUnderWay(state: State, owner: WorktreeOwner): boolean {
  const run = selectRun(state, runIdIn(owner));
  return (
    isKnown(state, owner) &&
    run?.trouble === undefined &&
    run?.tasks.some((task) => task.id === owner && task.trouble !== undefined) !== true
  );
}

/** A progress line that is rewritten on a terminal; nothing for a pipe. */
export function createProgress(
  {json}: {readonly json?: boolean},
  {isTerminal, err, columns: width = 80}: Pick<CliContext, 'isTerminal' | 'err' | 'columns'>,
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

function formatReport(
  {worktrees, leftovers, backups}: Report,
  isDry: boolean,
  width: number | undefined,
): string {
  const removal = isDry ? 'would go' : 'removed';
  const rows = [
    ...worktrees.map(({owner, bytes, mayGo, why, path}) => [
      owner,
      formatSize(bytes),
      mayGo ? removal : 'stays',
      why,
      path,
    ]),
    ...leftovers.map(({kind, bytes, why, path}) => [
      kind,
      formatSize(bytes),
      kind === 'worktree' ? 'stays' : removal,
      why,
      path,
    ]),
  ];
  const saved =
    backups.length === 0
      ? ''
      : `\n${backups.length} kept: ${backups
          .slice(0, 5)
          .map(({ref}) => ref)
          .join(', ')}${backups.length > 5 ? ', …' : ''} (git show --stat REF)\n`;
  return `${rows.length === 0 ? 'Orchestra has no worktrees here.\n' : formatColumns([['WORKTREE', 'SIZE', '', 'WHY', 'PATH'], ...rows], width)}${saved}`;
}

function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? ''}`;
}
