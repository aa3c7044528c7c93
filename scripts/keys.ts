// `npm run keys`: generates the table of keys in docs/keys.md from the keymap.
import path from 'node:path';
import process from 'node:process';
import {readFileSync, writeFileSync} from 'node:fs';
import {formatKeys} from '../source/app/keymap/chord.ts';
import {contextLabels} from '../source/app/keymap/binding.ts';
import {contextOrder, keymap} from '../source/app/keymap/bindings.ts';

/** The page with the generated table. */
export const keysPage = 'docs/keys.md';

export function keyTable(): string {
  return contextOrder
    .map((context) =>
      [
        `**${contextLabels[context]}**`,
        '',
        '| key | what it does |',
        '|---|---|',
        ...keymap
          .filter((binding) => binding.in === context)
          .map(({keys, text}) => `| ${code(keys)} | ${text} |`),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** The page with the current table between its marks; undefined if it has no marks. */
export function withKeyTable(text: string): string | undefined {
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  return start === -1 || end < start
    ? undefined
    : `${text.slice(0, start + opening.length)}\n\n${keyTable()}\n${text.slice(end)}`;
}

const opening = '<!-- keys: written by `npm run keys` -->';
const closing = '<!-- end of keys -->';

function code(keys: readonly string[]): string {
  return formatKeys(keys).split(' ').map(toCode).join(' ');
}

function toCode(key: string): string {
  if (key === '`') return '`` ` ``';
  // A bar would end the cell of the table.
  return key === '|' ? '`\\|`' : `\`${key}\``;
}

if (process.argv[1] === import.meta.filename) {
  const file = path.join(import.meta.dirname, '..', keysPage);
  const next = withKeyTable(readFileSync(file, 'utf8'));
  if (next === undefined)
    throw new Error(`expected the marks of the table in ${keysPage}, got none`);
  writeFileSync(file, next);
}
