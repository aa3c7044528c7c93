import type {ProcessIdentity} from '../process/process.ts';
import type {TreeRoot} from '../process/tree-of.ts';

/** What is known of a living session when somebody speaks. */
export type PeerSession = TreeRoot & {
  readonly keeper?: ProcessIdentity | undefined;
  /** Where its program works. */
  readonly directory?: string | undefined;
  /** What it may have left cannot reach us, or may ask for the same as a person: nobody is doubted because of it. */
  readonly isHarmless?: boolean | undefined;
};
