import type {Rule, Tooth} from '../../domain/index.ts';
import {areDisjoint, covers} from './glob-relations.ts';

/** Two rules that cannot both be meant. The earlier one wins; whoever judges a change leaves the later one out. */
export type Contradiction = {
  readonly earlier: Rule;
  readonly later: Rule;
  /** What each of them says, as half a sentence. */
  readonly text: string;
};

export function contradictionsOf(rules: readonly Rule[]): Contradiction[] {
  const found = [...betweenLimits(rules), ...betweenPaths(rules), ...betweenWords(rules)];
  const pairs = new Map(found.map((one) => [`${one.earlier.number} ${one.later.number}`, one]));
  return [...pairs.values()].toSorted((a, b) => a.later.line - b.later.line);
}

function betweenLimits(rules: readonly Rule[]): Contradiction[] {
  return (['max-files', 'max-lines'] as const).flatMap((kind) => {
    const [earlier, ...rest] = bitingWith(rules, kind);
    if (earlier === undefined) return [];
    return rest
      .filter((later) => later.tooth.most !== earlier.tooth.most)
      .map((later) => ({
        earlier,
        later,
        text: `\`${kind}: ${earlier.tooth.most}\` and \`${kind}: ${later.tooth.most}\``,
      }));
  });
}

function betweenPaths(rules: readonly Rule[]): Contradiction[] {
  const opened = placesOf(bitingWith(rules, 'only'));
  const closed = placesOf([...bitingWith(rules, 'protect'), ...bitingWith(rules, 'forbid-path')]);
  const shut = opened.flatMap(({rule: only, glob}) =>
    closed
      .filter((place) => covers(place.glob, glob))
      .map(({rule}) =>
        inOrder(only, rule, `\`only:\` allows "${glob}" and \`${rule.tooth.kind}:\` closes it`),
      ),
  );

  const [earlier, ...rest] = bitingWith(rules, 'only');
  if (earlier === undefined) return shut;
  const apart = rest.filter((later) =>
    earlier.tooth.globs.every((one) => later.tooth.globs.every((other) => areDisjoint(one, other))),
  );
  return [
    ...shut,
    ...apart.map((later) => ({
      earlier,
      later,
      text: 'no path satisfies both `only:`; to allow two places, name both in one item',
    })),
  ];
}

/** Enough for any file a person keeps in mind; comparing all with all of more would take quadratic time. */
const mostCompared = 50;

function placesOf(rules: readonly Biting<PathKind>[]): {rule: Biting<PathKind>; glob: string}[] {
  return rules
    .flatMap((rule) => rule.tooth.globs.map((glob) => ({rule, glob})))
    .slice(0, mostCompared);
}

/** "Always use tabs." and "Never use tabs.": the same words but for the yes and the no. */
function betweenWords(rules: readonly Rule[]): Contradiction[] {
  const first = new Map<string, {readonly rule: Rule; readonly isNo: boolean}>();
  const found: Contradiction[] = [];
  for (const rule of rules) {
    const words = rule.text
      .toLowerCase()
      .replaceAll('’', "'")
      .replaceAll(/[\s.!]+/g, ' ')
      .trim();
    const [, no, rest = ''] =
      /^(?:(never|do not|don't|must not|avoid) |always |must )?(.*)$/s.exec(words) ?? [];
    const isNo = no !== undefined;
    const earlier = first.get(rest);
    if (earlier === undefined) first.set(rest, {rule, isNo});
    else if (earlier.isNo !== isNo)
      found.push({
        earlier: earlier.rule,
        later: rule,
        text: 'the same thing is asked for and forbidden',
      });
  }

  return found;
}

type PathKind = 'only' | 'protect' | 'forbid-path';
type Biting<Kind extends Tooth['kind']> = Rule & {readonly tooth: Extract<Tooth, {kind: Kind}>};

function bitingWith<Kind extends Tooth['kind']>(
  rules: readonly Rule[],
  kind: Kind,
): Biting<Kind>[] {
  return rules.filter((rule): rule is Biting<Kind> => rule.tooth?.kind === kind);
}

function inOrder(one: Rule, other: Rule, text: string): Contradiction {
  return one.line <= other.line
    ? {earlier: one, later: other, text}
    : {earlier: other, later: one, text};
}
