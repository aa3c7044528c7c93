import {factsSection, type FactsContext, type PromptFact} from '../prompt/facts-section.ts';

/** Live facts as an agent reads them: one line each, with where it was read and how long ago. */
export function formatEnvironment(facts: readonly PromptFact[], context: FactsContext): string {
  return factsSection(facts, context).pieces.join('\n');
}
