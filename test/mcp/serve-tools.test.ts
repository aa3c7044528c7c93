import assert from 'node:assert/strict';
import process from 'node:process';
import {execFile} from 'node:child_process';
import {before, describe, test} from 'node:test';
import {promisify} from 'node:util';
import {countTokens} from '../../source/shared/index.ts';
import {type AgentRole, agentTools, toolsOfRole} from '../../source/domain/index.ts';
import {instructionsFor, listedTools} from '../../source/mcp/index.ts';
import {bundleProgram} from '../support/bundle-program.ts';
import {eventually} from '../support/eventually.ts';
import {createFixture} from './support/fixture.ts';

let program = '';
before(async () => {
  program = await bundleProgram('test/mcp/programs/mcp.ts');
});

const run = promisify(execFile);

describe('the server of tools', () => {
  for (const role of ['planner', 'worker'] as const) {
    test(`lists for a ${role} what it may use, and nothing else`, async (t) => {
      const fixture = await createFixture(t, program, {role}, () => ({text: 'yes'}));
      const client = await fixture.connect();
      const {tools} = await client.listTools();
      assert.deepEqual(
        tools.map(({name}) => name),
        toolsOfRole(role),
      );
      assert.equal(client.getInstructions(), instructionsFor(role));
      assert.deepEqual(client.getServerVersion()?.name, 'orchestra');
    });
  }

  test('asks the daemon with what the agent said, and hands back its words', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker'}, ({tool}) =>
      tool === 'port' ? {text: 'nobody listens on 3000'} : {text: 'no such service', isError: true},
    );
    const client = await fixture.connect();
    assert.deepEqual(await client.callTool({name: 'port', arguments: {port: 3000}}), {
      content: [{type: 'text', text: 'nobody listens on 3000'}],
    });
    assert.deepEqual(await client.callTool({name: 'service_start', arguments: {service: 'web'}}), {
      content: [{type: 'text', text: 'no such service'}],
      isError: true,
    });
    assert.deepEqual(
      fixture.daemon().asked.map(({tool, input}) => ({tool, input})),
      [
        {tool: 'port', input: {port: 3000}},
        {tool: 'service_start', input: {service: 'web'}},
      ],
    );
  });

  test('leaves it to the daemon to refuse, so that it is in the journal', async (t) => {
    const fixture = await createFixture(t, program, {role: 'planner'}, () => ({
      rejected: 'a planner has no shell',
    }));
    const client = await fixture.connect();
    assert.deepEqual(await client.callTool({name: 'shell', arguments: {command: 'ls'}}), {
      content: [{type: 'text', text: 'a planner has no shell'}],
      isError: true,
    });
    const {content, isError} = await client.callTool({name: 'rm', arguments: {}});
    assert.deepEqual(
      [
        isError,
        JSON.stringify(content).includes('there is no tool \\"rm\\" here. There are: submit_plan'),
      ],
      [true, true],
    );
    assert.deepEqual(
      fixture.daemon().asked.map(({tool}) => tool),
      ['shell'],
    );
  });

  test('waits for a daemon that restarts and asks again, as the same call', async (t) => {
    let answers: readonly ('hangs' | {text: string})[] = ['hangs', {text: 'eight of ten'}];
    const fixture = await createFixture(t, program, {role: 'worker'}, () => {
      const [next = {text: 'twice too often'}, ...rest] = answers;
      answers = rest;
      return next;
    });
    const client = await fixture.connect();
    const asking = client.callTool({name: 'ask_person', arguments: {question: 'Which?'}});
    await eventually('the first daemon is asked', () => fixture.daemon().asked.length === 1);
    const first = fixture.daemon().asked[0];
    await fixture.stop();
    await fixture.start();
    assert.deepEqual(await asking, {content: [{type: 'text', text: 'eight of ten'}]});
    assert.deepEqual(fixture.daemon().asked, [first]);
    assert.equal(first?.waitMs, 600_000);
    assert.equal(typeof first.call, 'string');
  });

  test('is asked before the daemon is there, and waits for it', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker'}, () => ({text: 'here'}));
    await fixture.stop();
    const client = await fixture.connect();
    const asking = client.callTool({name: 'environment', arguments: {}});
    await fixture.start();
    assert.deepEqual(await asking, {content: [{type: 'text', text: 'here'}]});
  });

  test('asks again for a command by the name of its call, so that it is typed once', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker'}, () =>
      fixture.daemon().asked.length < 3 ? 'drops' : {text: 'made'},
    );
    const client = await fixture.connect();
    assert.deepEqual(await client.callTool({name: 'shell', arguments: {command: 'make'}}), {
      content: [{type: 'text', text: 'made'}],
    });
    const calls = fixture.daemon().asked.map(({call}) => call);
    assert.deepEqual([calls.length, new Set(calls).size], [3, 1]);
    await client.callTool({name: 'shell', arguments: {command: 'make'}});
    assert.notEqual(fixture.daemon().asked[3]?.call, calls[0]);
  });

  test('lets the daemon know when the agent has given up', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker'}, () => 'hangs');
    const client = await fixture.connect();
    const abort = new AbortController();
    const asking = client.callTool(
      {name: 'ask_person', arguments: {question: 'Which?'}},
      undefined,
      {signal: abort.signal},
    );
    await eventually('it is asked', () => fixture.daemon().asked.length === 1);
    abort.abort('enough');
    await assert.rejects(asking);
    await eventually('nobody waits any more', () => fixture.daemon().connections() === 0);
    assert.equal(fixture.daemon().asked.length, 1);
  });

  test('of a session that is over is told so', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker', token: 'an old one'}, () => ({
      text: 'never',
    }));
    const client = await fixture.connect();
    assert.deepEqual(await client.callTool({name: 'environment', arguments: {}}), {
      content: [{type: 'text', text: 'the session s7 is over'}],
      isError: true,
    });
  });

  test('ends when the agent does', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker'}, () => 'hangs');
    const client = await fixture.connect();
    void client
      .callTool({name: 'ask_person', arguments: {question: 'Which?'}})
      .catch(() => undefined);
    await eventually('it is asked', () => fixture.daemon().connections() === 1);
    await client.close();
    await eventually('it is gone', () => fixture.daemon().connections() === 0);
  });
});

