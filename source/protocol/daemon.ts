import type {Event, Wish} from '../domain/index.ts';
import {isRecord, isText} from './fields.ts';
import type {ProtocolRange} from './keeper.ts';

/** Versions of the client protocol that this build speaks. */
export const daemonProtocol: ProtocolRange = {min: 1, max: 1};

/** What a client says. Each question has an id; its answer bears the same. */
export type ClientMessage =
  | {
      readonly type: 'hello';
      readonly protocol: ProtocolRange;
      readonly build: string;
      readonly token: string;
      /** It can put long answers together. */ readonly parts?: boolean;
      /** And long events. */ readonly factParts?: boolean;
      /** A one-time code, for what it asks on this connection. */ readonly code?: string;
      /** A person types it, in a terminal. */ readonly typed?: boolean;
    }
  | {readonly type: 'ask'; readonly id: number; readonly question: Question};

/** Answers are read at the moment of asking; nothing is answered from memory that the kernel or the journal can tell. */
export type Question =
  | {
      readonly about: 'wish';
      readonly wish: Wish;
      readonly env?: Readonly<Record<string, string>>;
      readonly size?: Size;
    }
  | {readonly about: 'state'}
  | {readonly about: 'sessions'}
  | {readonly about: 'explain'; readonly session: string}
  /** What they use of the machine, all in one look: a `UsageReport`. Far cheaper than `explain`, and the question for whoever asks again and again. */
  | {readonly about: 'usage'; readonly sessions: readonly string[]}
  /** With a size, the answer also has the session's screen for a terminal of that size. */
  /** `read`: only where its output is; nothing that opens the session. */
  | {
      readonly about: 'ticket';
      readonly session: string;
      readonly size?: Size;
      readonly read?: boolean;
    }
  | {readonly about: 'services'}
  | {readonly about: 'facts'}
  | {readonly about: 'daemon'}
  /** Of a run or a task that stopped: what failed first, what was tried, what a person can do. */
  | {readonly about: 'explanation'; readonly of: string}
  /** What a run or a task changed. */
  | {readonly about: 'diff'; readonly of: string}
  | {
      readonly about: 'timeline';
      readonly run?: string;
      readonly limit?: number;
      readonly all?: boolean;
    }
  /** Without a moment: since the person was here last, and by this they have come. `stay`: they were here already. */
  | {readonly about: 'brief'; readonly since?: number; readonly stay?: boolean}
  /** The person is here. */
  | {readonly about: 'seen'}
  | {readonly about: 'recall'; readonly words: string; readonly files: readonly string[]}
  | {readonly about: 'audit'; readonly run?: string}
  /** What the person should know of the repository before they begin: `{notes}`. `checkout` as in the request of a run. */
  | {readonly about: 'repository'; readonly checkout?: string}
  /** The saved ways of working of this repository. */
  | {readonly about: 'skills'}
  /** Which environment the sessions of a run get: an `EnvironmentReport` of a run, a task or a session. With `env` it is compared with that. */
  | {
      readonly about: 'environment';
      readonly of: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  /** Directories of dependencies in the checkout, whether tasks get them, and what that costs: a `SharingReport`. */
  | {readonly about: 'dependencies'}
  /** Writes them into `share` of the project file: a person's word. `detected`: all that `dependencies` finds. */
  | {
      readonly about: 'share';
      readonly paths: readonly string[];
      readonly detected?: boolean;
      readonly hardLink?: boolean;
    }
  /** What was discarded and is kept. */
  | {readonly about: 'kept'; readonly of: string}
  /** What could go; with `sweep`, what no journal knows and nobody has touched goes. */
  /** `progress`: how far it is comes as messages before the answer. */
  | {readonly about: 'gc'; readonly sweep?: boolean; readonly progress?: boolean}
  /** Which tasks at work would not merge beside each other. */
  | {readonly about: 'conflicts'}
  /** From now on every event is sent, beginning with the one after `from`. */
  | {readonly about: 'events'; readonly from: number}
  /** Whether what is typed into a session is read now, by what the kernel says: a `TypingAnswer`. */
  | {readonly about: 'typing'; readonly session: string}
  /** The question of a session that waits for a person's answer, if there is one. */
  | {readonly about: 'asked'; readonly session: string}
  /**
   * An agent calls a tool; taken at the agents' own socket alone, which takes nothing else. `call` names the call: asked again by
   * the same name, after a connection broke, it is the same call. The answer is a `ToolAnswer`.
   */
  | {
      readonly about: 'tool';
      readonly tool: string;
      readonly input: unknown;
      readonly call?: string;
      /** So long whoever asks can wait for a person. */ readonly waitMs?: number;
    }
  /** The one-time codes that wait to be used: `CodeReport`s. Answered to a proved person alone. */
  | {readonly about: 'codes'}
  | {readonly about: 'stop-daemon'};

/** A one-time code for a command of somebody who could not be proved to be the person. Times are wall clock, in milliseconds. */
export type CodeReport = {
  readonly number: number;
  readonly code: string;
  readonly intent: string;
  /** The command and what it is about. */
  readonly what: string;
  /** Who asked, and why that is in doubt. */
  readonly words: string;
  readonly at: number;
  readonly until: number;
  /** How often it was asked for. */
  readonly asked: number;
};

/**
 * Why a command was refused: it came from a session (`agent`) or from a hook; it cannot be told who asks (`unknown`) or that a
 * person does (`in-doubt`); the one-time code is not the one for it (`wrong-code`).
 */
export type RefusalCode = 'agent' | 'hook' | 'unknown' | 'in-doubt' | 'wrong-code';

/** What is in doubt about whoever asks. */
export type DoubtReport = {
  readonly pid: number;
  readonly process: string;
  /** `orphan`, `directory`, `terminal`, `hidden`, `relay`, `user`. */
  readonly reasons: readonly string[];
  /** The sessions without a sandbox that it may have left; empty where they have all ended. */
  readonly sessions: readonly string[];
  /** Up to which process its origin can be followed, and whose child that is. */
  readonly origin?: {readonly pid: number; readonly process: string; readonly parent: number};
  /** A one-time code waits for the person in the app. */
  readonly hasCode: boolean;
};

/** `words`: why nobody reads what is typed, and what can be done instead. */
export type TypingAnswer =
  {readonly isRead: true} | {readonly isRead: false; readonly words: string};

/** By session; whoever has ended is not in it. `cpu` is processors kept busy (1 is one whole core), `memory` resident bytes. */
export type UsageReport = {
  readonly at: number;
  readonly usage: Readonly<
    Record<string, {readonly cpu: number; readonly memory: number; readonly processes: number}>
  >;
  /** Why the kernel does not tell. */
  readonly unknown?: string;
};

/** Whether the journal takes records. `isFull`: the disk is full. `remedy` is what a person can do; `reason` ends in it. */
export type JournalNews = {
  readonly mode: 'writing' | 'degraded' | 'read-only';
  readonly reason?: string;
  readonly isFull?: boolean;
  readonly remedy?: string;
};

/** What a tool says to the agent that called it. */
export type ToolAnswer = {readonly text: string; readonly isError?: boolean};

/** `done` of `total` things; `what` is at hand now. */
export type Progress = {readonly what: string; readonly done: number; readonly total: number};

export type Size = {readonly columns: number; readonly rows: number};

/** What the daemon says. Facts are ordered, numbered and complete. */
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
  /** Of an answer that is too long for one frame: pieces of its JSON, in order, and then `answer` without a value. */
  | {readonly type: 'part'; readonly id: number; readonly text: string}
  /** How far an answer is, to whoever asked for that in the question. */
  | ({readonly type: 'progress'; readonly id: number} & Progress)
  | {
      readonly type: 'refusal';
      readonly id: number;
      readonly text: string;
      readonly code?: RefusalCode;
      readonly doubt?: DoubtReport;
    }
  | {readonly type: 'fact'; readonly seq: number; readonly event: Event}
  /** Of an event that is too long for one frame: pieces of its JSON, in order. Nothing else of the events comes in between. */
  | {readonly type: 'fact-part'; readonly seq: number; readonly text: string; readonly last?: true}
  /** Beside the facts, to whoever follows them: when the journal stops taking records or takes them again, and at once to who comes while it does not. */
  | ({readonly type: 'journal'} & JournalNews)
  /** The daemon goes; it or another one is there again after so many ms. */
  | {readonly type: 'bye'; readonly after: number};

export function readDaemonMessage(value: unknown): DaemonMessage | undefined {
  return isRecord(value) && isText(value['type']) ? (value as DaemonMessage) : undefined;
}
