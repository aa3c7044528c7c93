import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NeedHeading} from '../../../../source/app/components/needs/NeedHeading.tsx';
import {selectNeeds} from '../../../../source/domain/index.ts';
import type {NeedKind} from '../../screens/need-fixtures.ts';
import {aBell, aNotice, aSecond, atNeed, firstTitle} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  rendersAfter,
  rowsOf,
  show,
  withText,
} from '../render.tsx';

function heading(kind: NeedKind, isOpen = true) {
  const fixture = atNeed(kind);
  // All of them began at 5 s.
  fixture.now = 65_000;
  const [need] = selectNeeds(fixture.state);
  assert.ok(need !== undefined);
  return {fixture, element: <NeedHeading need={need} isOpen={isOpen} />};
}

function textOf(kind: NeedKind, isOpen?: boolean): string {
  const {fixture, element} = heading(kind, isOpen);
  return rowsOf(element, {fixture, columns: 90}).join('\n');
}

test('has the title on the left, and since when on the right', () => {
  assert.match(textOf('asked'), /^ \? Share the refresh in flight .*waiting 1m00$/);
  assert.match(textOf('stopped-tokens'), /✗ Share the refresh in flight .*1 · stopped 1m ago$/);
  assert.match(textOf('planless'), /failed 1m ago$/);
  assert.match(textOf('trouble'), /▲ .*1m ago$/);
});

test('says that it is settled', () => {
  assert.match(textOf('asked', false), /^ ✓ .*settled$/);
});

test('a wait that has just begun is not 0s, and grows evenly', async () => {
  const {fixture, element} = heading('asked');
  fixture.now = 5500;
  const shown = show(element, {fixture, columns: 90});
  const ages: string[] = [];
  for (const now of [5500, 9999, 10_000, 19_999, 20_000, 60_000, 70_000, 130_000]) {
    await shown.change((one) => {
      one.now = now;
    });
    ages.push(/waiting (\S+)$/m.exec(shown.text())?.[1] ?? '');
  }

  assert.deepEqual(ages, ['<10s', '<10s', '10s', '10s', '20s', '1m00', '1m10', '2m10']);
  shown.close();
});

test('a hostile title stays in its row, in ASCII signs', () => {
  const {fixture, element} = heading('asked');
  assertSafe(element, {fixture: withText(fixture, firstTitle), columns: 70});
  assertFits(element, {fixture: withText(fixture, firstTitle), widths: [60, 100]});
  assertAscii(element, {fixture});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const {fixture, element} = heading('asked');
    assert.equal(await rendersAfter(element, change, {fixture}), 0);
  });
