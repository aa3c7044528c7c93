import {buildTimeline, formatNotes, formatRepositoryNotes} from '../../reports/index.ts';
import {
  type Event,
  isGoing,
  type RunId,
  selectRun,
  type State,
  selectCountedTasks,
} from '../../domain/index.ts';
import type {CliContext} from '../cli-context.ts';

/** Prints the progress of a run: a line for each event, and on a terminal one status line. */
export type ProgressLog = {
  readonly onMessage: (event: Event, state: State) => void;
  readonly print: (text: string) => void;
  readonly end: () => void;
};

export function createProgressLog(
  {out, isTerminal, columns}: CliContext,
  run: () => RunId | undefined,
): ProgressLog {
  let isLineOpen = false;
  const clear = (): void => {
    if (isLineOpen) out('\r\u001B[K');
    isLineOpen = false;
  };

  const print = (text: string): void => {
    clear();
    out(text);
  };

  return {
    print,
    onMessage: (event, state) => {
      const id = run();
      if (id === undefined) return;
      const [entry] = buildTimeline([event], {run: id, state}).entries;
      if (event.type === 'run-surveyed' && event.run === id)
        for (const line of formatRepositoryNotes(
          formatNotes(event.ground.notes ?? []),
          columns ?? 80,
        ))
          print(`${line}\n`);
      if (entry !== undefined) print(`${formatClock(entry.at)}  ${entry.words}\n`);
      if (!isTerminal) return;
      clear();
      out(formatProgress(state, id).slice(0, (columns ?? 80) - 1));
      isLineOpen = true;
    },
    end: clear,
  };
}

function formatClock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

function formatProgress(state: State, id: RunId): string {
  const run = selectRun(state, id);
  if (run === undefined) return '';
  if (run.stage.at !== 'working') return `${id} is ${run.stage.at} …`;
  const tasks = selectCountedTasks(run);
  const merged = tasks.filter(({stage}) => stage.at === 'merged').length;
  const going = run.tasks
    .filter((task) => isGoing(state, run, task))
    .map(({planned, stage}) => `${planned.id} ${stage.at}`);
  return `${id}: ${merged} of ${tasks.length} merged${going.length === 0 ? '' : `; ${going.join(', ')}`} …`;
}
