import type {BaselineEvents, PlanEvents, RunEvents} from './events/run.ts';
import type {MergeEvents, TaskEvents} from './events/task.ts';
import type {ServiceEvents, SessionEvents} from './events/session.ts';
import type {RunId, SessionId, TaskId} from './ids.ts';
import type {Project} from './state.ts';
import type {TroubleReason} from './task.ts';

/**
 * Something that happened. Events are the public record: their names and fields never change. New
 * information needs a new event or a new optional field.
 */
export type Event = {
  readonly [Type in keyof EventData]: {readonly type: Type; readonly at: number} & EventData[Type];
}[keyof EventData];

export type EventType = keyof EventData;

export type EventOf<Type extends EventType> = Extract<Event, {readonly type: Type}>;

/** An event without its time. */
export type EventBody = {
  readonly [Type in keyof EventData]: {readonly type: Type} & EventData[Type];
}[keyof EventData];

type EventData = DaemonEvents &
  RunEvents &
  PlanEvents &
  BaselineEvents &
  TaskEvents &
  MergeEvents &
  SessionEvents &
  ServiceEvents;

type DaemonEvents = {
  /** `journal` is the id of the journal, recorded by the first start of a new one. */
  'daemon-started': {readonly build: string; readonly journal?: string};
  /** A graceful shutdown: effects in flight did not crash. */
  'daemon-stopping': object;
  'project-read': {readonly project: Project};
  /** Notes of the journal about itself; they do not change the state. */
  'journal-truncated': {readonly bytes: number; readonly kept: string};
  'disk-full': object;
  'effect-begun': {readonly effect: string};
  'trouble-met': {readonly owner: RunId | TaskId; readonly why: TroubleReason};
  'note-added': {readonly on: string; readonly text: string};
  /** `session` is s0 where no session is known; `words` then describe the sender. */
  'intrusion-refused': {
    readonly session: SessionId;
    readonly intent: string;
    readonly words?: string;
  };
  /**
   * A command came from inside a person's own session, or from a sender (s0, `words`) that could
   * not be proved to be the person. It was carried out.
   */
  'command-noted': {readonly session: SessionId; readonly intent: string; readonly words?: string};
  'intrusion-seen': {readonly number: number};
};

/**
 * Whether an event concerns a run: itself, its tasks, its worktrees, or one of its `sessions`.
 */
export function isAboutRun(event: Event, run: RunId, sessions: ReadonlySet<string>): boolean {
  const {
    run: named,
    task,
    owner,
    session,
    on,
  } = event as {
    readonly run?: string;
    readonly task?: string;
    readonly owner?: string;
    readonly session?: string;
    readonly on?: string;
  };
  return (
    [named, task, owner, on].some((id) => id === run || id?.startsWith(`${run}.`) === true) ||
    (session !== undefined && sessions.has(session))
  );
}
