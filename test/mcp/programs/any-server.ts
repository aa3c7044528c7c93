// Somebody else's server of tools, in the moods that its first argument names. By hand, because
// none of the packages is that rude.
import process from 'node:process';
import {createInterface} from 'node:readline';

const mood = process.argv[2] ?? 'kind';
let called = 0;

function print(id: unknown, result: unknown): void {
  process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', id, result})}\n`);
}

const tool = (name: string, more: object = {}): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: {type: 'object', properties: {a: {type: 'string'}}},
  ...more,
});

function getTools(params: {cursor?: string} | undefined): object {
  if (mood === 'wide') return {tools: Array.from({length: 400}, (_, index) => tool(`t${index}`))};
  if (mood === 'endless')
    return {
      tools: [tool(`t${params?.cursor ?? '0'}`)],
      nextCursor: String(Number(params?.cursor ?? '0') + 1),
    };
  return {
    tools: [
      tool('read', {
        title: 'Read',
        outputSchema: {type: 'object', properties: {all: {type: 'string'}}},
        annotations: {readOnlyHint: true},
        _meta: {x: 1},
      }),
      tool('hidden', {description: 'Nice.\u202E\u200B evil'}),
      ...(mood === 'huge'
        ? [tool('huge', {description: 'x'.repeat(5_000_000)}), tool('rm -rf /')]
        : []),
    ],
  };
}

function getResult(input: {a?: string}): object {
  const lines = Array.from({length: 20_000}, (_, index) => `line ${index + 1}`).join('\n');
  switch (input.a) {
    case 'long':
      return {content: [{type: 'text', text: lines}]};
    case 'long error':
      return {content: [{type: 'text', text: lines}], isError: true};
    case 'image':
      return {
        content: [
          {type: 'text', text: 'Here:'},
          {type: 'image', mimeType: 'image/png', data: Buffer.alloc(30_000, 7).toString('base64')},
        ],
      };
    case 'structured':
      return {content: [], structuredContent: {all: 'well'}};
    case 'environment':
      return {
        content: [
          {
            type: 'text',
            text: JSON.stringify([process.env['SECRET_OF_MINE'], process.env['ORCHESTRA_TOOLS']]),
          },
        ],
      };
    default:
      return {content: [{type: 'text', text: `call ${called} in ${process.pid}`}]};
  }
}

createInterface({input: process.stdin}).on('line', (line) => {
  const {id, method, params} = JSON.parse(line) as {
    id?: number;
    method: string;
    params?: {cursor?: string; arguments?: {a?: string}};
  };
  if (id === undefined || mood === 'mute') return;
  if (mood === 'babbling')
    process.stdout.write('Starting up…\n{"jsonrpc": 12}\n[1,2\n\u001B[31m\0\n');
  if (method === 'initialize')
    print(id, {
      protocolVersion: '2025-06-18',
      capabilities: {tools: {}},
      serverInfo: {name: mood, version: '1'},
    });
  else if (method === 'tools/list') print(id, getTools(params));
  else if (method === 'tools/call') {
    called += 1;
    if (mood === 'dying') process.exit(3);
    if (mood === 'flooding') process.stdout.write('x'.repeat(40 * 1024 * 1024));
    else if (mood !== 'silent') print(id, getResult(params?.arguments ?? {}));
  }
});
