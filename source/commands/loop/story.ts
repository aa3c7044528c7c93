import {formatRepositoryNotes, notesInWords, timelineOf} from '../../documents/index.ts';
import {isGoing, runOf, type Event, type RunId, type State} from '../../domain/index.ts';
import type {Surroundings} from '../surroundings.ts';

/** Tells a run as it happens: a line for each thing, and for somebody who looks one line that says how far it is. */
export type Story = {
  readonly hear: (event: Event, state: State) => void;
  readonly say: (text: string) => void;
  readonly end: () => void;
};

export function createStory(
  {out, isTerminal, columns}: Surroundings,
  run: () => RunId | undefined,
): Story {
  let isLineOpen = false;
  const clear = (): void => {
    if (isLineOpen) out('\r\u001B[K');
    isLineOpen = false;
  };

  const say = (text: string): void => {
    clear();
    out(text);
  };

  return {
    say,
    hear: (event, state) => {
      const id = run();
      if (id === undefined) return;
      const [entry] = timelineOf([event], {run: id, state}).entries;
      if (event.type === 'run-surveyed' && event.run === id)
        for (const line of formatRepositoryNotes(
          notesInWords(event.ground.notes ?? []),
          columns ?? 80,
        ))
          say(`${line}\n`);
      if (entry !== undefined) say(`${clockOf(entry.at)}  ${entry.words}\n`);
      if (!isTerminal) return;
      clear();
      out(progressOf(state, id).slice(0, (columns ?? 80) - 1));
      isLineOpen = true;
    },
    end: clear,
  };
}

function clockOf(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

function progressOf(state: State, id: RunId): string {
  const run = runOf(state, id);
  if (run === undefined) return '';
  if (run.stage.at !== 'working') return `${id} is ${run.stage.at} …`;
  const merged = run.tasks.filter(({stage}) => stage.at === 'merged').length;
  const going = run.tasks
    .filter((task) => isGoing(state, run, task))
    .map(({planned, stage}) => `${planned.id} ${stage.at}`);
  return `${id}: ${merged} of ${run.tasks.length} merged${going.length === 0 ? '' : `; ${going.join(', ')}`} …`;
}
