import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ServicesScreen} from '../../../source/app/screens/ServicesScreen.tsx';
import {aBell, aNotice, aSecond, atNeed, atStart, inStory} from '../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintText,
  rendersAfter,
  show,
  withText,
} from '../components/render.tsx';
import {type Fixture, happen} from './fixtures.ts';

function withPorts(fixture: Fixture, fact: object): Fixture {
  happen(fixture, {type: 'answered', name: 'facts', value: [{name: 'ports', ...fact}]});
  return fixture;
}

const at = Date.UTC(2026, 10, 17, 7, 1, 24);

test('has each service with port and state, and who listens where', () => {
  const fixture = withPorts(inStory(), {
    at,
    source: 'kernel',
    value: [{session: 's2', pid: 4711, port: 3000}],
  });
  const text = paintText(<ServicesScreen />, {fixture, columns: 100});
  assert.match(text, /^▌ +● web +:3000 +starting.* s2$/m);
  assert.match(text, /Ports {2}read from the kernel at 07:01:24/);
  assert.match(text, /3000 {2}service web +s2 {2}process 4711/);
});

test('without services it says where they are declared', () => {
  const text = paintText(<ServicesScreen />, {fixture: atStart(), columns: 100});
  assert.match(text, /No services\. Declare them in \.orchestra\/project\.yaml/);
  assert.match(text, /asking the kernel …/);
});

test('of many ports the first are shown, and the rest counted', () => {
  const value = Array.from({length: 20}, (_, index) => ({session: 's2', pid: index, port: index}));
  const fixture = withPorts(inStory(), {at, source: 'kernel', value});
  assert.match(paintText(<ServicesScreen />, {fixture, columns: 100}), /and 8 more/);
});

test('a long state is cut, and the session stays in its column', () => {
  const text = paintText(<ServicesScreen />, {fixture: atNeed('service'), columns: 60});
  const row = text.split('\n').find((one) => one.includes(':9200')) ?? '';
  assert.match(row, /…/);
  assert.ok(row.length <= 60);
});

test('a service is clicked', () => {
  const shown = show(<ServicesScreen />, {fixture: inStory(), columns: 90, rows: 30});
  assert.deepEqual(shown.targets()[0], {type: 'item', list: 'services', index: 0});
  shown.close();
});

test('names, states and answers of the kernel are foreign', () => {
  const fixture = withPorts(withText(atNeed('service'), 'search-index', hostile), {
    at,
    unknown: hostile,
  });
  assertSafe(<ServicesScreen />, {fixture, columns: 90, rows: 30});
  assertFits(<ServicesScreen />, {fixture, widths: [60, 100]});
  assertAscii(<ServicesScreen />, {fixture: inStory()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<ServicesScreen />, change, {fixture: inStory()}), 0);
  });
