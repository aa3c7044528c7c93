import assert from 'node:assert/strict';
import {test} from 'node:test';
import {OtherRows} from '../../../source/app/components/OtherRows.tsx';
import {aBell, aNotice, aSecond, atNeed, atStart, atWork} from './app-fixtures.ts';
import {assertFits, assertSafe, hostile, rendersAfter, rowsOf, show, withText} from './render.tsx';

const sessions = <OtherRows kind="session" heading="Sessions" />;
const services = <OtherRows kind="service" heading="Services" />;

test('lists the sessions of the person, and a click chooses one', () => {
  const shown = show(sessions, {fixture: atWork(), columns: 34});
  assert.match(shown.text(), /^ Sessions\n {2}\S s4 shell/);
  assert.deepEqual(shown.targets(), [{type: 'row', key: 's4'}]);
  shown.close();
});

test('marks the chosen one', () => {
  const fixture = atWork();
  fixture.model = {...fixture.model, selected: 's4'};
  assert.match(rowsOf(sessions, {fixture, columns: 34})[1] ?? '', /^▌ \S s4 shell/);
});

test('lists services with their port and state', () => {
  const text = rowsOf(services, {fixture: atNeed('service'), columns: 44}).join('\n');
  assert.match(text, /^ Services\n {2}\S search-index +:9200 \S/);
});

test('is not there without any', () => {
  assert.equal(rowsOf(sessions, {fixture: atStart()}).join('').trim(), '');
});

test('names are foreign', () => {
  const fixture = withText(atNeed('service'), 'search-index', hostile);
  assertSafe(services, {fixture, columns: 34});
  assertFits(services, {fixture, widths: [30, 60]});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(sessions, change, {fixture: atWork()}), 0);
  });
