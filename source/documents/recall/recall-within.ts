import {countTokens} from '../count-tokens.ts';
import type {Recalled} from './create-recall.ts';

export type RecalledPieces = {
  readonly pieces: readonly {
    readonly path: string;
    readonly text: string;
    readonly tokens: number;
  }[];
  readonly tokens: number;
  /** Paths of those that did not fit. */
  readonly leftOut: readonly string[];
};

/** What of the recalled fits the budget, the best first: whole where there is room, else its title and its best line. */
export function recallWithin(results: readonly Recalled[], budget: number): RecalledPieces {
  const pieces: {readonly path: string; readonly text: string; readonly tokens: number}[] = [];
  const leftOut: string[] = [];
  let tokens = 0;
  for (const {path, title, outcome, excerpt, text} of unique(results)) {
    const forms = [text, `# ${title}\n${outcome}: ${excerpt}`]
      .filter((form) => form.length <= (budget - tokens) * mostCharactersPerToken)
      .map((form) => ({path, text: form, tokens: countTokens(form)}));
    const piece = forms.find((form) => form.tokens <= budget - tokens);
    if (piece === undefined) {
      leftOut.push(path);
      continue;
    }

    pieces.push(piece);
    tokens += piece.tokens;
  }

  return {pieces, tokens, leftOut};
}

/** No text has fewer tokens than this allows; what is longer need not be counted. */
const mostCharactersPerToken = 128;

/** Found by words and by files, it is still one. */
function unique(results: readonly Recalled[]): Recalled[] {
  const seen = new Set<string>();
  return results.filter(({path}) => !seen.has(path) && seen.add(path));
}
