import {type Lint, lint} from './lint.ts';
import type {RulesReading, Section} from './read-rules.ts';

/** Findings about the outline: where sections stand, and what stands outside of rules. */
export function lintSections({outline: {sections}}: RulesReading): Lint[] {
  return [
    ...untitled(sections),
    ...misnumbered(sections),
    ...styleAbove(sections),
    ...prose(sections),
  ];
}

function untitled(sections: readonly Section[]): Lint[] {
  return sections
    .filter(({title, shown}) => title === '' && shown === undefined)
    .map(({entries, line}) =>
      lint(
        'rules-before-heading',
        entries[0]?.rule.line ?? line,
        'Expected a heading with a title above these rules, got none. Put one there that says what they have in common.',
      ),
    );
}

function misnumbered(sections: readonly Section[]): Lint[] {
  const first = sections.find(({number, shown}) => shown !== undefined && shown !== number);
  if (first === undefined) return [];
  return [
    lint(
      'section-misnumbered',
      first.line,
      `The heading says ${String(first.shown)}, but this is section ${first.number}: position is priority, not the number. Number the headings in their order.`,
    ),
  ];
}

function styleAbove(sections: readonly Section[]): Lint[] {
  const isStyle = ({title}: Section): boolean => style.test(title) && !constraint.test(title);
  const isConstraint = ({title}: Section): boolean => constraint.test(title) && !style.test(title);
  const last = sections.findLast(isConstraint);
  if (last === undefined) return [];
  return sections
    .filter((section) => isStyle(section) && section.number < last.number)
    .map((section) =>
      lint(
        'style-above-constraints',
        section.line,
        `"${section.title}" stands above "${last.title}" (line ${last.line}), so style outranks what must not break. Move it below.`,
      ),
    );
}

const style =
  /\b(?:style|styling|formatting|naming|conventions?|whitespace|cosmetics?|tone|wording)\b/i;
const constraint =
  /\b(?:constraints?|architectur\w*|safety|security|invariants?|boundar\w+|contracts?|compatibility)\b/i;

function prose(sections: readonly Section[]): Lint[] {
  return sections.flatMap(({proseAt}) =>
    proseAt === undefined
      ? []
      : [
          lint(
            'prose-ignored',
            proseAt,
            'Text, tables and code outside of list items reach no agent. Make it a rule (- …) or a comment (<!-- … -->).',
          ),
        ],
  );
}
