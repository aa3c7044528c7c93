import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {StoppedNeed} from '../../../../source/app/components/needs/StoppedNeed.tsx';
import {type Need, selectNeeds} from '../../../../source/domain/index.ts';
import {answer, open, press, tokenStory} from '../../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atNeed} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintText,
  rendersAfter,
  withText,
} from '../render.tsx';

type Stopped = Extract<Need, {kind: 'stopped'}>;

function stopped(columns = 120) {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, {columns, rows: 45});
  press(fixture, 'n');
  answer(fixture, harness, left);
  return fixture;
}

const need = selectNeeds(stopped().state).find((one): one is Stopped => one.kind === 'stopped')!;
const ways = {ways: [{action: 'grant', keys: 'R', text: 'retry'}], follows: 'Kept.'} as never;
const element = (
  <Box flexDirection="column">
    <StoppedNeed need={need} ways={ways} />
  </Box>
);

test('has the failure, the tries, the change, and who waits for it', () => {
  const text = paintText(element, {fixture: stopped(), columns: 120, rows: 60});
  assert.match(text, /failed/);
  assert.match(text, /Tries +both used/);
  assert.match(text, /If it stays like this\nNo task waits for this one/);
  assert.doesNotMatch(text, /R retry/, 'a wide window has the ways in a bar');
});

test('a narrow window has the ways on after the failure', () => {
  const text = paintText(element, {fixture: stopped(80), columns: 80, rows: 60});
  assert.match(text, /R retry[^]*Kept\.[^]*Tries/);
});

test('says what it knows before the daemon has answered', () => {
  const fixture = atNeed('stopped-tokens');
  const [own] = selectNeeds(fixture.state);
  assert.ok(own?.kind === 'stopped');
  const text = paintText(<StoppedNeed need={own} ways={ways} />, {fixture, columns: 100});
  assert.match(text, /Stopped: .*tokens/);
  assert.match(text, /Reading what was tried …/);
});

test('titles and reasons are foreign', () => {
  const fixture = stopped();
  const foreign = withText(fixture, 'another link leads nowhere');
  assertSafe(element, {fixture: foreign, columns: 90});
  assertFits(element, {fixture: foreign, rows: 90, widths: [60, 100]});
  assertAscii(element, {fixture, rows: 60});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(element, change, {fixture: stopped(), columns: 90}), 0);
  });
