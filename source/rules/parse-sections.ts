import type {MarkdownBlock, HeadingBlock, ItemBlock} from './parse-blocks.ts';

export type SectionOfItems = {
  /** Counted from 1 in the order of the file. */
  readonly number: number;
  /** Without its number; empty for rules above the first heading. */
  readonly title: string;
  /** The number in the heading. */
  readonly shown: number | undefined;
  readonly line: number;
  readonly items: readonly SectionItem[];
  /** The first line that is neither a heading nor a rule, which no agent reads. */
  readonly proseAt: number | undefined;
};

export type SectionItem = ItemBlock & {
  /** Under a heading with "validation", where a `name: command` is a check. */
  readonly isValidation: boolean;
};

/**
 * Groups rules by section. Sections are `#` headings; with only one `#`, that is the title and the
 * next level of headings are the sections. Deeper headings divide a section without ending it.
 */
export function parseSections(blocks: readonly MarkdownBlock[]): SectionOfItems[] {
  const level = findSectionLevel(blocks.filter((block) => block.kind === 'heading'));
  let draft: Draft = {title: '', shown: undefined, line: 1, items: [], proseAt: undefined};
  const drafts = [draft];
  let above: Division[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      above = [
        ...above.filter((division) => division.level >= level && division.level < block.level),
        toDivision(block),
      ];
      if (block.level > level) continue;
      draft = toDraft(block);
      drafts.push(draft);
    } else if (block.kind === 'prose') {
      draft.proseAt ??= block.line;
    } else {
      draft.items.push({...block, isValidation: above.some((division) => division.isValidation)});
    }
  }

  return drafts.filter(isNumbered).map((draft, index) => ({...draft, number: index + 1}));
}

type Draft = Omit<SectionOfItems, 'number' | 'items' | 'proseAt'> & {
  readonly items: SectionItem[];
  proseAt: number | undefined;
};
type Division = {readonly level: number; readonly isValidation: boolean};

function findSectionLevel(headings: readonly HeadingBlock[]): number {
  const deeper = headings.map(({level}) => level).filter((level) => level > 1);
  const isTitled = headings.length - deeper.length < 2;
  return isTitled && deeper.length > 0 ? deeper.reduce((a, b) => Math.min(a, b)) : 1;
}

function toDivision({level, title}: HeadingBlock): Division {
  return {level, isValidation: /validation/i.test(title)};
}

function toDraft({title, line}: HeadingBlock): Draft {
  const match = /^(\d{1,4})[.):]\s+(\S.*)$/.exec(title);
  return {
    title: match?.[2] ?? title,
    shown: match === null ? undefined : Number(match[1]),
    line,
    items: [],
    proseAt: undefined,
  };
}

/** A title or an introduction has no number unless its heading shows one. */
function isNumbered({items, shown}: Draft): boolean {
  return items.length > 0 || shown !== undefined;
}
