import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {drivers, ownInterfaces} from '../../source/agents/agents.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/agents.md'), 'utf8');

test('an interface counts as proven for work exactly if its column in docs/agents.md is all shown', () => {
  const [, section = ''] = page.split('\n## Interactive workers\n');
  const [, after = ''] = section.split('\nWhat a test with the real CLIs showed ');
  const table = after.split('\n\n').find((part) => part.startsWith('|')) ?? assert.fail('no table');
  const [head = [], , ...rows] = table.split('\n').map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  assert.deepEqual(head.slice(1), Object.keys(ownInterfaces));
  assert.ok(rows.length > 10);
  for (const row of rows) assert.equal(row.length, head.length, row[0]);
  // Of what does not apply to an agent, the cell says why.
  const isShown = (cell = ''): boolean => cell === '✓' || /^– \(.+\)$/u.test(cell);
  const shown = head.filter((_, column) => column > 0 && rows.every((row) => isShown(row[column])));
  assert.ok(shown.length > 0);
  assert.deepEqual(
    drivers
      .filter(({name}) => ownInterfaces[name]?.includes('worker') === true)
      .map(({name}) => name),
    shown,
  );
});
