import {Refused, type LiveState} from '../../client/index.ts';
import {runOf, undecidedOf, type Run, type RunId, type State} from '../../domain/index.ts';
import {approve} from './approve.ts';

/** What `run --approve` says yes to, for as long as that command lives, also over a daemon that ends: the first plan that it showed. */
export type FirstApproval = {
  /** Says whether it was given; if not, a person has to be asked. */
  readonly give: (
    live: LiveState,
    run: Run,
    show: () => void,
    onDoubt?: (error: Refused) => void,
  ) => Promise<boolean>;
  /** It was refused because it could not be told that the person asks. The plan waits for them. */
  readonly isDoubted: () => boolean;
};

/**
 * A plan, rules or a base that differ from what was shown are not approved by it, and nothing is once it was given: whatever
 * made the run ask again (rules that changed, an edited plan, another round of planning) came after the person's word.
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
      // What is done about a check that is red already, only a person says.
      if (undecidedOf(run).length > 0) return false;
      try {
        await approve(live, run);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.reason.code === 'in-doubt' || error.reason.code === 'wrong-code') {
          isDoubted = true;
          onDoubt?.(error);
          return false;
        }

        // It was refused because it is another one by now, or for a reason that the person must hear.
        if (!(await becomesAnother(live, run.id, now))) throw error;
        return false;
      }

      isGiven = true;
      return true;
    },
  };
}

/** All that an approval binds. */
function boundBy({stage}: Run): string | undefined {
  return stage.at === 'reviewing'
    ? [stage.proposal.hash, stage.ground.rules.hash, stage.ground.base].join(' ')
    : undefined;
}

const settleMs = 1000;

/** The refusal may come before the events that led to it. */
async function becomesAnother(live: LiveState, id: RunId, before: string): Promise<boolean> {
  const isAnother = (state: State): boolean => {
    const run = runOf(state, id);
    return run === undefined || boundBy(run) !== before || undecidedOf(run).length > 0;
  };

  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    late = setTimeout(() => {
      resolve(false);
    }, settleMs);
  });
  try {
    return await Promise.race([live.until(isAnother).then(() => true), patience]);
  } finally {
    clearTimeout(late);
  }
}
