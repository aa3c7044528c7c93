import type {SessionId} from '../domain/index.ts';
import type {DaemonMessage, Progress, Question} from '../protocol/index.ts';

/** What is served at a socket. */
export type Service = {
  /** Who comes with this token; nothing for somebody who may not. */
  readonly admit: (token: string) => Guest | undefined;
  /** How many conversations one session may have at once. */
  readonly mostEach?: number;
  readonly build: string;
  readonly seq: () => number;
  /** Why a question about this is not taken here, whatever it says; nothing when it is. */
  readonly refusalOf?: (about: string) => string | undefined;
  /** Answers, or throws an error whose message is the refusal. `onProgress` tells whoever waits how far it is. */
  readonly answer: (
    question: Question,
    client: Client,
    onProgress: (progress: Progress) => void,
  ) => Promise<unknown>;
};

/** A person's program, or the agent of a session. */
export type Guest = {readonly session?: SessionId};

export type Client = {
  readonly name: string;
  /** Whose token it brought, at the agents' socket. */
  readonly session?: SessionId;
  /** The one-time code that it brought. */
  readonly code?: string | undefined;
  /** It says that a person types it, in a terminal. Believed of who is a person. */
  readonly isTyped?: boolean | undefined;
  /** The number of its connection in this process, to ask the kernel about. */
  readonly fd: () => number | undefined;
  /** Sends these, and from now on every event. Throws when there is no room for it. */
  readonly follow: (past: readonly DaemonMessage[]) => void;
};
