import {countTokens} from '../shared/index.ts';

/** In the order of a prompt. */
export type PartName = 'rules' | 'task' | 'facts' | 'summaries' | 'skill';

/** One part of a prompt before it is cut to the budget. */
export type PromptSection = {
  readonly name: PartName;
  readonly head: string;
  readonly pieces: readonly string[];
  /**
   * What each piece is worth, 0 to 1: where the budget is short, the pieces of all parts compete by
   * it. Without a value a piece is worth 0.5.
   */
  readonly values?: readonly number[];
  /** A piece means nothing without those before it, so that only the end is cut. */
  readonly isOrdered?: true;
  readonly joint: '\n' | '\n\n';
  /** The noun for the pieces in the note about a cut; a section without it is never cut. */
  readonly units?: string;
};

/** A part for the audit: its tokens, and those that it would have uncut. */
export type PromptPart = {
  readonly name: PartName;
  readonly tokens: number;
  readonly isCut: boolean;
  readonly full: number;
};

export type Prompt = {
  readonly text: string;
  readonly parts: readonly PromptPart[];
  readonly tokens: number;
  readonly budget: number;
  /** The parts that are never cut exceed the budget by themselves. */
  readonly isOver: boolean;
};

export const usualBudget = 6000;

/**
 * Joins the parts within the budget. Rules and task are never cut; the pieces of the other parts
 * compete by their value, and a note takes the place of what was cut.
 */
export function composePrompt(
  sections: readonly PromptSection[],
  budget: number = usualBudget,
): Prompt {
  const filled = sections.filter(({pieces}) => pieces.length > 0);
  // The joined text has slightly other token counts than its parts: the excess is taken off for the
  // next try.
  for (let space = budget; ;) {
    const fits = fitAll(filled, space);
    const text = `${fits.map((fit) => fit.text).join('\n\n')}\n`;
    const tokens = countTokens(text);
    if (
      tokens <= budget ||
      fits.every(({section, retained}) => section.units === undefined || retained === 0)
    ) {
      return {
        text,
        parts: sections.map((section) => toPart(section, fits)),
        tokens,
        budget,
        isOver: tokens > budget,
      };
    }

    space -= tokens - budget;
  }
}

type Fit = {readonly section: PromptSection; readonly text: string; readonly retained: number};

function fitAll(sections: readonly PromptSection[], space: number): Fit[] {
  const whole = sections.map((section) => toFit(section, new Set(section.pieces.keys())));
  const full = whole.reduce((sum, {text}) => sum + countTokens(text) + 1, 0);
  if (full <= space) return whole;
  const retained = selectPieces(sections, space);
  return sections.map((section, index) => toFit(section, retained[index] ?? new Set()));
}

type Piece = {
  readonly part: number;
  readonly index: number;
  readonly cost: number;
  readonly value: number;
};

/** Of each part the indexes of the pieces that fit, the most valuable of all parts first. */
function selectPieces(sections: readonly PromptSection[], space: number): ReadonlySet<number>[] {
  const retained = sections.map(
    (section) => new Set(section.units === undefined ? section.pieces.keys() : []),
  );
  // Tokens for the notes about cuts are reserved first.
  let left =
    space -
    sections.reduce(
      (sum, section, part) => sum + countTokens(formatFit(section, retained[part])) + 1,
      0,
    );
  const isClosed = new Set<number>();
  for (const {part, index, cost} of listPieces(sections)) {
    const section = sections[part];
    if (section === undefined || isClosed.has(part)) continue;
    const isFirst = retained[part]?.size === 0;
    const price = cost + (isFirst ? countTokens(`${section.head}\n\n`) + 2 : 0);
    if (price <= left) {
      retained[part]?.add(index);
      left -= price;
    } else if (section.isOrdered === true) isClosed.add(part);
  }

  return retained;
}

function listPieces(sections: readonly PromptSection[]): Piece[] {
  return sections
    .flatMap(({pieces, values = [], joint, units}, part) =>
      units === undefined
        ? []
        : pieces.map((text, index) => ({
            part,
            index,
            cost: countTokens(`${text}${joint}`),
            value: values[index] ?? 0.5,
          })),
    )
    .toSorted((a, b) => b.value - a.value || a.part - b.part || a.index - b.index);
}

function toFit(section: PromptSection, retained: ReadonlySet<number>): Fit {
  return {section, text: formatFit(section, retained), retained: retained.size};
}

function formatFit(section: PromptSection, retained: ReadonlySet<number> = new Set()): string {
  if (retained.size === section.pieces.length) return formatSection(section, section.pieces);
  const note = formatCutNote(section, retained.size);
  if (retained.size === 0) return note;
  return `${formatSection(
    section,
    section.pieces.filter((_, index) => retained.has(index)),
  )}\n\n${note}`;
}

function formatSection({head, joint}: PromptSection, pieces: readonly string[]): string {
  return `${head}\n\n${pieces.join(joint)}`;
}

function formatCutNote({pieces, units = 'pieces'}: PromptSection, count: number): string {
  return `(Cut to keep this prompt short: ${pieces.length - count} of ${pieces.length} ${units}.)`;
}

function toPart(section: PromptSection, fits: readonly Fit[]): PromptPart {
  const fit = fits.find((one) => one.section === section);
  if (fit === undefined) return {name: section.name, tokens: 0, isCut: false, full: 0};
  return {
    name: section.name,
    tokens: countTokens(fit.text),
    isCut: fit.retained < section.pieces.length,
    full: countTokens(formatSection(section, section.pieces)),
  };
}
