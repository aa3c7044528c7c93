import type {Event, EventType} from '../../domain/index.ts';

/** Whether a person's own hand brought it about. */
export function isByPerson(event: Event): boolean {
  if (event.type === 'service-wanted') return event.by === 'person';
  if (event.type === 'service-stopped') return event.by === undefined;
  if (event.type === 'task-discarded') return event.why.kind === 'person';
  if (event.type === 'pause-ended') return event.by === 'person';
  if (event.type === 'session-asked') return event.purpose.for === 'person';
  return byPerson.has(event.type);
}

const byPerson: ReadonlySet<EventType> = new Set<EventType>([
  'note-added',
  'run-created',
  'run-held',
  'run-resumed',
  'budget-extended',
  'environment-refreshed',
  'baseline-chosen',
  'baseline-asked-again',
  'branch-adopted',
  'branch-restore-asked',
  'accept-asked',
  'run-discarded',
  'planning-retried',
  'plan-commented',
  'plan-edited',
  'plan-rejected',
  'plan-approved',
  'attempt-granted',
  'task-taken-over',
  'task-handed-back',
  'task-reset',
  'task-held',
  'task-resumed',
  'session-stop-asked',
  'input-asked',
  'question-answered',
  'secret-typed',
  'service-restarted',
]);
