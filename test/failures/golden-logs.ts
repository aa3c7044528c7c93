import path from 'node:path';
import {readFileSync, readdirSync} from 'node:fs';

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
