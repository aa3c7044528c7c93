import {countTokens} from '../count-tokens.ts';

/** In the order in which they stand in a prompt. */
export type PartName = 'rules' | 'task' | 'facts' | 'summaries' | 'skill';

/** One part before it is known whether there is room for it. */
export type Section = {
  readonly name: PartName;
  readonly head: string;
  /** What can be left out one by one, the last first. */
  readonly pieces: readonly string[];
  readonly joint: '\n' | '\n\n';
  /** What pieces are called when some are left out; a section without it is never cut. */
  readonly units?: string;
};

/** What the audit shows: what a part costs, and what it would have cost whole. */
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
  /** What is never cut has more tokens than the budget by itself. */
  readonly isOver: boolean;
};

export const usualBudget = 6000;

/** Puts the parts together inside the budget: cut from the end first, and whatever is cut is said where it would stand. */
export function composePrompt(sections: readonly Section[], budget: number = usualBudget): Prompt {
  const filled = sections.filter(({pieces}) => pieces.length > 0);
  // Text counts a little differently when it is put together: what is too much is taken from the room for the next try.
  for (let room = budget; ;) {
    const fits = fitAll(filled, room);
    const text = `${fits.map((fit) => fit.text).join('\n\n')}\n`;
    const tokens = countTokens(text);
    if (
      tokens <= budget ||
      fits.every(({section, kept}) => section.units === undefined || kept === 0)
    ) {
      return {
        text,
        parts: sections.map((section) => partOf(section, fits)),
        tokens,
        budget,
        isOver: tokens > budget,
      };
    }

    room -= tokens - budget;
  }
}

type Fit = {readonly section: Section; readonly text: string; readonly kept: number};

function fitAll(sections: readonly Section[], room: number): Fit[] {
  // A note about what was cut has its place in any case, so it is set aside first.
  const costs = sections.map((section) =>
    section.units === undefined
      ? countTokens(textOf(section, section.pieces.length))
      : countTokens(noteOf(section, 0)),
  );
  let left = room - costs.reduce((sum, cost) => sum + cost + 1, 0);
  return sections.map((section, index) => {
    if (section.units === undefined)
      return {section, text: textOf(section, section.pieces.length), kept: section.pieces.length};
    const note = costs[index] ?? 0;
    const fit = fitInto(section, left + note);
    // Where one part is cut, those after it are out, however small.
    left = fit.kept < section.pieces.length ? Number.NEGATIVE_INFINITY : left - fit.cost + note;
    return fit;
  });
}

/** As many pieces from the beginning as there is room for. */
function fitInto(section: Section, room: number): Fit & {readonly cost: number} {
  const whole = textOf(section, section.pieces.length);
  const full = countTokens(whole);
  if (full <= room) return {section, text: whole, kept: section.pieces.length, cost: full};

  let used = countTokens(`${section.head}\n\n${noteOf(section, 0)}`) + 1;
  let kept = 0;
  for (const piece of section.pieces) {
    used += countTokens(`${piece}${section.joint}`);
    if (used > room) break;
    kept += 1;
  }

  const text =
    kept === 0 ? noteOf(section, 0) : `${textOf(section, kept)}\n\n${noteOf(section, kept)}`;
  return {section, text, kept, cost: countTokens(text)};
}

function textOf({head, pieces, joint}: Section, kept: number): string {
  return `${head}\n\n${pieces.slice(0, kept).join(joint)}`;
}

function noteOf({pieces, units = 'pieces'}: Section, kept: number): string {
  return `(Cut to keep this prompt short: ${pieces.length - kept} of ${pieces.length} ${units}.)`;
}

function partOf(section: Section, fits: readonly Fit[]): PromptPart {
  const fit = fits.find((one) => one.section === section);
  if (fit === undefined) return {name: section.name, tokens: 0, isCut: false, full: 0};
  return {
    name: section.name,
    tokens: countTokens(fit.text),
    isCut: fit.kept < section.pieces.length,
    full: countTokens(textOf(section, section.pieces.length)),
  };
}
