import type {Trial} from './trial.ts';

/** One promise of a working day. `attempt` throws, with words, when it is not kept; what no command line shows names its tests. */
export type Item = {readonly number: number; readonly title: string} & (
  {readonly attempt: (trial: Trial) => Promise<void>} | {readonly seenBy: string}
);

export type Result = {
  readonly item: Item;
  readonly at: 'PASS' | 'FAIL' | 'TESTS';
  readonly words: string;
  readonly ms: number;
};

export async function tryItem(item: Item, trial: Trial): Promise<Result> {
  if ('seenBy' in item)
    return {item, at: 'TESTS', words: `seen by tests only: ${item.seenBy}`, ms: 0};
  const since = performance.now();
  try {
    await item.attempt(trial);
    return {item, at: 'PASS', words: '', ms: performance.now() - since};
  } catch (error) {
    return {
      item,
      at: 'FAIL',
      words: shortened(error instanceof Error ? error.message : String(error)),
      ms: performance.now() - since,
    };
  }
}

/** How it began, and how it ended: a run tells most of it in its last lines. */
function shortened(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  return (lines.length <= 12 ? lines : [...lines.slice(0, 3), '…', ...lines.slice(-8)]).join(' | ');
}
