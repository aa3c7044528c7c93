import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sidebarRows} from '../../../source/app/model/sidebar-rows.ts';
import {createHarness, report, userCommand} from '../../domain/support/harness.ts';
import {startSession} from '../../domain/support/stages.ts';

test('a shell at its prompt is shown as that and calls nobody; what asks in it does', () => {
  const harness = createHarness();
  userCommand(harness, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/x'});
  startSession(harness, 's1');
  const shown = (): unknown[] =>
    sidebarRows(harness.state, 0).map(({mark, word, text, tone}) => [mark, word, text, tone]);
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'proven',
    secret: false,
    question: 'bash-5.2#',
    idle: true,
  });
  assert.deepEqual(shown(), [['○', 'at prompt', 'at its prompt', 'quiet']]);
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'proven',
    secret: false,
    question: 'Overwrite? [y/N]',
  });
  assert.deepEqual(shown(), [['?', 'asks', 'asks: Overwrite? [y/N]', 'needs']]);
});
