import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FirstWays} from '../../../source/app/components/FirstWays.tsx';
import {emptyState} from '../../../source/domain/index.ts';
import {type Fixture, open} from '../screens/fixtures.ts';
import {assertAscii, assertFits, paintText, show, withKey} from './render.tsx';

function withoutAgents(): Fixture {
  return open(emptyState, 1_000_000, {columns: 80, rows: 35}, undefined, {agents: []});
}

test('has four ways with numbers; the marked one has the mark, and each can be clicked', async () => {
  const shown = show(<FirstWays />, {fixture: withoutAgents(), columns: 96});
  assert.match(shown.text(), /No coding agent is installed here/);
  assert.match(shown.text(), /▌ 1 {2}see the whole loop now[^]* 4 {2}follow a playbook/);
  assert.deepEqual(
    shown.targets().map((target) => ('index' in target ? target.index : -1)),
    [0, 1, 2, 3],
  );
  await shown.write('j');
  assert.match(shown.text(), /▌ 2 {2}install one/);
  shown.close();
});

test('explains the way that was taken, with the key that copies', async () => {
  const shown = show(<FirstWays />, {fixture: withoutAgents(), columns: 96});
  await shown.write('2');
  assert.match(shown.text(), /Run one of these in a shell[^]*y copy[^]*npm|claude/);
  shown.close();
});

test('words do not break around the key that copies, at 80 columns', async () => {
  const shown = show(<FirstWays />, {fixture: withoutAgents(), columns: 78});
  await shown.write('3');
  const row = shown.rows().find((one) => one.includes('y copy')) ?? '';
  assert.match(row, /^│ +y copy │$/, shown.text());
  shown.close();
});

test('names the keys that are bound', () => {
  const fixture = withKey(withoutAgents(), 'take-way', 'f5');
  assert.match(paintText(<FirstWays />, {fixture, columns: 96}), /F5 takes the marked one/);
});

test('stays in its box, in ASCII too', () => {
  assertFits(<FirstWays />, {fixture: withoutAgents(), widths: [40, 60, 100]});
  assertAscii(<FirstWays />, {fixture: withoutAgents(), columns: 100});
});
