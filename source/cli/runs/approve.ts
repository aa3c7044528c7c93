import {type LiveState, RequestRejectedError} from '../../client/index.ts';
import {type Run, type RunId, selectRun, selectUndecided, type State} from '../../domain/index.ts';
import {UsageError} from '../repo-paths.ts';

/**
 * The approval by `run --approve`, for the lifetime of that command, even across a daemon restart:
 * it covers the first plan that was shown.
 */
export type FirstApproval = {
  /** Returns whether it was given; if not, the person must decide. */
  readonly give: (
    live: LiveState,
    run: Run,
    show: () => void,
    onDoubt?: (error: RequestRejectedError) => void,
  ) => Promise<boolean>;
  /**
   * Whether it was rejected because the sender could not be proved to be the person. The plan then
   * waits for them.
   */
  readonly isDoubted: () => boolean;
};

/**
 * A plan, rules or base that differ from what was shown are not covered, and neither is a second
 * approval: whatever made the run ask again (changed rules, an edited plan, another round of
 * planning) came after the person's decision.
 */
export function createFirstApproval(): FirstApproval {
  let shown: string | undefined;
  let isGiven = false;
  let isDoubted = false;
  return {
    isDoubted: () => isDoubted,
    give: async (live, run, show, onDoubt) => {
      const now = boundBy(run);
      if (now === undefined || isGiven || isDoubted || (shown !== undefined && shown !== now))
        return false;
      if (shown === undefined) show();
      shown = now;
      // Only the person decides about checks that fail on the base.
      if (selectUndecided(run).length > 0) return false;
      try {
        await approve(live, run);
      } catch (error) {
        if (!(error instanceof RequestRejectedError)) throw error;
        if (error.reason.code === 'in-doubt' || error.reason.code === 'wrong-code') {
          isDoubted = true;
          onDoubt?.(error);
          return false;
        }

        // It was rejected because the plan has changed, or for a reason that the person must see.
        if (!(await becomesAnother(live, run.id, now))) throw error;
        return false;
      }

      isGiven = true;
      return true;
    },
  };
}

/** Everything that an approval binds. */
function boundBy({stage}: Run): string | undefined {
  return stage.at === 'reviewing'
    ? [stage.proposal.hash, stage.ground.rules.hash, stage.ground.base].join(' ')
    : undefined;
}

const settleMs = 1000;

/** The rejection may arrive before the events that caused it. */
async function becomesAnother(live: LiveState, id: RunId, before: string): Promise<boolean> {
  const isAnother = (state: State): boolean => {
    const run = selectRun(state, id);
    return run === undefined || boundBy(run) !== before || selectUndecided(run).length > 0;
  };

  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, settleMs);
  });
  try {
    return await Promise.race([live.until(isAnother).then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Approves the plan, the rules and the base as they are now. */
export async function approve(live: LiveState, {id, stage}: Run): Promise<void> {
  if (stage.at !== 'reviewing')
    throw new UsageError(`${id} has no plan that waits for your approval; it is ${stage.at}`);
  const {proposal, ground} = stage;
  await live.ask({
    about: 'wish',
    wish: {
      type: 'approve-plan',
      run: id,
      plan: proposal.hash,
      rules: ground.rules.hash,
      base: ground.base,
    },
  });
}
