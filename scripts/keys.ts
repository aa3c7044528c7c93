// Writes the table of keys, from the keymap, into every document that has a place for it: `npm run keys`.
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {keysInWords} from '../source/tui/screens/help-body.ts';
import {contextOrder, contextWords, keymap} from '../source/tui/model/keymap.ts';

/** Documents with a place for the table. */
export const documents = ['docs/app.md', 'README.md'];

export function keyTable(): string {
  return contextOrder
    .map((context) =>
      [
        `**${contextWords[context]}**`,
        '',
        '| key | what it does |',
        '|---|---|',
        ...keymap
          .filter((binding) => binding.in === context)
          .map(({keys, words}) => `| ${code(keys)} | ${words} |`),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** The document with the table of now in its place; nothing for one that has no place. */
export function withKeyTable(text: string): string | undefined {
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  return start === -1 || end < start
    ? undefined
    : `${text.slice(0, start + opening.length)}\n\n${keyTable()}\n${text.slice(end)}`;
}

const opening = '<!-- keys: written by `npm run keys` -->';
const closing = '<!-- end of keys -->';

function code(keys: readonly string[]): string {
  return keysInWords(keys)
    .split(' ')
    .map((key) => (key === '`' ? '`` ` ``' : `\`${key}\``))
    .join(' ');
}

if (process.argv[1] === import.meta.filename) {
  for (const document of documents) {
    const file = path.join(import.meta.dirname, '..', document);
    const text = readFileSync(file, 'utf8');
    const next = withKeyTable(text);
    if (next !== undefined && next !== text) writeFileSync(file, next);
  }
}
