import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Overlay} from '../../../source/app/components/Overlay.tsx';
import {press} from '../screens/fixtures.ts';
import {aBell, aSecond, atWork} from './app-fixtures.ts';
import {paintText, rendersAfter, show} from './render.tsx';

test('is nothing until something is asked', () => {
  assert.equal(paintText(<Overlay />, {fixture: atWork(), columns: 90}), '');
});

test('shows the palette, help, a question, and a key that is asked for', () => {
  for (const [keys, expected] of [
    [[':'], /Go to|Here/],
    [['?'], /Keys for Work/],
    [['1', 'D'], /Discard task 1\?/],
  ] as const) {
    const fixture = atWork();
    press(fixture, ...keys);
    assert.match(paintText(<Overlay />, {fixture, columns: 90}), expected, keys.join(' '));
  }

  const fixture = atWork();
  press(fixture, 'm', 'enter');
  assert.match(paintText(<Overlay />, {fixture, columns: 90}), /[Pp]ress/);
});

test('Escape closes it', async () => {
  const shown = show(<Overlay />, {fixture: atWork(), columns: 90, rows: 30});
  await shown.write('?');
  assert.match(shown.text(), /\S/);
  await shown.write('\u001B');
  assert.equal(shown.text().trim(), '');
  shown.close();
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<Overlay />, change, {fixture: atWork(), columns: 90}), 0);
  });
