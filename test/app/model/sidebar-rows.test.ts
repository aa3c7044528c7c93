import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sidebarRows} from '../../../source/app/model/sidebar-rows.ts';
import {conclude, createHarness, report, userCommand} from '../../domain/support/harness.ts';
import {getPlan, plannedTask} from '../../domain/support/samples.ts';
import {startSession, thinking} from '../../domain/support/stages.ts';

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

test('the terminal of a planner in its own interface stays beside its plan; it waits for the person', () => {
  const harness = thinking({}, {}, {planners: 'interactive'});
  startSession(harness, 's1');
  const row = () => {
    const found = sidebarRows(harness.state, harness.time).find(({key}) => key === 'r1');
    return [found?.mark, found?.text, found?.session, found?.isPane];
  };
  const talk = () => {
    report(harness, {type: 'turn-began', session: 's1', by: 'person'});
    report(harness, {type: 'turn-ended', session: 's1', source: 'agent', words: 'Which one?'});
  };
  talk();
  const of = {run: 'r1', round: 1} as const;
  conclude(harness, 'read-plan', {type: 'planner-waiting', ...of, from: {session: 's1', turn: 1}});
  assert.deepEqual(row(), ['?', 'its planner waits for you', 's1', true]);
  talk();
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    ...of,
    plan: getPlan(plannedTask('t1')),
    hash: 'plan-1',
    tree: 'tree-base',
    from: {session: 's1', turn: 2},
  });
  assert.deepEqual(row(), ['?', 'plan ready', 's1', true]);
  report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null});
  assert.deepEqual(row(), ['?', 'plan ready', undefined, false]);
});
