import {describeMoved, formatJson} from '../../reports/index.ts';
import {sanitizeText} from '../../shared/index.ts';
import {type Run, selectRun, type State} from '../../domain/index.ts';
import {UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findRun} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';

type Options = {readonly json?: boolean; readonly adopt?: boolean; readonly restore?: boolean};

/**
 * Decides about a moved run branch: adopt the commit that is there, or restore the run's own.
 * Without a choice it shows the state.
 */
export async function branch(
  id: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  const {adopt = false, restore = false} = options;
  if (adopt && restore) throw new UsageError('expected --adopt or --restore, got both');
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    const {moved} = run;
    if (moved === undefined) {
      if (adopt || restore)
        throw new UsageError(`nobody moved the branch of ${run.id}; there is nothing to decide`);
      return print(
        options,
        cli,
        {run: run.id, moved: null},
        `nobody moved the branch of ${run.id}`,
      );
    }

    const {branch: name, expected, found, relation} = moved;
    const data = {run: run.id, branch: name, expected, found, relation};
    if (!adopt && !restore)
      return print(
        options,
        cli,
        {...data, moved: true},
        `${describeMoved(moved)}. Continue from there with --adopt, or move it back with --restore`,
      );
    await live.ask({
      about: 'wish',
      wish: {type: adopt ? 'adopt-branch' : 'restore-branch', run: run.id, commit: found},
    });
    if (adopt)
      return print(
        options,
        cli,
        {...data, adopted: true},
        `${run.id} continues from ${found.slice(0, 12)}`,
      );
    const now = selectRun(await live.until((state) => isSettled(state, run)), run.id);
    if (now?.moved !== undefined)
      throw new UsageError(`${name} could not be restored. See: orchestra needs`);
    return print(
      options,
      cli,
      {...data, restored: true},
      `${name} is back at ${expected.slice(0, 12)}; ${found.slice(0, 12)} is kept. See: orchestra timeline ${run.id}`,
    );
  });
}

/** Whether it was restored, moved again meanwhile, or is blocked. */
function isSettled(state: State, {id}: Run): boolean {
  const run = selectRun(state, id);
  return run?.moved?.isRestoring !== true || run.trouble !== undefined || run.parked !== undefined;
}

function print(options: Options, {out}: CliContext, data: object, text: string): ExitCode {
  out(options.json === true ? formatJson(data) : `${sanitizeText(text)}\n`);
  return 0;
}
