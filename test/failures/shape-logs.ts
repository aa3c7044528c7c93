import path from 'node:path';
import {readFileSync, readdirSync} from 'node:fs';
import {parseTruth, type Truth} from './truth-logs.ts';

/** Output of a tool as a person remembers it, written by hand, not recorded. */
export type ShapeLog = {
  readonly name: string;
  readonly log: string;
  readonly truth: Truth;
  /** What the text must not say: a later failure, a secret. */
  readonly not: readonly string[];
};

/** `%%% name`, the lines of a truth, `---`, the log. */
export function readShapes(): ShapeLog[] {
  const folder = path.join(import.meta.dirname, 'shapes');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split(/^%%% /m).slice(1))
    .map((entry) => {
      const [head = '', ...log] = entry.split('\n---\n');
      return {
        name: head.split('\n')[0] ?? '',
        log: log.join('\n---\n'),
        truth: parseTruth(head),
        not: [...head.matchAll(/^not: (.+)$/gm)].map(([, text = '']) => text),
      };
    });
}
