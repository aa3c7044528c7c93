import {sanitizeText} from './sanitize-text.ts';

/** A word of a command that a person copies, quoted where a shell needs that. */
export function shellWord(text: string): string {
  const safe = sanitizeText(text);
  return /^[\w./@:+-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
