import {formatChord} from './chord.ts';

/** `1-6` for digits, a dash for none, else all keys. */
export function formatKeys(keys: readonly string[]): string {
  if (keys.length > 1 && keys.every((key) => /^\d$/.test(key)))
    return `${keys[0] ?? ''}-${keys.at(-1) ?? ''}`;
  return keys.length === 0 ? '–' : keys.map(formatChord).join(' ');
}
