import assert from 'node:assert/strict';
import {test} from 'node:test';
import {HelpScreen} from '../../../source/app/screens/HelpScreen.tsx';
import {atWork, aBell} from '../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  paintText,
  rendersAfter,
  show,
  withKey,
} from '../components/render.tsx';
import {type Fixture, press, type} from './fixtures.ts';

function helped(): Fixture {
  const fixture = atWork();
  press(fixture, '?', '?');
  return fixture;
}

test('lists all keys by where they work, in columns where there is room', () => {
  const wide = paintText(<HelpScreen />, {fixture: helped(), columns: 120, rows: 35});
  assert.match(wide, /All keys {3}CAPITALS decide, small letters look\./);
  assert.match(wide, /z +zoom/);
  const narrow = paintText(<HelpScreen />, {fixture: helped(), columns: 60, rows: 35});
  assert.notEqual(wide, narrow);
});

test('shows keys that were changed', () => {
  const fixture = withKey(helped(), 'zoom', 'f12');
  assert.match(paintText(<HelpScreen />, {fixture, columns: 120, rows: 60}), /F12 +zoom/);
});

test('a filter is written key by key, and may match nothing', async () => {
  const shown = show(<HelpScreen />, {fixture: helped(), columns: 90, rows: 33});
  await shown.write('/');
  await shown.write('zoom');
  assert.match(shown.text(), /with "zoom"/);
  assert.match(shown.text(), /zoom/);
  await shown.write('qqqq');
  assert.match(shown.text(), /No match\./);
  shown.close();
});

test('stays in its box, whatever is searched for', () => {
  const fixture = helped();
  press(fixture, '/');
  type(fixture, '数🚀'.repeat(60));
  assertFits(<HelpScreen />, {fixture, widths: [60, 100]});
  assertFits(<HelpScreen />, {fixture: helped(), widths: [60, 100]});
  assert.throws(() => {
    assertAscii(<HelpScreen />, {fixture});
  }, 'what was written is shown as it is');
});

test('the keys are not listed anew when a pane rings', async () => {
  const renders = await rendersAfter(<HelpScreen />, aBell, {fixture: helped(), columns: 90});
  assert.ok(renders <= 1, String(renders));
});
