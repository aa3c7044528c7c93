import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync, writeFileSync} from 'node:fs';
import {assertReadable} from './assert-readable.ts';
import {draw} from './draw.tsx';
import {type Fixture, paneText} from './fixtures.ts';

// Clock times on the screen are those of the machine.
process.env['TZ'] = 'UTC';

/** Compares the whole screen with `goldens/NAME-80x24.txt`, and with itself in colours. */
export function compareGolden(name: string, fixture: Fixture): void {
  const {model, state, now} = fixture;
  const drawn = draw(model, state, now, paneText);
  const file = path.join(
    import.meta.dirname,
    'goldens',
    `${name}-${model.size.columns}x${model.size.rows}.txt`,
  );
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, drawn);
  assert.equal(drawn, readFileSync(file, 'utf8'), `${file} differs; UPDATE_GOLDENS=1 rewrites it`);
  assertReadable(fixture, drawn);
}
