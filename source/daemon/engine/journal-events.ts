import {
  type Event,
  findMalformation,
  isAboutRun,
  isKnownEvent,
  type RunId,
  selectRun,
  type State,
  toEvent,
} from '../../domain/index.ts';
import {readJournal} from '../../journal/index.ts';
import type {DaemonDirectory, StateReader} from '../daemon-context.ts';

type JournalContext = StateReader & DaemonDirectory;

/** Every event in the journal, up to the current state. */
export function readEvents({stateDirectory, state}: JournalContext): Event[] {
  const {seq} = state();
  const events: Event[] = [];
  readJournal({
    directory: stateDirectory,
    knows: isKnownEvent,
    visit: (entry) => {
      if (entry.seq <= seq) events.push(toEvent(entry));
    },
  });
  return events;
}

/** The events that match their schema. A journal of an older version may hold others. */
export function readSoundEvents(context: JournalContext): Event[] {
  return readEvents(context).filter((event) => findMalformation(event) === undefined);
}

/** Every well-formed event about one run, its tasks, its worktrees and its sessions. */
export function readRunEvents(directory: string, state: State, run: RunId): Event[] {
  const sessions = new Set<string>(selectRun(state, run)?.sessions);
  const events: Event[] = [];
  readJournal({
    directory,
    knows: isKnownEvent,
    visit: (entry) => {
      if (entry.seq > state.seq) return;
      const event = toEvent(entry);
      // A journal of an older version may hold malformed events.
      if (findMalformation(event) === undefined && isAboutRun(event, run, sessions))
        events.push(event);
    },
  });
  return events;
}
