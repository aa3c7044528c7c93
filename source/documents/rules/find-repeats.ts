import {type Lint, lint} from './lint.ts';
import type {Entry, RulesReading} from './read-rules.ts';

/** Rules and sections that say again what was said above them. */
export function findRepeats({outline: {sections}}: RulesReading): Lint[] {
  const titled = sections.filter(({title}) => title !== '');
  const plain = sections.flatMap(({entries}) => entries).filter(({check}) => check === undefined);
  return [
    ...repeatsOf(titled, ({title}) => keyOf(title)).map(([earlier, later]) =>
      lint(
        'duplicate-section',
        later.line,
        `"${later.title}" is also the title on line ${earlier.line}. Both are read and the earlier outranks this one; make them one.`,
      ),
    ),
    ...repeatsOf(plain, meaningOf).map(([{rule: earlier}, {rule: later}]) =>
      lint(
        'duplicate-rule',
        later.line,
        `Rule ${later.number} says what rule ${earlier.number} on line ${earlier.line} says. Take one away.`,
      ),
    ),
  ];
}

/** Each thing that has the key of an earlier one, with that one. */
function repeatsOf<Thing>(
  things: readonly Thing[],
  keyOfThing: (thing: Thing) => string,
): [earlier: Thing, later: Thing][] {
  const first = new Map<string, Thing>();
  return things.flatMap((later): [Thing, Thing][] => {
    const key = keyOfThing(later);
    const earlier = first.get(key);
    if (earlier !== undefined) return [[earlier, later]];
    first.set(key, later);
    return [];
  });
}

/** With teeth, what a rule does; without, what it says. */
function meaningOf({rule: {tooth, text}}: Entry): string {
  return tooth === undefined ? keyOf(text) : JSON.stringify(tooth);
}

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s.!]+/g, ' ')
    .trim();
}
