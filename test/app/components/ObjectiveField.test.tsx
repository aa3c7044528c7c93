import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ObjectiveField} from '../../../source/app/components/ObjectiveField.tsx';
import {emptyState} from '../../../source/domain/index.ts';
import {modelProject, open, press, type} from '../screens/fixtures.ts';
import {aBell, atStart} from './app-fixtures.ts';
import {assertAscii, assertFits, rendersAfter, rowsOf, show, withKey} from './render.tsx';

test('shows what is written, who works, and the keys of the field', async () => {
  const shown = show(<ObjectiveField />, {fixture: atStart(), columns: 90});
  await shown.write('Stop it');
  assert.match(shown.text(), /Stop it/);
  assert.match(shown.text(), /claude works and plans .*Tab agent .*Enter plan it/);
  assert.match(shown.text(), /planner +● claude {2}○ codex {2}○ playbook .*Ctrl-p/);
  await shown.write('\t');
  assert.match(shown.text(), /codex works/);
  shown.close();
});

test('left, it names the key that writes', () => {
  const fixture = atStart();
  press(fixture, 'escape');
  const rows = rowsOf(<ObjectiveField />, {fixture, columns: 90});
  assert.match(rows[1] ?? '', /writes what should be different/);
  assert.doesNotMatch(rows.join('\n'), /planner/);
});

test('shows the keys that are bound', () => {
  const fixture = withKey(atStart(), 'submit', 'f2');
  assert.match(rowsOf(<ObjectiveField />, {fixture, columns: 90}).join('\n'), /F2 plan it/);
});

test('shows the models of an agent, and the objective while a model is named', () => {
  const fixture = open({...emptyState, project: modelProject}, 1_000_000, {columns: 90, rows: 30});
  type(fixture, 'Stop');
  press(fixture, 'ctrl-o');
  assert.match(rowsOf(<ObjectiveField />, {fixture, columns: 90}).join('\n'), /Stop/);
});

test('a long objective with wide characters stays in the frame', async () => {
  const shown = show(<ObjectiveField />, {fixture: atStart(), columns: 60});
  await shown.write('数える🚀 '.repeat(40));
  for (const row of shown.rows()) assert.ok(row.length <= 60, row);
  shown.close();
  assertFits(<ObjectiveField />, {fixture: atStart(), widths: [40, 60, 100]});
});

test('has ASCII signs', () => {
  const fixture = withKey(atStart(), 'older', 'f4');
  assertAscii(<ObjectiveField />, {fixture});
});

test('is not drawn again when a pane rings', async () => {
  const fixture = atStart();
  press(fixture, 'escape');
  const before = await rendersAfter(<ObjectiveField />, aBell, {fixture, columns: 90});
  assert.ok(before <= 1, 'it reads the whole model: at most once');
});
