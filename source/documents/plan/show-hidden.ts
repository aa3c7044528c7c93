import {sanitizeText} from '../../base/index.ts';
import type {Plan} from '../../domain/index.ts';
import {jsonPath} from './json-path.ts';
import type {Placed} from './word-issue.ts';

/** A plan in which everything can be seen, because what is shown is what is approved; and where it could not be. */
export function showHidden(plan: Plan): {readonly plan: Plan; readonly found: readonly Placed[]} {
  const found: Placed[] = [];
  const shown = mapTexts(plan, [], (text, steps) => {
    const visible = sanitizeText(text);
    if (visible !== text)
      found.push({
        steps,
        level: 'warning',
        text: `${jsonPath(steps)}: has control or hidden characters, which are shown as \\u{…} from here on. Write it without them.`,
      });
    return visible;
  });
  return {plan: shown as Plan, found};
}

/** A plan that passed its schema is a few levels deep. */
function mapTexts(
  value: unknown,
  steps: Placed['steps'],
  change: (text: string, steps: Placed['steps']) => string,
): unknown {
  if (typeof value === 'string') return change(value, steps);
  if (Array.isArray(value))
    return value.map((member, index) => mapTexts(member, [...steps, index], change));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [
      key,
      mapTexts(member, [...steps, key], change),
    ]),
  );
}
