import {sanitizeText} from '../../base/index.ts';
import {redactValues} from '../secrets/redact.ts';

/** The words of a person, or of a plan that a person approved: meant to be followed, so they stand as they are. */
export function ownWords(text: string, secrets: readonly string[]): string {
  return sanitizeText(redactValues(text, secrets).replaceAll(/\r\n?/g, '\n').trim());
}

export function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
