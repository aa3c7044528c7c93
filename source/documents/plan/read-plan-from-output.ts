import {lastJsonBlock} from '../prompt/last-json-block.ts';
import {withPlainLines} from '../read-text.ts';
import {type PlanContext, type PlanReading, readPlan} from './read-plan.ts';

/** Reads the plan out of what a planner printed: the last fenced `json` block, cut off by the end of the text or not. */
export function readPlanFromOutput(output: string, context: PlanContext): PlanReading {
  const block = lastJsonBlock(withPlainLines(output));
  if (block !== undefined) return readPlan(block, context);
  return {
    value: undefined,
    problems: [
      {
        line: 1,
        level: 'error',
        text: 'Expected a plan in a fenced block that begins with ```json, got none. End the answer with one.',
      },
    ],
  };
}
