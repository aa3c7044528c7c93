import path from 'node:path';
import {readFileSync} from 'node:fs';
import {
  emptyState,
  type Event,
  evolve,
  type State,
  toEvent,
} from '../../../../source/domain/index.ts';
import type {LoopFixture} from './loop-fixture.ts';

/** The complete lines of the journal and their state, read without the journal module. */
export type Written = {readonly events: readonly Event[]; readonly state: State};

export function readWritten(fixture: LoopFixture): Written {
  const lines = toText(path.join(fixture.current().stateDirectory, 'journal.jsonl'))
    .split('\n')
    .slice(0, -1);
  const records = lines.map(
    (line) =>
      JSON.parse(line.slice(0, line.lastIndexOf('\t'))) as Parameters<typeof toEvent>[0] & {
        readonly more?: boolean;
      },
  );
  // A decision counts as a whole: without its last record it does not exist.
  const events = records
    .slice(0, records.findLastIndex(({more}) => more !== true) + 1)
    .map(toEvent);
  return {events, state: events.reduce(evolve, emptyState)};
}

function toText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
