import {sanitizeText, shellWord} from '../../base/index.ts';

/** A few names, safe to print, and how many more there are. */
export function namesOf(paths: readonly string[], most = 5): string {
  const shown = paths.slice(0, most).map((file) => sanitizeText(file).replaceAll('\n', '\\n'));
  return `${shown.join(', ')}${paths.length > most ? ` and ${paths.length - most} more` : ''}`;
}

export {shellWord as quoted} from '../../base/index.ts';

export function mergeCommand(directory: string, commit: string): string {
  return `git -C ${shellWord(directory)} merge ${commit}`;
}
