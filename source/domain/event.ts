import type {BaselineEvents} from './events/baseline.ts';
import type {DaemonEvents} from './events/daemon.ts';
import type {MergeEvents} from './events/merge.ts';
import type {PlanEvents} from './events/plan.ts';
import type {RunEvents} from './events/run.ts';
import type {ServiceEvents} from './events/service.ts';
import type {SessionEvents} from './events/session.ts';
import type {TaskEvents} from './events/task.ts';

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
