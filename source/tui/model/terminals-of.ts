import {
  isLive,
  runIdIn,
  runOf,
  sessionOf,
  taskIdOfSession,
  taskOf,
  type Session,
  type State,
  type TaskId,
} from '../../domain/index.ts';

/** Every terminal that the task has had, the oldest first: agents, checks, a person's own. One that is only asked for is not there yet. */
export function terminalsOf(state: State, task: TaskId): Session[] {
  const run = runOf(state, runIdIn(task));
  return (run?.sessions ?? [])
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((session) => taskIdOfSession(session) === task && hasScreen(session));
}

/**
 * The one that is shown without being asked for: who is at work now; where nobody is, what the agent did, for that is what a
 * person wants to read when a task waits for them or is over. Between two checks it stays with the last one.
 */
export function terminalOf(state: State, task: TaskId): Session | undefined {
  const sessions = terminalsOf(state, task).filter(({purpose}) => purpose.for !== 'shell');
  const live = sessions.findLast(isLive);
  if (live !== undefined) return live;
  const at = taskOf(state, task)?.stage.at;
  const isMoving = at === 'attempting' || at === 'merging';
  return (
    (isMoving
      ? undefined
      : sessions.findLast(
          ({purpose}) => purpose.for === 'attempt' || purpose.for === 'takeover',
        )) ?? sessions.at(-1)
  );
}

export function hasScreen({life}: Session): boolean {
  return life.at !== 'asked';
}

/** Which of its terminals it is, in as few words as a title has room for. */
export function terminalInWords({purpose}: Session): string {
  switch (purpose.for) {
    case 'attempt':
      return `attempt ${purpose.attempt}`;
    case 'check':
      return `check ${purpose.check}${purpose.on === 'merge' ? ' after merging' : ''}`;
    case 'setup':
      return purpose.on === 'merge' ? 'set-up after merging' : 'set-up';
    case 'takeover':
      return 'your own';
    case 'shell':
      return `shell ${purpose.name}`;
    default:
      return '';
  }
}
