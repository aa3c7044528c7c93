import {
  eventOf,
  isKnownEvent,
  malformationOf,
  runOf,
  type Event,
  type RunId,
  type State,
} from '../domain/index.ts';
import {readJournal} from '../journal/index.ts';

/** Everything that was written down about one run: also of its tasks, worktrees and sessions. */
export function eventsOfRun(directory: string, state: State, run: RunId): Event[] {
  const sessions = new Set<string>(runOf(state, run)?.sessions);
  const events: Event[] = [];
  readJournal({
    directory,
    knows: isKnownEvent,
    visit: (entry) => {
      if (entry.seq > state.seq) return;
      const event = eventOf(entry);
      // A journal of an older version may hold what is none.
      if (malformationOf(event) === undefined && isAbout(event, run, sessions)) events.push(event);
    },
  });
  return events;
}

function isAbout(event: Event, run: RunId, sessions: ReadonlySet<string>): boolean {
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
  if (named === run) return true;
  if ([task, owner, on].some((id) => id === run || id?.startsWith(`${run}.`) === true)) return true;
  return session !== undefined && sessions.has(session);
}
