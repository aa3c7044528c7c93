import {Buffer} from 'node:buffer';
import {timingSafeEqual} from 'node:crypto';
import type {
  DaemonMessage,
  DoubtReport,
  Progress,
  Question,
  RefusalCode,
} from '../../protocol/index.ts';
import type {SessionId} from '../../domain/index.ts';

/** A rejected request: a message for people and a reason for programs. */
export class RejectRequestError extends Error {
  override readonly name = 'RejectRequestError';
  readonly reason: {readonly code: RefusalCode; readonly doubt?: DoubtReport};

  constructor(text: string, reason: RejectRequestError['reason']) {
    super(text);
    this.reason = reason;
  }
}

/** What a server does at its socket. */
export type SocketService = {
  /** The owner of a token; undefined if it is invalid. */
  readonly authenticate: (token: string) => Principal | undefined;
  /** How many connections one session may have at once. */
  readonly maxPerPrincipal?: number;
  readonly build: string;
  readonly seq: () => number;
  /** Why this kind of question is rejected at this socket; undefined if it is not. */
  readonly refusalOf?: (about: string) => string | undefined;
  /** Answers, or throws an error whose message is the refusal. */
  readonly answer: (
    question: Question,
    client: Client,
    onProgress: (progress: Progress) => void,
  ) => Promise<unknown>;
};

/** The owner of a token: a person's client, or the agent of `session`. */
export type Principal = {readonly session?: SessionId};

export type Client = {
  readonly name: string;
  /** At the agents' socket: the session of its token. */
  readonly session?: SessionId;
  /** The one-time code that it sent. */
  readonly code?: string | undefined;
  /** The client says that a person typed the command. Counts only for a client that is a person. */
  readonly isTyped?: boolean | undefined;
  /** The file descriptor of its connection, to ask the kernel about. */
  readonly fd: () => number | undefined;
  /** Sends these messages and from now on every event. Throws if there are too many followers. */
  readonly follow: (past: readonly DaemonMessage[]) => void;
};

/** Compares in constant time. */
export function isSameToken(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
