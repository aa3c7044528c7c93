import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync, statSync} from 'node:fs';
import {test} from 'node:test';
import {createServer, type AddressInfo} from 'node:net';
import {once} from 'node:events';
import {connectDaemon} from '../../../source/client/index.ts';
import {callTool} from '../../../source/mcp/index.ts';
import {openWire} from '../support/wire.ts';
import {createAgent, toText} from './support/agent.ts';
import {eventually} from '../../support/eventually.ts';

const hello = (token: string): object => ({
  type: 'hello',
  protocol: {min: 1, max: 1},
  build: 'test',
  token,
});

test('an agent is told what is so, and every call is written down', async (t) => {
  const agent = await createAgent(t, {
    tasks: [{id: 't1'}, {id: 't2', files: ['other.txt'], after: ['t1']}],
  });
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;

  const environment = await toText(agent.call('environment'));
  for (const text of [
    /^- worktree: \{"path":".*r1-t1"/m,
    /^- ports: .*\(kernel, \d+ s ago\)$/m,
    /^- siblings: .*other\.txt/m,
    /^- disk: /m,
  ])
    assert.match(environment, text);
  const status = await toText(agent.call('task_status'));
  assert.match(status, /^r1\.t1: Do t1\nit: works\nattempt 1 of 2\n/);
  assert.match(
    status,
    /checks, in order: test: sh check\.sh\nother tasks:\n- t2 Do t2: after t1; files: other\.txt$/,
  );
  assert.match(
    await toText(agent.call('port', {port})),
    new RegExp(`^no: port ${port}, another process uses it\nprocess +${process.pid} `),
  );
  assert.equal(await toText(agent.call('recall', {words: 'anything'})), 'No summary matches.');
  assert.deepEqual(await agent.call('port', {port: 'x'}), {
    text: 'expected "port" to be a whole number, got "x"',
    isError: true,
  });
  assert.match(
    (await agent.call('submit_plan', {plan: {}})).text,
    /^submit_plan is not for a worker; you have report, /,
  );
  assert.match((await agent.call('approve_plan', {})).text, /^expected a tool \(report, /);

  const calls = agent
    .eventsOf('tool-called')
    .map(({session, tool, words, isError}) => [session, tool, words, isError ?? false]);
  assert.deepEqual(calls, [
    ['s2', 'environment', '', false],
    ['s2', 'task_status', '', false],
    ['s2', 'port', `port: ${port}`, false],
    ['s2', 'recall', 'words: anything', false],
    ['s2', 'port', 'port: x', true],
    ['s2', 'submit_plan', 'plan: {}', true],
    ['s2', 'approve_plan', '', true],
  ]);
  assert.doesNotMatch(
    agent.run('timeline').out,
    /called/,
    'how it was done is left out of the story',
  );
  assert.match(agent.run('timeline', '--all').out, /s2 called port: port: x; it got an error/);
});

test("the key is the session's own, private, and ends with it", async (t) => {
  const agent = await createAgent(t, {
    tasks: [{id: 't1'}, {id: 't2'}],
    project: 'limits: {workers: 2}\n',
  });
  const other = await eventually(
    'the second worker runs',
    async () =>
      (await agent.sessions()).find(
        ({name, status}) => name === 'r1.t2 attempt 1' && status === 'running',
      )?.session,
  );
  const [mine, its] = [agent.grantOf(agent.worker), agent.grantOf(other)];
  assert.notEqual(mine.token, its.token);
  assert.deepEqual([mine.session, mine.role, its.session], [agent.worker, 'worker', other]);
  const file = path.join(
    agent.current().stateDirectory,
    'exchange',
    path.basename(agent.directoryOf(agent.worker)),
    'tools.json',
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(path.dirname(mine.socket)).mode & 0o777, 0o700);
  assert.match(
    await toText(
      callTool({...mine, session: other}, {tool: 'task_status', input: {}, build: 'test'}),
    ),
    /^r1\.t1: /,
    'the key decides, not the name',
  );
  assert.match(
    await toText(callTool(its, {tool: 'task_status', input: {}, build: 'test'})),
    /^r1\.t2: /,
  );

  for (const token of [
    '',
    'x',
    `${mine.token}x`,
    readFileSync(agent.current().tokenFile, 'utf8').trim(),
  ]) {
    const wire = await openWire(mine.socket);
    t.after(() => wire.socket.destroy());
    wire.print(hello(token));
    assert.equal((await wire.onMessage('error')).code, 'token');
    await eventually('it hangs up', wire.isClosed);
  }

  const open = await connectDaemon({socket: mine.socket, token: mine.token, build: 'test'});
  agent.letGo('t1');
  await agent.until('the worker has ended', (state) => !state.live.includes(agent.worker));
  await assert.rejects(open.ask({about: 'tool', tool: 'environment', input: {}}), {
    message: `${agent.worker} has ended; its tools are closed`,
  });
  open.close();
  assert.deepEqual(await callTool(mine, {tool: 'environment', input: {}, build: 'test'}), {
    text: 'the token is wrong',
    isError: true,
  });
});

test("the agents' socket takes nothing but tools, the person's takes none, and who wishes there is named", async (t) => {
  const agent = await createAgent(t);
  const {socket, token} = agent.grantOf(agent.worker);
  const daemon = await connectDaemon({socket, token, build: 'test'});
  t.after(daemon.close);
  for (const about of [
    'state',
    'sessions',
    'facts',
    'daemon',
    'stop-daemon',
    'timeline',
    'events',
    'nonsense',
  ] as const) {
    await assert.rejects(daemon.ask({about} as never), {
      message: 'this socket accepts only tool calls',
    });
  }

  const commands = [
    {type: 'approve-plan', run: 'r1', plan: 'x', rules: 'x', base: 'x'},
    {type: 'accept-run', run: 'r1', commit: 'x'},
    {type: 'discard', what: 'r1'},
    {type: 'stop', what: 'r1'},
    {type: 'send-input', session: 's2', text: 'x'},
    {type: 'answer-question', session: 's2', number: 1, text: 'yes'},
    {type: 'start-session', name: 'x', command: ['sh'], directory: '/'},
  ] as const;
  for (const command of commands)
    await assert.rejects(daemon.ask({about: 'wish', wish: command}), {
      message: `only a person may ${command.type}; orchestra recorded that s2 tried`,
    });
  await assert.rejects(
    daemon.ask({about: 'wish', wish: {type: 'start-service', service: 'x'}}),
    /this socket accepts only tool calls/,
  );
  assert.deepEqual(
    agent.eventsOf('intrusion-refused').map(({session, intent}) => `${session} ${intent}`),
    commands.map(({type}) => `s2 ${type}`),
  );
  await assert.rejects(agent.ask({about: 'tool', tool: 'environment', input: {}}), {
    message: 'tools are for agents and have their own socket',
  });
});

test('what an agent throws at its socket harms nobody', async (t) => {
  const agent = await createAgent(t);
  const {socket, token} = agent.grantOf(agent.worker);
  const daemon = await connectDaemon({socket, token, build: 'test'});
  t.after(daemon.close);
  const bad: readonly (readonly [tool: unknown, input: unknown])[] = [
    [7, {}],
    [null, null],
    [['shell'], {}],
    ['__proto__', {}],
    ['constructor', {}],
    ['', {}],
    ['shell', 'rm'],
    ['shell', []],
    ['shell', {command: 7}],
    ['shell', {command: 'x\0y'}],
    ['shell', {command: 'ls', name: '../../x'}],
    ['shell', {command: 'ls', program: '--help'}],
    ['shell', {command: 'ls', program: 'A=b sh'}],
    ['shell', {command: 'x'.repeat(70_000)}],
    ['shell', {command: 'ls', timeoutSeconds: -1}],
    ['recall', {}],
    ['recall', {files: [1]}],
    ['port', {port: 70_000}],
    ['service_start', {}],
    ['service_start', {service: '; rm'}],
    ['ask_person', {}],
    ['ask_person', {question: ''}],
    ['ask_person', {question: 'x'.repeat(3000)}],
    ['ask_person', {question: 'x', options: 'y'}],
    ['report', {}],
    ['report', {decisions: [{}]}],
    ['service_logs', {service: 'none'}],
    ['x'.repeat(5000), {}],
    ['environment', {more: 'x'.repeat(600_000)}],
  ];
  for (const [tool, input] of bad) {
    const answer = (await daemon.ask({about: 'tool', tool, input} as never)) as {
      readonly text: string;
      readonly isError?: boolean;
    };
    assert.equal(answer.isError, true, JSON.stringify([tool, input]).slice(0, 100));
    assert.ok(answer.text.length < 500, answer.text);
  }

  assert.equal(agent.eventsOf('tool-called').length, bad.length);
  assert.ok(
    agent
      .eventsOf('tool-called')
      .every(({tool, words}) => tool.length <= 60 && words.length <= 160),
  );
  assert.deepEqual(
    (await agent.sessions()).map(({session}) => session),
    ['s1', 's2'],
  );
  const more = await Promise.all(
    Array.from(
      {length: 150},
      () =>
        daemon.ask({about: 'tool', tool: 'task_status', input: {}}) as Promise<{
          readonly text: string;
          readonly isError?: boolean;
        }>,
    ),
  );
  const rejected = more.filter(({isError}) => isError === true);
  assert.ok(rejected.length >= 50, `${rejected.length} were refused`);
  for (const {text} of rejected)
    assert.match(
      text,
      /^(?:you already have 6 calls in progress|you made 120 calls within a minute)/,
    );
  assert.ok(
    agent.eventsOf('tool-called').length <= 120,
    'what is refused by number does not fill the journal',
  );
  const many = await Promise.allSettled(
    Array.from({length: 10}, () => connectDaemon({socket, token, build: 'test'})),
  );
  for (const one of many) if (one.status === 'fulfilled') t.after(one.value.close);
  assert.deepEqual(
    many.map(({status}) => status).filter((status) => status === 'fulfilled').length,
    7,
    'eight conversations at once, and one is open',
  );
  assert.equal((await agent.sessionOf(agent.worker))?.status, 'running');
});

test('secrets are neither answered nor written down', async (t) => {
  const secret = 'hunter2-hunter2-hunter2';
  const agent = await createAgent(t, {env: {MY_API_TOKEN: secret}});
  assert.match(
    await toText(agent.call('shell', {command: `echo ${secret.slice(0, 8)}'${secret.slice(8)}'`})),
    /\[redacted\]\n\[exit 0\]$/,
  );
  await agent.call('recall', {words: secret});
  assert.match(agent.eventsOf('tool-called').at(-1)?.words ?? '', /^words: \[redacted\]$/);
});
