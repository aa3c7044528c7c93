import {readFileSync} from 'node:fs';
import path from 'node:path';
import {
  emptyState,
  eventOf,
  evolve,
  type Event,
  type State,
} from '../../../../source/domain/index.ts';
import type {Stage} from './stage.ts';

/** What the journal holds at this moment, read without its reader: whole lines only, and what they fold to. */
export type Written = {readonly events: readonly Event[]; readonly state: State};

export function readWritten(stage: Stage): Written {
  const lines = textOf(path.join(stage.here().stateDirectory, 'journal.jsonl'))
    .split('\n')
    .slice(0, -1);
  const records = lines.map(
    (line) =>
      JSON.parse(line.slice(0, line.lastIndexOf('\t'))) as Parameters<typeof eventOf>[0] & {
        readonly more?: boolean;
      },
  );
  // What was decided together counts together: a decision of which the last record is missing is none.
  const events = records
    .slice(0, records.findLastIndex(({more}) => more !== true) + 1)
    .map(eventOf);
  return {events, state: events.reduce(evolve, emptyState)};
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
