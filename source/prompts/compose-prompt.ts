import {countTokens} from '../shared/index.ts';

/** In the order of a prompt. */
export type PartName = 'rules' | 'task' | 'facts' | 'summaries' | 'skill';

/** One part of a prompt before it is cut to the budget. */
export type PromptSection = {
  readonly name: PartName;
  readonly head: string;
  /** Pieces that can be dropped one by one, the last first. */
  readonly pieces: readonly string[];
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
 * Joins the parts within the budget. The last parts are cut first, and a note takes the place of
 * what was cut.
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
      fits.every(({section, kept}) => section.units === undefined || kept === 0)
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

type Fit = {readonly section: PromptSection; readonly text: string; readonly kept: number};

function fitAll(sections: readonly PromptSection[], space: number): Fit[] {
  // Tokens for the notes about cuts are reserved first.
  const costs = sections.map((section) =>
    section.units === undefined
      ? countTokens(formatSection(section, section.pieces.length))
      : countTokens(formatCutNote(section, 0)),
  );
  let left = space - costs.reduce((sum, cost) => sum + cost + 1, 0);
  return sections.map((section, index) => {
    if (section.units === undefined)
      return {
        section,
        text: formatSection(section, section.pieces.length),
        kept: section.pieces.length,
      };
    const note = costs[index] ?? 0;
    const fit = fitInto(section, left + note);
    // After a cut part every later part is dropped, however small.
    left = fit.kept < section.pieces.length ? Number.NEGATIVE_INFINITY : left - fit.cost + note;
    return fit;
  });
}

/** The first pieces that fit. */
function fitInto(section: PromptSection, space: number): Fit & {readonly cost: number} {
  const whole = formatSection(section, section.pieces.length);
  const full = countTokens(whole);
  if (full <= space) return {section, text: whole, kept: section.pieces.length, cost: full};

  let used = countTokens(`${section.head}\n\n${formatCutNote(section, 0)}`) + 1;
  let count = 0;
  for (const piece of section.pieces) {
    used += countTokens(`${piece}${section.joint}`);
    if (used > space) break;
    count += 1;
  }

  const text =
    count === 0
      ? formatCutNote(section, 0)
      : `${formatSection(section, count)}\n\n${formatCutNote(section, count)}`;
  return {section, text, kept: count, cost: countTokens(text)};
}

function formatSection({head, pieces, joint}: PromptSection, count: number): string {
  return `${head}\n\n${pieces.slice(0, count).join(joint)}`;
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
    isCut: fit.kept < section.pieces.length,
    full: countTokens(formatSection(section, section.pieces.length)),
  };
}