describe('the tools from a shell', () => {
  test('are called by name, with JSON; an error is exit code 1', async (t) => {
    const fixture = await createFixture(t, program, {role: 'worker'}, ({input}) => ({
      text: JSON.stringify(input),
      isError: Object.keys(input as object).length === 0,
    }));
    const env = {...process.env, ORCHESTRA_TOOLS: fixture.tools};
    const {stdout} = await run(
      process.execPath,
      [program, 'tool', 'service_logs', '{"service":"web"}'],
      {env},
    );
    assert.equal(stdout, '{"service":"web"}\n');
    await assert.rejects(run(process.execPath, [program, 'tool', 'environment'], {env}), {
      code: 1,
      stdout: '{}\n',
    });
    await assert.rejects(run(process.execPath, [program, 'tool', 'environment', 'web'], {env}), {
      code: 2,
      stdout: '',
    });
    const list = await run(process.execPath, [program, 'tool'], {env});
    assert.deepEqual(list.stdout.match(/^\w+/gm), toolsOfRole('worker'));
  });

  test('outside of a session are explained', async () => {
    for (const command of ['mcp', 'tool']) {
      await assert.rejects(
        run(process.execPath, [program, command], {env: {PATH: process.env['PATH']}}),
        (error: {code: number; stderr: string}) =>
          error.code === 2 && error.stderr.startsWith('orchestra: this command is for agents.'),
      );
      await assert.rejects(
        run(process.execPath, [program, command, '--tools', '/nonexistent'], {env: {}}),
        (error: {code: number; stderr: string}) =>
          error.code === 2 && error.stderr.includes('/nonexistent is not there'),
      );
    }
  });
});

describe('what the tools cost in every prompt', () => {
  const getTokens = (role?: AgentRole): number =>
    countTokens(
      JSON.stringify(
        listedTools(role).map(({name, description, inputSchema}) => ({
          name,
          description,
          input_schema: inputSchema,
        })),
      ),
    );

  test('is little', () => {
    const [all, planner, worker] = [getTokens(), getTokens('planner'), getTokens('worker')];
    assert.equal(
      all <= 1000 && planner <= 600 && worker <= 900,
      true,
      JSON.stringify({all, planner, worker}),
    );
    for (const role of ['planner', 'worker'] as const)
      assert.equal(countTokens(instructionsFor(role)) <= 70, true, instructionsFor(role));
  });

  test('each tool is listed for those who may use it', () => {
    assert.deepEqual(
      listedTools()
        .map(({name}) => name)
        .toSorted(),
      Object.keys(agentTools).toSorted(),
    );
  });
});
