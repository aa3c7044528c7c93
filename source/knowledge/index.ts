/**
 * Recall: finds earlier summaries by file and by word, inside a token budget.
 * Not here: writing summaries, reading files.
 */
export {parseSummary, type Summary} from './parse-summary.ts';
export {
  createRecall,
  type Recall,
  type Recalled,
  type RecalledPieces,
  recallWithin,
} from './recall.ts';
export type {PromptQuery, PromptRecall} from './recall-for-prompt.ts';
export type {DiscardedRun} from './select-candidates.ts';
