import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {readFileSync, readdirSync, statSync} from 'node:fs';
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {type TestContext, before, describe, test} from 'node:test';
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {connectServer} from '../../source/mcp/index.ts';
import {bundleProgram} from '../support/bundle-program.ts';
import {createFixture, type Fixture} from './support/fixture.ts';

let program = '';
before(async () => {
  program = await bundleProgram('test/mcp/programs/mcp.ts');
});

const command = (mood: string): readonly string[] => [
  process.execPath,
  path.join(import.meta.dirname, 'programs/any-server.ts'),
  mood,
];

async function getStage(t: TestContext, mood: string, more: object = {}): Promise<Fixture> {
  return createFixture(
    t,
    program,
    {
      role: 'worker',
      servers: {other: {command: command(mood), env: {SECRET_OF_MINE: 'x1'}}},
      ...more,
    },
    () => ({text: 'never'}),
  );
}

describe("somebody else's server, behind ours,", () => {
  test('has its tools listed as a model needs them, and no more', async (t) => {
    const client = await (await getStage(t, 'kind')).connect('--server', 'other');
    assert.deepEqual((await client.listTools()).tools, [
      {
        name: 'read',
        description: 'Does read.',
        inputSchema: {type: 'object', properties: {a: {type: 'string'}}},
        annotations: {readOnlyHint: true},
      },
      {
        name: 'hidden',
        description: 'Nice.\\u{202e}\\u{200b} evil',
        inputSchema: {type: 'object', properties: {a: {type: 'string'}}},
      },
    ]);
  });

  test('answers as it likes, as long as it is short', async (t) => {
    const fixture = await getStage(t, 'kind');
    const client = await fixture.connect('--server', 'other');
    const [first, second] = [
      await client.callTool({name: 'read', arguments: {}}),
      await client.callTool({name: 'read', arguments: {}}),
    ];
    assert.match(JSON.stringify([first, second]), /call 1 in (\d+).*call 2 in \1/);
    assert.deepEqual(await client.callTool({name: 'read', arguments: {a: 'structured'}}), {
      content: [{type: 'text', text: '{"all":"well"}'}],
    });
    assert.deepEqual(await client.callTool({name: 'read', arguments: {a: 'environment'}}), {
      content: [{type: 'text', text: '["x1",null]'}],
    });
    assert.deepEqual(readdirSync(path.dirname(fixture.tools)), ['tools.json']);
  });

  for (const [what, isError] of [
    ['long', undefined],
    ['long error', true],
  ] as const) {
    test(`hands back the beginning of a ${what} answer, and where all of it is`, async (t) => {
      const fixture = await getStage(t, 'kind', {capTokens: 500});
      const client = await fixture.connect('--server', 'other');
      const result = (await client.callTool({name: 'read', arguments: {a: what}})) as unknown as {
        content: [{text: string}];
        isError?: boolean;
      };
      const [{text}] = result.content;
      assert.equal(result.isError, isError);
      assert.equal(text.length <= 2000, true, String(text.length));
      const [, left, all, file = ''] =
        /\n\n\[(\d+) of (\d+) characters are left out\. The full text is in (\S+): search there, or read the part that you need\.\]$/.exec(
          text,
        ) ?? [];
      const whole = readFileSync(file, 'utf8');
      assert.equal(file, path.join(path.dirname(fixture.tools), 'results', 'other-1.txt'));
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(
        [whole.length, whole.endsWith('line 20000'), text.startsWith('line 1\nline 2\n')],
        [Number(all), true, true],
      );
      assert.equal(text.indexOf('\n\n['), Number(all) - Number(left));
      await client.callTool({name: 'read', arguments: {a: what}});
      assert.deepEqual(readdirSync(path.dirname(file)), ['other-1.txt', 'other-2.txt']);
    });
  }

  test('sends an image that is too large as a file', async (t) => {
    const fixture = await getStage(t, 'kind');
    const client = await fixture.connect('--server', 'other');
    const file = path.join(path.dirname(fixture.tools), 'results', 'other-1.png');
    assert.deepEqual(await client.callTool({name: 'read', arguments: {a: 'image'}}), {
      content: [{type: 'text', text: `Here:\n\n[image/png, 30000 bytes: ${file}]`}],
    });
    assert.deepEqual(readFileSync(file), Buffer.alloc(30_000, 7));
  });

  test('that describes its tools with a book has those left out', async (t) => {
    const client = await (await getStage(t, 'huge')).connect('--server', 'other');
    assert.deepEqual(
      (await client.listTools()).tools.map(({name}) => name),
      ['read', 'hidden'],
    );
  });

  test('that has tools without end has some', async () => {
    for (const [mood, count] of [
      ['wide', 128],
      ['endless', 20],
    ] as const) {
      const server = await connectServer('other', {command: command(mood), env: {}});
      assert.equal(server.tools.length, count);
      await server.close();
    }
  });

  test('that prints what it likes is understood all the same', async (t) => {
    const client = await (await getStage(t, 'babbling')).connect('--server', 'other');
    assert.match(JSON.stringify(await client.callTool({name: 'read', arguments: {}})), /call 1 in/);
  });

  test('that dies is an error with words, and is started again by the next call', async (t) => {
    const client = await (await getStage(t, 'dying')).connect('--server', 'other');
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await client.callTool({name: 'read', arguments: {}}), {
        content: [{type: 'text', text: 'other failed: MCP error -32000: Connection closed'}],
        isError: true,
      });
    }
  });

  test('that floods is cut off', async (t) => {
    const client = await (await getStage(t, 'flooding')).connect('--server', 'other');
    const {isError} = await client.callTool({name: 'read', arguments: {}});
    assert.equal(isError, true);
  });

  test('that never answers is given up', async () => {
    await assert.rejects(
      connectServer('other', {command: command('mute'), env: {}}, {connectMs: 300}),
      {
        message: 'the server "other" did not list its tools: MCP error -32001: Request timed out',
      },
    );
    const server = await connectServer(
      'other',
      {command: command('silent'), env: {}},
      {callMs: 300},
    );
    await assert.rejects(server.call('read', {}), /Request timed out/);
    await server.close();
  });

  test('that is not there is an error for the agent, which goes on', async (t) => {
    const fixture = await getStage(t, 'kind', {
      servers: {other: {command: ['/nonexistent/server'], env: {}}},
    });
    const client = await fixture.connect('--server', 'other');
    await assert.rejects(
      client.listTools(),
      /the server "other" did not list its tools: spawn \/nonexistent\/server ENOENT/,
    );
    assert.equal((await client.callTool({name: 'read', arguments: {}})).isError, true);
  });

  test('that was not given is refused', async (t) => {
    await assert.rejects(
      (await getStage(t, 'kind')).connect('--server', 'toString'),
      /Connection closed/,
    );
  });

  test('may be an address', async (t) => {
    const http = createServer((request, response) => {
      const server = new McpServer({name: 'web', version: '1'});
      server.registerTool('hello', {description: 'Says hello.'}, () => ({
        content: [{type: 'text', text: 'hello '.repeat(5000)}],
      }));
      const transport = new StreamableHTTPServerTransport({});
      void server
        .connect(transport as Parameters<typeof server.connect>[0])
        .then(async () => transport.handleRequest(request, response));
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    t.after(() => {
      http.closeAllConnections();
      http.close();
    });
    const fixture = await getStage(t, 'kind', {
      servers: {web: {url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`}},
    });
    const client = await fixture.connect('--server', 'web');
    assert.deepEqual(
      (await client.listTools()).tools.map(({name}) => name),
      ['hello'],
    );
    assert.match(
      JSON.stringify(await client.callTool({name: 'hello', arguments: {}})),
      /left out\. The full text is in/,
    );
  });
});
