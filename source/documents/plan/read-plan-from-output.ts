import {withPlainLines} from '../read-text.ts';
import {type PlanContext, type PlanReading, readPlan} from './read-plan.ts';

/** Reads the plan out of what a planner printed: the last fenced `json` block, cut off by the end of the text or not. */
export function readPlanFromOutput(output: string, context: PlanContext): PlanReading {
  const block = lastJsonBlock(withPlainLines(output));
  if (block !== undefined) return readPlan(block, context);
  return {value: undefined, problems: [{line: 1, level: 'error', text: 'Expected a plan in a fenced block that begins with ```json, got none. End the answer with one.'}]};
}

function lastJsonBlock(text: string): string | undefined {
  let opening: RegExpExecArray | undefined;
  for (const match of text.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*json(?:[ \t].*)?$/gim)) opening = match;
  if (opening === undefined) return undefined;

  const [line, fence = ''] = opening;
  const body = text.slice(opening.index + line.length + 1);
  const end = new RegExp(`^[ \\t]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'm').exec(body);
  return end === null ? body : body.slice(0, end.index);
}
