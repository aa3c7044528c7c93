import {
  isTaskId,
  isRunId,
  runIdIn,
  type SessionId,
  type TaskId,
  type WorktreeOwner,
} from './ids.ts';

/** A long-running process that tasks and people rely on. */
export type Service = {
  readonly spec: ServiceSpec;
  /** Whether it should run. A person's stop sets it to `stopped-by-person`, and only a person lifts that. */
  readonly desire: 'none' | 'wanted' | 'stopped-by-person';
  readonly stage: ServiceStage;
  /** Who asked for it last. */
  readonly wantedBy?: 'person' | TaskId;
  /** Times of its latest starts, oldest first: what the limit on restarts looks at. */
  readonly starts: readonly number[];
  /** How often in a row it died before it had run for a while. */
  readonly deaths?: number;
};

export type ServiceSpec = {
  readonly name: string;
  readonly command: string;
  readonly port?: number;
  readonly ready?: Readiness;
  /** Each task has one for itself, in its own worktree and at a port of its own: this is only what they are made from. */
  readonly per?: 'task';
  /** Of such a one: the service that it is an instance of, and whose worktree it runs in. Its name is `web@r1.t1`. */
  readonly of?: string;
  readonly owner?: WorktreeOwner;
};

export function instanceName(service: string, owner: WorktreeOwner): string {
  return `${service}@${owner}`;
}

/** Whose worktree a service runs in, by its name; nothing for one that all share. */
export function ownerInServiceName(name: string): WorktreeOwner | undefined {
  const owner = name.split('@')[1] as WorktreeOwner | undefined;
  if (owner === undefined) return undefined;
  return isTaskId(owner) || (owner.endsWith('.merge') && isRunId(runIdIn(owner)))
    ? owner
    : undefined;
}

export type Readiness =
  | {readonly by: 'port'}
  | {readonly by: 'http'; readonly path: string}
  | {readonly by: 'log'; readonly pattern: string};

export type ServiceStage =
  | {readonly at: 'down'}
  | {
      readonly at: 'up';
      readonly session: SessionId;
      readonly condition: ServiceCondition;
      readonly since: number;
    }
  | {readonly at: 'backing-off'; readonly until: number}
  | {readonly at: 'failed'; readonly why: ServiceFailure; readonly since: number}
  /** Somebody else holds its port. Reported, never killed. */
  | {readonly at: 'foreign-port'; readonly owner: string; readonly since: number};

export type ServiceCondition = 'starting' | 'listening' | 'ready' | 'unhealthy';

export type ServiceFailure =
  /** Without `steady` they came within a minute; with it none of the starts lasted for so long (ms). */
  | {readonly kind: 'restarts'; readonly times: number; readonly steady?: number}
  | {readonly kind: 'permanent'; readonly code: number}
  | {readonly kind: 'not-ready'; readonly limit: number}
  | {readonly kind: 'unwatchable'; readonly words: string};
