import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Inbox, NeedSign} from '../../../../source/app/components/needs/Inbox.tsx';
import {press} from '../../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atStart, inStory} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintRows,
  rendersAfter,
  rowsOf,
  show,
  withText,
} from '../render.tsx';

function withNeeds() {
  const fixture = inStory();
  press(fixture, 'n');
  return fixture;
}

const options = {columns: 40, rows: 30};

test('lists all needs with sign, title, words and age, and marks the one that is shown', () => {
  const rows = paintRows(<Inbox />, {fixture: withNeeds(), ...options});
  assert.match(rows[0] ?? '', /^ Needs you {2}2 {5}oldest first$/);
  assert.match(rows[2] ?? '', /^▌✗ Say when a token is refres…$/);
  assert.match(rows[3] ?? '', /^▌ {2}stopped\b.* \d+[smhd]$/);
  assert.ok(rows.some((row) => /^ \? Count refreshes$/.test(row)));
});

test('says what goes on meanwhile', () => {
  const text = paintRows(<Inbox />, {fixture: withNeeds(), ...options}).join('\n');
  assert.match(text, /Meanwhile\n[^]*✓ 1 of 4 is merged\n ○ 1 waits for others/);
  assert.match(
    paintRows(<Inbox />, {fixture: atStart(), ...options}).join('\n'),
    /Needs you {2}0[^]*nothing runs yet/,
  );
});

test('a need is clicked; keys walk through them', async () => {
  const shown = show(<Inbox />, {fixture: withNeeds(), columns: 40, rows: 30});
  assert.deepEqual(
    shown.targets().map(({type}) => type),
    ['need', 'need'],
  );
  await shown.write('n');
  assert.match(shown.text(), /▌\? Count refreshes/);
  shown.close();
});

test('an age grows by ten seconds at every step of the clock, and is never 0s', async () => {
  const fixture = withNeeds();
  const ages: string[] = [];
  const shown = show(<Inbox />, {fixture, columns: 40, rows: 30});
  for (let step = 0; step < 3; step++) {
    ages.push(/ (<?\d+[smhd])$/m.exec(shown.rows()[3] ?? '')?.[1] ?? '');
    await shown.change((one) => {
      one.now += 10_000;
    });
  }

  assert.ok(!ages.includes('0s') && !ages.includes(''), ages.join(' '));
  shown.close();
});

test('a screen reader hears words instead of signs', () => {
  const text = rowsOf(<Inbox />, {fixture: withNeeds(), isScreenReader: true}).join('\n');
  assert.doesNotMatch(text, /[▌✗✓○]|oldest first/);
  assert.equal(rowsOf(<NeedSign sign="ready" />, {isScreenReader: true}).join(''), '');
  assert.deepEqual(rowsOf(<NeedSign sign="ready" />), ['✓']);
});

test('titles are foreign, and the column keeps its width', () => {
  const fixture = withText(withNeeds(), 'Say when a token is refreshed');
  assertSafe(<Inbox />, {fixture, columns: 40, rows: 30});
  assertFits(<Inbox />, {fixture, widths: [31, 60]});
  assertAscii(<Inbox />, {fixture: atStart()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const fixture = withNeeds();
    fixture.now = Math.ceil(fixture.now / 10_000) * 10_000;
    assert.equal(await rendersAfter(<Inbox />, change, {fixture}), 0);
  });
