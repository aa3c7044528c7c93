import type {SessionId, State} from '../domain/index.ts';
import type {Kernel} from '../machine/index.ts';
import type {Size} from '../protocol/index.ts';
import type {SessionStore} from './session-store.ts';

/** What the performers work with. */
export type Workshop = {
  readonly state: () => State;
  readonly store: SessionStore;
  /** The root of the repository. */
  readonly root: string;
  /** How a keeper is started; its directory is appended. */
  readonly keeperProgram: readonly string[];
  readonly randomToken: () => string;
  /** The environment and the screen size that a session gets. */
  readonly surroundingsOf: (session: SessionId) => {readonly env: Readonly<Record<string, string>>; readonly size: Size};
  readonly now: () => number;
  readonly kernel: Kernel;
};
