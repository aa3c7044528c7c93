import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FailureFrame} from '../../../../source/app/components/needs/FailureFrame.tsx';
import {type Need, selectNeeds} from '../../../../source/domain/index.ts';
import type {FailureView} from '../../../../source/reports/index.ts';
import {atNeed} from '../app-fixtures.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText} from '../render.tsx';

type Stopped = Extract<Need, {kind: 'stopped'}>;
const fixture = () => atNeed('stopped-gave-up', {columns: 120, rows: 35});
const need = selectNeeds(fixture().state).find((one): one is Stopped => one.kind === 'stopped')!;
const check = {...need, why: {kind: 'check'}} as unknown as Stopped;

const failure = (change: Partial<FailureView> = {}): FailureView => ({
  kind: 'check',
  title: 'test failed',
  place: 'test/card.test.js:12',
  test: 'an expired card is refused',
  expected: '402',
  got: '200',
  firstGot: '500',
  paths: [],
  lines: [],
  ...change,
});

test('names the check, the place, the test, and what was expected and got', () => {
  const text = paintText(<FailureFrame failure={failure()} need={check} />, {
    fixture: fixture(),
    columns: 100,
  });
  assert.match(text, /─ test failed ─+ test\/card\.test\.js:12 ─/);
  assert.match(text, /an expired card is refused/);
  assert.match(text, /expected {2}402/);
  assert.match(text, /got {7}200 +first try: 500/);
});

test('shows the first lines, and how many there are', () => {
  const lines = Array.from({length: 40}, (_, index) => `line ${index}`);
  const text = paintText(
    <FailureFrame
      failure={failure({lines, expected: undefined, test: undefined} as never)}
      need={check}
    />,
    {fixture: fixture(), columns: 100},
  );
  assert.match(text, /line 13\D/);
  assert.doesNotMatch(text, /line 14\D|expected/);
  assert.match(text, /26 more lines/);
});

test('says why it stopped where no check failed, and lists paths', () => {
  const bare = failure({expected: undefined, test: undefined} as never);
  assert.match(
    paintText(<FailureFrame failure={bare} need={need} />, {fixture: fixture(), columns: 100}),
    /identity provider cannot be reached/,
  );
  const paths = ['package.json', 'src/log.ts'];
  assert.match(
    paintText(<FailureFrame failure={failure({paths})} need={need} />, {
      fixture: fixture(),
      columns: 100,
    }),
    /package\.json[^]*src\/log\.ts/,
  );
});

test('names the rule that was broken', () => {
  const rule = {number: '1.1', text: 'Never touch the API.'};
  assert.match(
    paintText(<FailureFrame failure={failure({rule})} need={need} />, {
      fixture: fixture(),
      columns: 100,
    }),
    /1\.1 Never touch the API\./,
  );
});

test('output of a check is foreign', () => {
  const foreign = failure({title: hostile, expected: hostile, got: hostile, lines: [hostile]});
  const element = <FailureFrame failure={foreign} need={check} />;
  assertSafe(element, {fixture: fixture(), columns: 80});
  assertFits(element, {fixture: fixture(), rows: 90});
  assertAscii(<FailureFrame failure={failure()} need={check} />, {fixture: fixture()});
});
