import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {writeHook} from '../../e2e/loop/support/loop-fixture.ts';
import {createAgent, type StagedAgent, toText} from './support/agent.ts';
import {eventually} from '../../support/eventually.ts';

const question = {question: 'Which port shall it be?', options: ['3000', 'the next free one']};

async function asked(agent: StagedAgent): Promise<void> {
  await agent.until('the question is open', (state) =>
    JSON.stringify(state.sessions).includes(question.question),
  );
}

test('a person is told of the question once, answers with a word or a number, and the agent goes on with it', async (t) => {
  const agent = await createAgent(t);
  writeHook(
    agent,
    'on-need',
    `cat >> "${path.join(agent.home, 'told')}"; echo >> "${path.join(agent.home, 'told')}"`,
  );
  const answer = agent.call('ask_person', question);
  await asked(agent);
  const again = agent.call('ask_person', question);
  const {out} = agent.run('needs');
  assert.match(out, /Do t1 \(s2\) asks: Which port shall it be\? \(1 3000, 2 the next free one\)/);
  assert.match(out, /orchestra send s2 1/);
  assert.match(agent.run('status').out, /asks: Which port shall it be\?/);
  assert.deepEqual(agent.run('send', 's2', '9'), {
    code: 2,
    out: '',
    err: 'orchestra: expected a number from 1 to 2, or other text, got 9\n',
  });
  assert.deepEqual(agent.run('send', 's2', '2'), {
    code: 0,
    out: 's2 asked: Which port shall it be?\nanswered: the next free one\n',
    err: '',
  });
  assert.deepEqual(
    [await answer, await again],
    [{text: 'the next free one'}, {text: 'the next free one'}],
  );
  assert.deepEqual(
    await agent.call('ask_person', question),
    {text: 'the next free one'},
    'the same words are the same question',
  );
  assert.deepEqual(
    [agent.eventsOf('question-asked').length, agent.eventsOf('question-answered').length],
    [1, 1],
  );
  assert.match(agent.run('needs').out, /Nothing needs you/);
  assert.match(
    agent.run('timeline').out,
    /s2 asks: Which port.*\n.*s2 got your answer: the next free one/,
  );
  await eventually(
    'the hook was called',
    () =>
      existsSync(path.join(agent.home, 'told')) &&
      readFileSync(path.join(agent.home, 'told'), 'utf8').includes('s2/asked/1'),
  );
  assert.equal(
    readFileSync(path.join(agent.home, 'told'), 'utf8').split('s2/asked/1').length,
    2,
    'once',
  );
});

test('who waits too long is told so, and asks again with the same words; meanwhile it is no stall', async (t) => {
  // Six seconds without progress: in those the question has to be asked, on a slow machine too.
  const agent = await createAgent(t, {
    tasks: [{id: 't1'}, {id: 't2'}],
    acts: {t1: 'exec sleep 1000', t2: 'exec sleep 1000'},
    env: {ORCHESTRA_MINUTE_MS: '1500'},
    project: 'limits: {workers: 2, noProgressMinutes: 4}\n',
  });
  assert.match(
    await toText(agent.call('ask_person', {question: 'Are you there?'})),
    /^No answer yet: /,
  );
  await eventually('the one that asks nobody is stopped', () =>
    agent.eventsOf('task-stopped').some(({task}) => task === 'r1.t2'),
  );
  assert.deepEqual(
    agent.eventsOf('task-stopped').map(({task}) => task),
    ['r1.t2'],
  );
  const {out} = agent.run('send', agent.worker, 'Yes, I am.', '--json');
  assert.deepEqual(JSON.parse(out), {session: agent.worker, question: 1, answer: 'Yes, I am.'});
  assert.deepEqual(await agent.call('ask_person', {question: 'Are you there?'}), {
    text: 'Yes, I am.',
  });
});

test('a daemon that is killed while somebody is asked goes on with the same question', async (t) => {
  const agent = await createAgent(t);
  const answer = agent.call('ask_person', question, {patienceMs: 60_000});
  await asked(agent);
  await agent.killDaemon('SIGKILL');
  assert.equal(agent.run('daemon', 'start').code, 0);
  assert.match(agent.run('needs').out, /Do t1 \(s2\) asks: /);
  agent.run('send', 's2', '3000, and no other');
  assert.deepEqual(await answer, {text: '3000, and no other'});
  assert.deepEqual(
    [agent.eventsOf('question-asked').length, agent.eventsOf('question-answered').length],
    [1, 1],
  );
});

test('a question is closed when its agent ends', async (t) => {
  const agent = await createAgent(t);
  const answer = agent.call('ask_person', question);
  await asked(agent);
  agent.letGo();
  assert.equal((await answer).isError, true);
  assert.equal(
    agent.needs().some(({kind}) => kind === 'question'),
    false,
  );
});
