import {sanitizeText} from '../base/index.ts';

/** A piece of somebody's text, short and safe enough to stand in a message. */
export function excerpt(text: string, most = 60): string {
  const line = text.slice(0, most).replaceAll(/\s+/g, ' ');
  return sanitizeText(text.length > most ? `${line}…` : line);
}
