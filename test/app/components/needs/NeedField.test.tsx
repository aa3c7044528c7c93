import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NeedField} from '../../../../source/app/components/needs/NeedField.tsx';
import {press} from '../../screens/fixtures.ts';
import {aSecond, atNeed, atWork} from '../app-fixtures.ts';
import {assertFits, rendersAfter, rowsOf, show} from '../render.tsx';

function writing() {
  const fixture = atNeed('asked');
  press(fixture, 'enter');
  return fixture;
}

test('is a frame with the name of what is written, and follows the keys', async () => {
  const shown = show(<NeedField />, {fixture: writing(), columns: 60});
  await shown.write('keep it');
  assert.match(shown.rows()[0] ?? '', /^╭─ .+ ─+╮$/);
  assert.match(shown.rows()[1] ?? '', /^│ keep it/);
  shown.close();
});

test('is nothing while nothing is written', () => {
  assert.equal(
    rowsOf(<NeedField />, {fixture: atNeed('asked')})
      .join('')
      .trim(),
    '',
  );
});

test('shows no letter of a secret', async () => {
  const fixture = atWork();
  press(fixture, 'n', 'enter');
  const shown = show(<NeedField />, {fixture, columns: 60});
  await shown.write('hunter2');
  assert.doesNotMatch(shown.text(), /hunter/);
  assert.match(shown.text(), /•{7}/);
  shown.close();
});

test('an endless line of wide characters stays in the frame', async () => {
  const shown = show(<NeedField />, {fixture: writing(), columns: 60});
  await shown.write('数🚀'.repeat(60));
  assertFits(<NeedField />, {fixture: shown.fixture});
  shown.close();
});

test('is not drawn again after a second', async () => {
  assert.equal(await rendersAfter(<NeedField />, aSecond, {fixture: writing()}), 0);
});
