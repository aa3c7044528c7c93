import type {Trial} from './trial.ts';

/** One promise of a working day. `attempt` throws, with words, when it is not kept; what no command line shows names its tests. */
export type Item = {readonly number: number; readonly title: string} & ({readonly attempt: (trial: Trial) => Promise<void>} | {readonly seenBy: string});

export type Result = {readonly item: Item; readonly at: 'PASS' | 'FAIL' | 'TESTS'; readonly words: string; readonly ms: number};

export async function tryItem(item: Item, trial: Trial): Promise<Result> {
  if ('seenBy' in item) return {item, at: 'TESTS', words: `seen by tests only: ${item.seenBy}`, ms: 0};
  const since = performance.now();
  try {
    await item.attempt(trial);
    return {item, at: 'PASS', words: '', ms: performance.now() - since};
  } catch (error) {
    return {item, at: 'FAIL', words: (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 6).join(' | '), ms: performance.now() - since};
  }
}
