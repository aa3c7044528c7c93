import type {StreamEvent} from './stream-event.ts';

type Kind = 'text' | 'thought';

/** What was given of a message while it was written, in order. */
export type Parts = {
  /** Another message: what was not said whole of the one before never will be. */
  readonly clear: () => void;
  /** A text begins, of which parts follow. */
  readonly begin: (kind: Kind) => void;
  readonly add: (kind: Kind, text: string) => readonly StreamEvent[];
  /** The text whole: what of it was not given in parts. */
  readonly finish: (kind: Kind, text: string) => readonly StreamEvent[];
};

/** A message is shorter; of one that is not, the rest is given when it is whole. */
const maxCharacters = 4 * 1024 * 1024;
const maxTexts = 1000;

/** Gives a message as it is written, and not again when the whole of it comes. A stream without parts gives it whole. */
export function createParts(): Parts {
  let written: {readonly kind: Kind; given: string}[] = [];
  return {
    clear: () => {
      written = [];
    },
    begin: (kind) => {
      if (written.length < maxTexts) written.push({kind, given: ''});
    },
    add: (kind, text) => {
      const last = written.findLast((one) => one.kind === kind);
      if (last === undefined || text === '' || last.given.length + text.length > maxCharacters)
        return [];
      const begins = last.given === '';
      last.given += text;
      return [{type: kind, text, isPart: true, ...(begins && {begins: true})}];
    },
    finish: (kind, text) => {
      const place = written.findIndex((one) => one.kind === kind);
      const given = place === -1 ? '' : (written.splice(place, 1)[0]?.given ?? '');
      if (given === '' || !text.startsWith(given)) return [{type: kind, text}];
      const rest = text.slice(given.length);
      return rest === '' ? [] : [{type: kind, text: rest, isPart: true}];
    },
  };
}
