/** Readable, numbered ids: `r1`, `r1.t3`, `r1.t3.a2`, `s7`. */
export type RunId = `r${number}`;
export type TaskId = `${RunId}.t${number}`;
export type AttemptId = `${TaskId}.a${number}`;
export type SessionId = `s${number}`;

/** Who uses a worktree: the planner of a run, one task, or the checks of merges. */
export type WorktreeOwner = `${RunId}.plan` | TaskId | `${RunId}.merge`;

export function toRunId(number: number): RunId {
  return `r${number}`;
}

export function toSessionId(number: number): SessionId {
  return `s${number}`;
}

/** `t3` of run `r1` → `r1.t3`. The plan parser has validated the form of `t3`. */
export function toTaskId(run: RunId, planned: string): TaskId {
  return `${run}.${planned}` as TaskId;
}

export function toAttemptId(task: TaskId, number: number): AttemptId {
  return `${task}.a${number}`;
}

/** The run that an id belongs to. */
export function runIdIn(id: RunId | TaskId | AttemptId | WorktreeOwner): RunId {
  return id.split('.', 1)[0] as RunId;
}

export function isTaskId(id: string): id is TaskId {
  return /^r[1-9]\d*\.t[1-9]\d*$/.test(id);
}

export function isRunId(id: string): id is RunId {
  return /^r[1-9]\d*$/.test(id);
}

export function isSessionId(id: string): id is SessionId {
  return /^s[1-9]\d*$/.test(id);
}

/** `r12` → 12, `s7` → 7. */
export function toIdNumber(id: RunId | SessionId): number {
  return Number(id.slice(1));
}
