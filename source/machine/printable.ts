import {sanitizeText} from '../base/index.ts';

/** Names of processes and files are chosen by anybody (CVE-2024-58251 was a process name): one line, no controls, not too long. */
export function printable(text: string, limit = 200): string {
  const line = sanitizeText(text)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
  return line.length > limit ? `${line.slice(0, limit - 1).toWellFormed()}…` : line;
}
