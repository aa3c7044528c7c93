import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ChangePreview} from '../../../../source/app/components/needs/ChangePreview.tsx';
import {parseDiff} from '../../../../source/app/review/parse-diff.ts';
import type {Fixture} from '../../screens/fixtures.ts';
import {toDiff} from '../../screens/review-fixture.ts';
import {aBell, aSecond, atNeed} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  evil,
  paintText,
  rendersAfter,
  rowsOf,
  withKey,
} from '../render.tsx';

const preview = <ChangePreview task="r1.t1" />;
const lines = [' before', ' one', '-old', '+new', '+newer', ...Array<string>(20).fill('+more')];

function changed(diff: string, task = 'r1.t1'): Fixture {
  const fixture = atNeed('stopped-outside', {columns: 100, rows: 35});
  const change = {of: task, value: parseDiff(diff)};
  fixture.model = {
    ...fixture.model,
    answers: {...fixture.model.answers, change},
  };
  return fixture;
}

test('has the file, how much changed, and the first lines from the first change on', () => {
  const fixture = changed(toDiff('src/a.ts', lines) + toDiff('src/b.ts', ['+x'], 'new'));
  const text = paintText(preview, {fixture, columns: 100});
  assert.match(text, /─ src\/a\.ts and 1 more ─+ \+22 -1 ─/);
  assert.match(text, /2 {3}one *│\n│ +3 - old *│\n│ +3 \+ new *│/);
  assert.doesNotMatch(text, /before/);
  assert.match(text, /v the whole change ─/);
});

test('shows the key that is bound', () => {
  const fixture = withKey(changed(toDiff('src/a.ts', lines)), 'see-diff', 'f8');
  assert.match(paintText(preview, {fixture, columns: 100}), /F8 the whole change/);
});

test('is nothing without a change, or for another task', () => {
  assert.equal(
    rowsOf(preview, {fixture: atNeed('stopped-outside')})
      .join('')
      .trim(),
    '',
  );
  const other = changed(toDiff('src/a.ts', lines), 'r1.t2');
  assert.equal(rowsOf(preview, {fixture: other}).join('').trim(), '');
});

test('hostile code stays in its row, in ASCII signs', () => {
  const fixture = changed(toDiff('src/Foreign.ts', [`+${evil}${'W'.repeat(400)}`]));
  assertSafe(preview, {fixture, columns: 80});
  assertFits(preview, {fixture});
  assertAscii(preview, {fixture: changed(toDiff('src/a.ts', lines)), columns: 100});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(
      await rendersAfter(preview, change, {fixture: changed(toDiff('src/a.ts', lines))}),
      0,
    );
  });
