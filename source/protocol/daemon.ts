import {isRecord} from '../shared/index.ts';
import {isCount, isText} from './fields.ts';
import type {Event, UserCommand} from '../domain/index.ts';
import type {ProtocolRange} from './keeper.ts';

/**
 * In the state directory: recent starts of daemons that were not asked to end. Written by the
 * daemon that holds the lock.
 */
export const daemonStartsFile = 'starts.json';

/** `at` is wall clock, in milliseconds. */
export type DaemonStart = {readonly pid: number; readonly at: number};

/** How long a start counts. */
export const startsWindowMs = 60_000;

export function parseDaemonStarts(text: string): DaemonStart[] {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value.filter(isStart).map(({pid, at}) => ({pid, at})) : [];
  } catch {
    return [];
  }
}

function isStart(value: unknown): value is DaemonStart {
  return isRecord(value) && isCount(value['pid']) && isCount(value['at']);
}

/** Versions of the client protocol that this build speaks. */
export const daemonProtocol: ProtocolRange = {min: 1, max: 1};

/** Messages of a client. Each question has an id, and its answer has the same. */
export type ClientMessage =
  | {
      readonly type: 'hello';
      readonly protocol: ProtocolRange;
      readonly build: string;
      readonly token: string;
      /** The client can join answers that come in parts. */
      readonly parts?: boolean;
      /** The client can join events that come in parts. */
      readonly factParts?: boolean;
      /** A one-time code that authorises the questions of this connection. */
      readonly code?: string;
      /** The request was typed by a person in a terminal. */
      readonly typed?: boolean;
    }
  | {readonly type: 'ask'; readonly id: number; readonly question: Question};

