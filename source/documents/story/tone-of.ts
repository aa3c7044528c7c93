import type {EventType} from '../../domain/index.ts';
import type {Tone} from './paint.ts';

/** Whether an event is good or bad news, or neither. */
export function toneOf(type: EventType): Tone | undefined {
  if (bad.has(type)) return 'bad';
  return good.has(type) ? 'good' : undefined;
}

const bad: ReadonlySet<EventType> = new Set<EventType>([
  'journal-truncated',
  'disk-full',
  'trouble-met',
  'intrusion-refused',
  'run-parked',
  'budget-exhausted',
  'accept-refused',
  'worktree-vanished',
  'plan-invalid',
  'planner-wrote',
  'planner-failed',
  'planning-failed',
  'planning-interrupted',
  'approval-voided',
  'attempt-interrupted',
  'agent-gave-up',
  'agent-failed',
  'attempt-failed',
  'task-stopped',
  'branch-moved',
  'merge-conflicted',
  'merge-refused',
  'session-lost',
  'session-unstoppable',
  'retry-noticed',
  'loop-noticed',
  'input-uncertain',
  'port-taken',
  'service-went-down',
  'service-backed-off',
  'service-failed',
]);

const good: ReadonlySet<EventType> = new Set<EventType>([
  'plan-approved',
  'change-validated',
  'task-merged',
  'run-accepted',
]);
