import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isAtPrompt, selectNeeds, selectSession, type Session} from '../../source/domain/index.ts';
import {createHarness, type Harness, report, userCommand} from './support/harness.ts';
import {startSession} from './support/stages.ts';

const prompt = {
  type: 'session-waiting',
  session: 's1',
  proof: 'proven',
  secret: false,
  question: 'bash-5.2#',
} as const;

function withShell(): Harness {
  const harness = createHarness();
  userCommand(harness, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/x'});
  startSession(harness, 's1');
  return harness;
}

test('a shell that a person opened is no need while it is at its prompt', () => {
  const harness = withShell();
  report(harness, {...prompt, idle: true});
  assert.deepEqual(selectNeeds(harness.state), []);
  const session = selectSession(harness.state, 's1')!;
  assert.equal(isAtPrompt(session), true);
  assert.deepEqual(
    {...session.waiting, since: 0},
    {proof: 'proven', secret: false, question: 'bash-5.2#', idle: true, since: 0},
  );
});

test('what is run in it and asks is a need until the shell is back', () => {
  const harness = withShell();
  report(harness, {...prompt, idle: true});
  report(harness, {...prompt, question: 'Overwrite? [y/N]'});
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['question'],
  );
  report(harness, {...prompt, idle: true});
  assert.deepEqual(selectNeeds(harness.state), []);
});

test('a journal from before the field says what it said', () => {
  const harness = withShell();
  report(harness, prompt);
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['question'],
  );
  assert.equal(isAtPrompt(selectSession(harness.state, 's1')!), false);
});

test('in a session that no person opened a prompt is still a need', () => {
  const {id, life, inputs, usage} = selectSession(withShell().state, 's1')!;
  const at = (purpose: Session['purpose'], idle?: true): boolean =>
    isAtPrompt({
      id,
      life,
      inputs,
      usage,
      purpose,
      waiting: {
        proof: 'proven',
        secret: false,
        question: '$',
        since: 1,
        ...(idle === undefined ? {} : {idle}),
      },
    });
  assert.equal(at({for: 'takeover', task: 'r1.t1'}, true), true);
  assert.equal(at({for: 'takeover', task: 'r1.t1'}), false);
  assert.equal(at({for: 'attempt', task: 'r1.t1', attempt: 1}, true), false);
  assert.equal(at({for: 'service', service: 'web'}, true), false);
});
