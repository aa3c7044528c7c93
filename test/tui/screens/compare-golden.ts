import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {draw} from './draw.ts';
import {paneText, type Stage} from './scenes.ts';

/** The whole screen is as it was: `goldens/NAME-80x24.txt`. */
export function compareGolden(name: string, {model, state, now}: Stage): void {
  const drawn = draw(model, state, now, paneText);
  const file = path.join(
    import.meta.dirname,
    'goldens',
    `${name}-${model.size.columns}x${model.size.rows}.txt`,
  );
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, drawn);
  assert.equal(drawn, readFileSync(file, 'utf8'), `${file} differs; UPDATE_GOLDENS=1 rewrites it`);
}
