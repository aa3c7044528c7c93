import type {Trial} from './trial.ts';

/**
 * One promise to check. `attempt` throws with a message when it is broken; promises that no command
 * line shows name their tests.
 */
export type Item = {readonly number: number; readonly title: string} & (
  {readonly attempt: (trial: Trial) => Promise<void>} | {readonly seenBy: string}
);

export type Result = {
  readonly item: Item;
  readonly at: 'PASS' | 'FAIL' | 'TESTS';
  readonly text: string;
  readonly ms: number;
};

export async function tryItem(item: Item, trial: Trial): Promise<Result> {
  if ('seenBy' in item)
    return {item, at: 'TESTS', text: `seen by tests only: ${item.seenBy}`, ms: 0};
  const since = performance.now();
  try {
    await item.attempt(trial);
    return {item, at: 'PASS', text: '', ms: performance.now() - since};
  } catch (error) {
    return {
      item,
      at: 'FAIL',
      text: shortened(error instanceof Error ? error.message : String(error)),
      ms: performance.now() - since,
    };
  }
}

/** The first and last lines of an output; a run has most of it in its last lines. */
function shortened(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.length <= 12 ? lines : [...lines.slice(0, 3), '…', ...lines.slice(-8)]).join(' | ');
}
