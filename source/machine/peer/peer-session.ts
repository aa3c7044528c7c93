import type {ProcessIdentity} from '../process/process.ts';
import type {TreeRoot} from '../process/tree-of.ts';

/** What is known of a living session when somebody speaks. */
export type PeerSession = TreeRoot & {
  readonly keeper?: ProcessIdentity | undefined;
  /** Where its program works. */
  readonly directory?: string | undefined;
};
