import type {Directive, Rule} from '../domain/index.ts';
import {expandGlob, pathMatcher} from '../shared/index.ts';

/** Two rules that cannot both hold. The earlier one wins; evaluation skips the later one. */
export type Contradiction = {
  readonly earlier: Rule;
  readonly later: Rule;
  /** The contradiction, as half a sentence. */
  readonly text: string;
};

export function findContradictions(rules: readonly Rule[]): Contradiction[] {
  const found = [...betweenLimits(rules), ...betweenPaths(rules), ...betweenTexts(rules)];
  const pairs = new Map(found.map((one) => [`${one.earlier.number} ${one.later.number}`, one]));
  return [...pairs.values()].toSorted((a, b) => a.later.line - b.later.line);
}

function betweenLimits(rules: readonly Rule[]): Contradiction[] {
  return (['max-files', 'max-lines'] as const).flatMap((kind) => {
    const [earlier, ...rest] = rulesWith(rules, kind);
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
  const opened = findPlaces(rulesWith(rules, 'only'));
  const closed = findPlaces([...rulesWith(rules, 'protect'), ...rulesWith(rules, 'forbid-path')]);
  const shut = opened.flatMap(({rule: only, glob}) =>
    closed
      .filter((place) => covers(place.glob, glob))
      .map(({rule}) =>
        inOrder(only, rule, `\`only:\` allows "${glob}" and \`${rule.tooth.kind}:\` closes it`),
      ),
  );

  const [earlier, ...rest] = rulesWith(rules, 'only');
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

/** A limit, because comparing every pair takes quadratic time. */
const maxCompared = 50;

function findPlaces(
  rules: readonly RuleWith<PathKind>[],
): {rule: RuleWith<PathKind>; glob: string}[] {
  return rules
    .flatMap((rule) => rule.tooth.globs.map((glob) => ({rule, glob})))
    .slice(0, maxCompared);
}

/** "Always use tabs." and "Never use tabs.": the same sentence, once negated. */
function betweenTexts(rules: readonly Rule[]): Contradiction[] {
  const first = new Map<string, {readonly rule: Rule; readonly isNo: boolean}>();
  const found: Contradiction[] = [];
  for (const rule of rules) {
    const text = rule.text
      .toLowerCase()
      .replaceAll('’', "'")
      .replaceAll(/[\s.!]+/g, ' ')
      .trim();
    const [, no, rest = ''] =
      /^(?:(never|do not|don't|must not|avoid) |always |must )?(.*)$/s.exec(text) ?? [];
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
type RuleWith<Kind extends Directive['kind']> = Rule & {
  readonly tooth: Extract<Directive, {kind: Kind}>;
};

function rulesWith<Kind extends Directive['kind']>(
  rules: readonly Rule[],
  kind: Kind,
): RuleWith<Kind>[] {
  return rules.filter((rule): rule is RuleWith<Kind> => rule.tooth?.kind === kind);
}

function inOrder(one: Rule, other: Rule, text: string): Contradiction {
  return one.line <= other.line
    ? {earlier: one, later: other, text}
    : {earlier: other, later: one, text};
}

/** Whether `outer` matches every path that `inner` matches; false when that is not certain. */
export function covers(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  if (/[?{]/.test(inner)) return false;
  return samplePaths(inner).every(pathMatcher([outer]));
}

/** Whether no path can match both, because they differ in a folder before the first wildcard. */
export function areDisjoint(one: string, other: string): boolean {
  const [a, b] = [fixedFolders(one), fixedFolders(other)];
  return a.slice(0, b.length).some((folder, index) => folder !== b[index]);
}

/** Paths of several depths that match the glob, with names that no other glob matches by chance. */
function samplePaths(glob: string): string[] {
  return expandGlob(glob).flatMap((form) =>
    ['', 'qzx1/', 'qzx1/.qzx2/'].map((folders) =>
      form.replaceAll('**/', folders).replaceAll('**', `${folders}qzx3`).replaceAll('*', 'qzx4'),
    ),
  );
}

function fixedFolders(glob: string): string[] {
  const names = glob.split('/').filter((name) => name !== '');
  const wild = names.findIndex((name) => /[*?{]/.test(name));
  return wild === -1 ? names : names.slice(0, wild);
}

/**
 * Whether a rule about validation asks for a number of retries other than one, which is what
 * orchestra does. "Do not retry more than once" and "at most two attempts" agree with it; a
 * sentence that forbids something is ignored.
 */
export function contradictsSingleRetry(text: string): boolean {
  if (noRetry.test(text)) return true;
  return text
    .split(/[.;!]\s/)
    .some(
      (sentence) => !negation.test(sentence) && endless.some((pattern) => pattern.test(sentence)),
    );
}

const noRetry =
  /^(?:never|do not|don['’]t|no)\s+(?:re-?try|re-?tries|re-?run)(?:\s+(?:anything|failures|failed checks|on failure))?[.!]?$/i;
const negation = /\b(?:never|not|don['’]t|no|without)\b/i;
const many = String.raw`(?:[2-9]|[1-9]\d+|two|three|four|five|six|ten|several|many|multiple)`;
const moreThanTwo = String.raw`(?:[3-9]|[1-9]\d+|three|four|five|six|ten|several|many|multiple)`;
const again = String.raw`\b(?:re-?try|re-?run|re-?tries|try|trying|fix|repeat|loop|iterate)\b`;

const endless = [
  new RegExp(`${again}.{0,80}\\b(?:until|till|forever|indefinitely)\\b`, 'i'),
  new RegExp(`${again}.{0,40}\\b(?:twice|thrice|${many}(?: more)? times)\\b`, 'i'),
  new RegExp(`\\b${many} (?:re-?tries|re-?runs)\\b`, 'i'),
  new RegExp(`\\b${moreThanTwo} (?:attempts|tries)\\b`, 'i'),
];
