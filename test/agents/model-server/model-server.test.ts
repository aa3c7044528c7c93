import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {without} from '../../../source/shared/index.ts';
import {createModelServer} from './model-server.ts';
import type {Asked, Script} from './script.ts';

const questions: readonly (readonly [path: string, body: object])[] = [
  [
    '/v1/messages?beta=true',
    {
      model: 'm',
      system: [{type: 'text', text: 'S'}],
      messages: [
        {
          role: 'user',
          content: [
            {type: 'text', text: 'U'},
            {type: 'tool_result', content: 'R'},
          ],
        },
      ],
      tools: [{name: 'T'}],
    },
  ],
  [
    '/v1/responses',
    {
      model: 'm',
      instructions: 'S',
      input: [
        {role: 'user', content: [{type: 'input_text', text: 'U'}]},
        {type: 'function_call_output', output: 'R'},
      ],
      tools: [{type: 'function', name: 'T'}],
    },
  ],
  [
    '/v1/chat/completions',
    {
      model: 'm',
      messages: [
        {role: 'system', content: 'S'},
        {role: 'user', content: 'U'},
        {role: 'tool', content: 'R'},
      ],
      tools: [{type: 'function', function: {name: 'T'}}],
    },
  ],
  [
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    {
      systemInstruction: {parts: [{text: 'S'}]},
      contents: [{role: 'user', parts: [{text: 'U'}, {functionResponse: {response: 'R'}}]}],
      tools: [{functionDeclarations: [{name: 'T'}]}],
    },
  ],
];

async function ask(
  script: Script,
  path: string,
  body: object,
): Promise<{readonly status: number; readonly text: string; readonly asked: unknown}> {
  const server = await createModelServer(script);
  try {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return {status: response.status, text: await response.text(), asked: server.asked[0]};
  } finally {
    await server.close();
  }
}

describe('the scripted model', () => {
  for (const [path, body] of questions) {
    test(`understands ${path}, and answers with words and a call`, async () => {
      const {status, text, asked} = await ask(
        () => ({text: 'Hello', calls: [{name: 'T', input: {a: 'b'}}]}),
        path,
        body,
      );
      assert.deepEqual(without(asked as Asked, 'api'), {
        model: 'm',
        system: 'S',
        user: ['U'],
        tools: ['T'],
        results: [path.startsWith('/v1beta') ? '"R"' : 'R'],
      });
      assert.equal(status, 200);
      for (const piece of ['"Hel', 'lo"', '"T"', '\\"a\\":\\"b\\"'])
        assert.ok(text.includes(piece) || text.includes('"args":{"a":"b"}'), `${piece} in ${text}`);
    });
  }

  test('refuses as it is told', async () => {
    const {status, text} = await ask(
      () => ({refusal: {status: 429, body: {error: 'no'}}}),
      '/v1/messages',
      {},
    );
    assert.deepEqual([status, text], [429, '{"error":"no"}']);
  });

  test('knows nothing else', async () => {
    assert.equal((await ask(() => ({}), '/v1/models', {})).status, 404);
  });
});
