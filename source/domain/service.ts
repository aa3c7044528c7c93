import {
  isRunId,
  isTaskId,
  runIdIn,
  type SessionId,
  type TaskId,
  type WorktreeOwner,
} from './ids.ts';

/** A long-running process that tasks and people use. */
export type Service = {
  readonly spec: ServiceSpec;
  /** Whether it should run. After `stopped-by-person` only a person starts it again. */
  readonly desire: 'none' | 'wanted' | 'stopped-by-person';
  readonly stage: ServiceStage;
  /** Who last asked for it. */
  readonly wantedBy?: 'person' | TaskId;
  /** Times of its latest starts, oldest first, for the limit on restarts. */
  readonly starts: readonly number[];
  /** How often in a row it died early. */
  readonly deaths?: number;
};

export type ServiceSpec = {
  readonly name: string;
  readonly command: string;
  readonly port?: number;
  readonly ready?: Readiness;
  /** A template: each task gets its own instance in its own worktree and with its own port. */
  readonly per?: 'task';
  /** Of an instance: its template, and whose worktree it runs in. Its name is `web@r1.t1`. */
  readonly of?: string;
  readonly owner?: WorktreeOwner;
};

export function instanceName(service: string, owner: WorktreeOwner): string {
  return `${service}@${owner}`;
}

/** Whose worktree a service runs in, from its name; undefined for shared services. */
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
  /** Another process holds its port. It is reported, never killed. */
  | {readonly at: 'foreign-port'; readonly owner: string; readonly since: number};

export type ServiceCondition = 'starting' | 'listening' | 'ready' | 'unhealthy';

export type ServiceFailure =
  /** Without `steady` they happened within a minute; with it no start lasted that long (ms). */
  | {readonly kind: 'restarts'; readonly times: number; readonly steady?: number}
  | {readonly kind: 'permanent'; readonly code: number}
  | {readonly kind: 'not-ready'; readonly limit: number}
  | {readonly kind: 'unwatchable'; readonly words: string};