/** Answers are computed when asked; nothing is cached that the kernel or the journal can tell. */
export type Question =
  | {
      readonly about: 'wish';
      readonly wish: UserCommand;
      readonly env?: Readonly<Record<string, string>>;
      readonly size?: TerminalSize;
    }
  | {readonly about: 'state'}
  | {readonly about: 'sessions'}
  | {readonly about: 'explain'; readonly session: string}
  /**
   * Resource usage of sessions in one pass: a `UsageReport`. Far cheaper than `explain`, and meant
   * for polling.
   */
  | {readonly about: 'usage'; readonly sessions: readonly string[]}
  /**
   * With `size`, the answer also has the session's screen for a terminal of that size; with `own`,
   * for a terminal of the session's own size. `read`: only where its output is, and nothing that
   * opens the session.
   */
  | {
      readonly about: 'ticket';
      readonly session: string;
      readonly size?: TerminalSize;
      readonly own?: boolean;
      readonly read?: boolean;
    }
  | {readonly about: 'services'}
  | {readonly about: 'facts'}
  | {readonly about: 'daemon'}
  /** About a run or task that stopped: what failed first, what was tried, what a person can do. */
  | {readonly about: 'explanation'; readonly of: string}
  /**
   * What a run or a task changed. `context`: how many unchanged lines the text has around each
   * change, 3 unless given. `against`: how the task differs from this one, instead of from its base.
   */
  | {
      readonly about: 'diff';
      readonly of: string;
      readonly context?: number;
      readonly against?: string;
    }
  | {
      readonly about: 'timeline';
      readonly run?: string;
      readonly limit?: number;
      readonly all?: boolean;
    }
  /**
   * Without `since`: since the person's last visit, and this question counts as a visit unless
   * `stay` is set.
   */
  | {readonly about: 'brief'; readonly since?: number; readonly stay?: boolean}
  /** The person is at the app now. */
  | {readonly about: 'seen'}
  | {readonly about: 'recall'; readonly words: string; readonly files: readonly string[]}
  | {readonly about: 'audit'; readonly run?: string}
  /**
   * What the person should know about the repository before a run: `{notes}`. `checkout` as in a
   * run request.
   */
  | {readonly about: 'repository'; readonly checkout?: string}
  /** Saved skills of this repository. */
  | {readonly about: 'skills'}
  /**
   * The environment of the sessions of a run, task or session: an `EnvironmentReport`. With `env`,
   * compared with it.
   */
  | {
      readonly about: 'environment';
      readonly of: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  /**
   * Dependency directories of the checkout, whether tasks get them, and what that costs: a
   * `SharingReport`.
   */
  | {readonly about: 'dependencies'}
  /**
   * Adds directories to `share` in the project file; for a person only. `detected`: all that
   * `dependencies` finds.
   */
  | {
      readonly about: 'share';
      readonly paths: readonly string[];
      readonly detected?: boolean;
      readonly hardLink?: boolean;
    }
  /** Discarded work that was saved. */
  | {readonly about: 'kept'; readonly of: string}
  /**
   * What can be removed; with `sweep`, whatever no journal knows and nothing uses is removed.
   * `progress`: sends progress messages before the answer.
   */
  | {readonly about: 'gc'; readonly sweep?: boolean; readonly progress?: boolean}
  /** Active tasks that would conflict when merged. */
  | {readonly about: 'conflicts'}
  /** Sends every event after number `from`, and all future ones. */
  | {readonly about: 'events'; readonly from: number}
  /** Whether the session reads its terminal now, according to the kernel: a `TypingAnswer`. */
  | {readonly about: 'typing'; readonly session: string}
  /**
   * Gives files of the person to the program of a session: `{files: GivenFile[]}`, one for each
   * absolute path. Copies what the program cannot read; with `copies: 'all'`, every file.
   */
  | {
      readonly about: 'give-files';
      readonly session: string;
      readonly files: readonly string[];
      readonly copies?: 'all';
    }
  /** The open question of a session to a person, if there is one. */
  | {readonly about: 'asked'; readonly session: string}
  /**
   * An agent calls a tool. Accepted only at the agents' own socket, which accepts nothing else.
   * `call` identifies the call: sent again after a lost connection, it is the same call. The answer
   * is a `ToolAnswer`.
   */
  | {
      readonly about: 'tool';
      readonly tool: string;
      readonly input: unknown;
      readonly call?: string;
      /** How long the caller can wait for a person. */
      readonly waitMs?: number;
    }
  /** The open one-time codes: `CodeReport`s. Only a proved person gets them. */
  | {readonly about: 'codes'}
  | {readonly about: 'stop-daemon'};

/**
 * A one-time code for a command whose sender could not be proved to be the person. Times are wall
 * clock, in milliseconds.
 */
export type CodeReport = {
  readonly number: number;
  readonly code: string;
  readonly intent: string;
  /** The command and its subject. */
  readonly what: string;
  /** Who asked, and the reason for the doubt. */
  readonly words: string;
  readonly at: number;
  readonly until: number;
  /** How often it was asked for. */
  readonly asked: number;
};

/**
 * Why a command was refused: it came from a session (`agent`) or a hook; the sender is unknown
 * (`unknown`) or not proved to be a person (`in-doubt`); the one-time code is not valid for it
 * (`wrong-code`).
 */
export type RefusalCode = 'agent' | 'hook' | 'unknown' | 'in-doubt' | 'wrong-code';

/** The doubt about the sender of a command. */
export type DoubtReport = {
  readonly pid: number;
  readonly process: string;
  /** `orphan`, `directory`, `terminal`, `hidden`, `relay`, `user`. */
  readonly reasons: readonly string[];
  /** Sessions without a sandbox that the process may come from; empty if they have all ended. */
  readonly sessions: readonly string[];
  /** The last process up to which the origin can be followed, and its parent. */
  readonly origin?: {readonly pid: number; readonly process: string; readonly parent: number};
  /** The app shows a one-time code for it to the person. */
  readonly hasCode: boolean;
};

/** `words`: why typed input is not read, and what to do instead. */
export type TypingAnswer =
  {readonly isRead: true} | {readonly isRead: false; readonly words: string};

/**
 * By session, without those that have ended. `cpu` is the number of busy cores, `memory` is
 * resident bytes, `pulse` the bytes that its terminal printed in each of the last eight intervals of
 * five seconds, oldest first (absent from older daemons).
 */
export type UsageReport = {
  readonly at: number;
  readonly usage: Readonly<
    Record<
      string,
      {
        readonly cpu: number;
        readonly memory: number;
        readonly processes: number;
        readonly pulse?: readonly number[];
      }
    >
  >;
  /** Why the kernel gives no answer. */
  readonly unknown?: string;
};

/**
 * Whether the journal takes records. `isFull`: the disk is full. `remedy` is what a person can do;
 * `reason` ends with it.
 */
export type JournalNews = {
  readonly mode: 'writing' | 'degraded' | 'read-only';
  readonly reason?: string;
  readonly isFull?: boolean;
  readonly remedy?: string;
};

/**
 * What became of a file of the person: `shown` as it is, `copied` to another path, or not to be
 * given. `path` is what to type.
 */
export type GivenFile =
  | {readonly at: 'shown' | 'copied' | 'missing'; readonly path: string}
  /** `why` follows the path: "is larger than 32 MiB". */
  | {readonly at: 'refused'; readonly path: string; readonly why: string};

/** The largest file that is copied for a session, and how many at once. */
export const maxGivenBytes = 32 * 1024 * 1024;
export const maxGivenFiles = 20;

/** The answer of a tool to the agent that called it. */
export type ToolAnswer = {readonly text: string; readonly isError?: boolean};

/** `done` of `total` steps; `what` is the current one. */
export type Progress = {readonly what: string; readonly done: number; readonly total: number};

export type TerminalSize = {readonly columns: number; readonly rows: number};

export function isSameSize(one: TerminalSize, other: TerminalSize): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

/** Messages of the daemon. Facts are ordered, numbered and complete. */
export type DaemonMessage =
  | {
      readonly type: 'welcome';
      readonly protocol: number;
      readonly build: string;
      readonly pid: number;
      readonly seq: number;
    }
  | {
      readonly type: 'error';
      readonly code: 'version' | 'token' | 'busy' | 'malformed';
      readonly text: string;
      readonly have?: ProtocolRange;
    }
  | {readonly type: 'answer'; readonly id: number; readonly value: unknown}
  /**
   * A piece of the JSON of an answer that is too long for one frame. After the last one comes
   * `answer` without a value.
   */
  | {readonly type: 'part'; readonly id: number; readonly text: string}
  /** Progress of an answer, if the question asked for it. */
  | ({readonly type: 'progress'; readonly id: number} & Progress)
  | {
      readonly type: 'refusal';
      readonly id: number;
      readonly text: string;
      readonly code?: RefusalCode;
      readonly doubt?: DoubtReport;
    }
  | {readonly type: 'fact'; readonly seq: number; readonly event: Event}
  /**
   * A piece of the JSON of an event that is too long for one frame. No other event comes in
   * between.
   */
  | {readonly type: 'fact-part'; readonly seq: number; readonly text: string; readonly last?: true}
  /**
   * Sent to clients that follow events: when the journal stops taking records or takes them again,
   * and at once to a client that connects while it does not.
   */
  | ({readonly type: 'journal'} & JournalNews)
  /** The daemon exits; it or another one runs again after this time (ms). */
  | {readonly type: 'bye'; readonly after: number};

export function parseDaemonMessage(value: unknown): DaemonMessage | undefined {
  return isRecord(value) && isText(value['type']) ? (value as DaemonMessage) : undefined;
}
