import {sanitizeText} from '../../base/index.ts';
import {plainOutputOf} from '../plain-output-of.ts';
import {redact} from '../secrets/redact.ts';

export type PlainTextLimits = {readonly most: number; readonly secrets: readonly string[]};

/** Text from outside as plain words: no colours, nothing hidden, no secrets, and no longer than it may be. */
export function plainTextOf(text: string, {most, secrets}: PlainTextLimits): string {
  // Colours could stand in the middle of a secret, and a cut could leave half of one: it goes between the two.
  const words = redact(plainOutputOf(text.slice(0, mostRead)), secrets)
    .replaceAll('\r', '\n')
    .trim();
  const isCut = words.length > most || text.length > mostRead;
  return sanitizeText(
    isCut
      ? `${words.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (cut: ${text.length} characters in all)`
      : words,
  );
}

const mostRead = 1_000_000;
