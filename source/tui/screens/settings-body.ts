import {chordInWords} from '../model/chord.ts';
import {blank, span, type Line} from '../model/line.ts';
import {settingRows} from '../model/setting-rows.ts';
import type {Body, ScreenView} from './body.ts';
import {paragraph, readable} from './words.ts';

/** What a person may like otherwise. It is kept for this user. */
export function settingsBody({model, size: {columns}}: ScreenView): Body {
  const rows = settingRows.map(({words, name, values}): Line => [
    span(`  ${words.padEnd(34)}`),
    ...values.flatMap(({value, words: said}) => {
      const isChosen = model.settings[name] === value;
      return [span(isChosen ? '● ' : '○ ', isChosen ? 'accent' : 'quiet'), span(`${name === 'leave' ? chordInWords(String(value)) : said}   `, isChosen ? 'strong' : 'quiet')];
    }),
  ]);
  const chosen = settingRows[Math.max(0, Math.min(settingRows.length - 1, model.places.settings.cursor))];
  return {list: 'settings', head: [[span(' Settings', 'title')], blank], rows: [...rows, blank, ...paragraph(chosen?.note ?? '', Math.min(columns, readable) - 4, {first: '  ', tone: 'quiet'})], foot: [], hasCursor: true, choices: rows.length};
}
