import {describeMoved, formatJson} from '../../documents/index.ts';
import {sanitizeText} from '../../base/index.ts';
import {runOf, type Run, type State} from '../../domain/index.ts';
import {Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {withLive} from './with-live.ts';

type Options = {readonly json?: boolean; readonly adopt?: boolean; readonly restore?: boolean};

/** What holds when somebody moved a run's branch: the commit that is there, or what the run left there. Without a choice it says how things stand. */
export async function branch(
  id: string | undefined,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const {adopt = false, restore = false} = options;
  if (adopt && restore) throw new Impossible('expected --adopt or --restore, got both');
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    const {moved} = run;
    if (moved === undefined) {
      if (adopt || restore)
        throw new Impossible(
          `the branch of ${run.id} is where ${run.id} left it; there is nothing to decide`,
        );
      return say(
        options,
        surroundings,
        {run: run.id, moved: null},
        `the branch of ${run.id} is where ${run.id} left it`,
      );
    }

    const {branch: name, expected, found, relation} = moved;
    const data = {run: run.id, branch: name, expected, found, relation};
    if (!adopt && !restore)
      return say(
        options,
        surroundings,
        {...data, moved: true},
        `${describeMoved(moved)}. Take it over with --adopt, or put it back with --restore`,
      );
    await live.ask({
      about: 'wish',
      wish: {type: adopt ? 'adopt-branch' : 'restore-branch', run: run.id, commit: found},
    });
    if (adopt)
      return say(
        options,
        surroundings,
        {...data, adopted: true},
        `${run.id} goes on from ${found.slice(0, 12)}`,
      );
    const now = runOf(await live.until((state) => isSettled(state, run)), run.id);
    if (now?.moved !== undefined)
      throw new Impossible(`${name} could not be put back. See: orchestra needs`);
    return say(
      options,
      surroundings,
      {...data, restored: true},
      `${name} is back at ${expected.slice(0, 12)}; ${found.slice(0, 12)} is kept. See: orchestra timeline ${run.id}`,
    );
  });
}

/** Put back, moved again meanwhile, or in the way of something. */
function isSettled(state: State, {id}: Run): boolean {
  const run = runOf(state, id);
  return run?.moved?.isRestoring !== true || run.trouble !== undefined || run.parked !== undefined;
}

function say(options: Options, {out}: Surroundings, data: object, words: string): ExitCode {
  out(options.json === true ? formatJson(data) : `${sanitizeText(words)}\n`);
  return 0;
}
