import path from 'node:path';
import {existsSync, readFileSync, readdirSync} from 'node:fs';

export type GoldenLog = {
  readonly tool: string;
  readonly name: string;
  readonly file: string;
  readonly log: string;
};

const goldens = path.join(import.meta.dirname, 'goldens');

export function goldenLogs(): GoldenLog[] {
  return readdirSync(goldens, {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .flatMap(({name: tool}) =>
      readdirSync(path.join(goldens, tool))
        .filter((name) => name.endsWith('.log'))
        // A log with a truth beside it is measured, not compared (truths.test.ts).
        .filter((name) => !existsSync(path.join(goldens, tool, name.replace(/\.log$/, '.truth'))))
        .map((name) => path.join(goldens, tool, name))
        .map((file) => ({
          tool,
          name: `${tool}/${path.basename(file, '.log')}`,
          file,
          log: readFileSync(file, 'utf8'),
        })),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
