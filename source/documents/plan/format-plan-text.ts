import {sanitizeText} from '../../base/index.ts';
import type {Plan} from '../../domain/index.ts';
import {formatPlanLines} from './format-plan-lines.ts';

/** A plan as plain text in which line 12 is line 12 of what a person saw and commented on: for the planner that plans again. */
export function planTextOf(plan: Plan): string {
  return formatPlanLines(plan)
    .map(({text, graph, isTitle}) =>
      sanitizeText(
        `${isTitle ? '' : '  '}${graph?.first ?? ''}${text}`.replaceAll('\t', '    ').trimEnd(),
      ),
    )
    .join('\n');
}
