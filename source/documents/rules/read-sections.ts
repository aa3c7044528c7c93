import type {Block, Heading, Item} from './read-blocks.ts';

export type SectionOfItems = {
  /** Counted from 1 in the order of the file. */
  readonly number: number;
  /** Without its own number; empty for rules that stand above the first heading. */
  readonly title: string;
  /** The number that the heading itself shows. */
  readonly shown: number | undefined;
  readonly line: number;
  readonly items: readonly SectionItem[];
  /** The first line that is neither a heading nor a rule, so that no agent reads it. */
  readonly proseAt: number | undefined;
};

export type SectionItem = Item & {
  /** Under a heading that says "validation": there a `name: command` is a check. */
  readonly isValidation: boolean;
};

/**
 * Groups rules by section. A section is a `#` heading; where the file has but one `#`, that is its title and the next
 * level of headings are the sections. Deeper headings divide a section without ending it.
 */
export function readSections(blocks: readonly Block[]): SectionOfItems[] {
  const level = sectionLevelOf(blocks.filter((block) => block.kind === 'heading'));
  let draft: Draft = {title: '', shown: undefined, line: 1, items: [], proseAt: undefined};
  const drafts = [draft];
  let above: Division[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      above = [
        ...above.filter((division) => division.level >= level && division.level < block.level),
        divisionOf(block),
      ];
      if (block.level > level) continue;
      draft = draftOf(block);
      drafts.push(draft);
    } else if (block.kind === 'prose') {
      draft.proseAt ??= block.line;
    } else {
      draft.items.push({...block, isValidation: above.some((division) => division.isValidation)});
    }
  }

  return drafts.filter(isCounted).map((draft, index) => ({...draft, number: index + 1}));
}

type Draft = Omit<SectionOfItems, 'number' | 'items' | 'proseAt'> & {
  readonly items: SectionItem[];
  proseAt: number | undefined;
};
type Division = {readonly level: number; readonly isValidation: boolean};

function sectionLevelOf(headings: readonly Heading[]): number {
  const deeper = headings.map(({level}) => level).filter((level) => level > 1);
  const isTitled = headings.length - deeper.length < 2;
  return isTitled && deeper.length > 0 ? deeper.reduce((a, b) => Math.min(a, b)) : 1;
}

function divisionOf({level, title}: Heading): Division {
  return {level, isValidation: /validation/i.test(title)};
}

function draftOf({title, line}: Heading): Draft {
  const match = /^(\d{1,4})[.):]\s+(\S.*)$/.exec(title);
  return {
    title: match?.[2] ?? title,
    shown: match === null ? undefined : Number(match[1]),
    line,
    items: [],
    proseAt: undefined,
  };
}

/** A title or an introduction takes no number, unless it claims one. */
function isCounted({items, shown}: Draft): boolean {
  return items.length > 0 || shown !== undefined;
}
