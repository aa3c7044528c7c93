import assert from 'node:assert/strict';
import {test} from 'node:test';
import {houseRows} from '../../../source/tui/model/house-rows.ts';
import {createHouse, report, wish} from '../../domain/support/house.ts';
import {startSession} from '../../domain/support/stages.ts';

test('a shell at its prompt is shown as that and calls nobody; what asks in it does', () => {
  const house = createHouse();
  wish(house, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/x'});
  startSession(house, 's1');
  const shown = (): unknown[] =>
    houseRows(house.state, 0).map(({mark, word, words, tone}) => [mark, word, words, tone]);
  report(house, {
    type: 'session-waiting',
    session: 's1',
    proof: 'proven',
    secret: false,
    question: 'bash-5.2#',
    idle: true,
  });
  assert.deepEqual(shown(), [['○', 'at prompt', 'at its prompt', 'quiet']]);
  report(house, {
    type: 'session-waiting',
    session: 's1',
    proof: 'proven',
    secret: false,
    question: 'Overwrite? [y/N]',
  });
  assert.deepEqual(shown(), [['?', 'asks', 'asks: Overwrite? [y/N]', 'needs']]);
});
