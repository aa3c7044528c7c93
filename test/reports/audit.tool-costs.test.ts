import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {countServerCost, formatToolCosts, parseToolCosts} from '../../source/reports/index.ts';

const schema = {type: 'object', properties: {words: {type: 'string'}}};

describe('what the tools of a server cost', () => {
  const cost = countServerCost(
    'docs',
    [
      {name: 'a', inputSchema: {type: 'object'}},
      {name: 'search', description: 'Searches all pages for words.', inputSchema: schema},
    ],
    ['the tool "b" is left out: too long.'],
  );

  test('is counted for each tool, the dearest first', () => {
    assert.deepEqual(
      cost.tools.map(({name}) => name),
      ['search', 'a'],
    );
    assert.equal(
      cost.tokens,
      cost.tools.reduce((sum, {tokens}) => sum + tokens, 0),
    );
    assert.equal(cost.tokens > 25 && cost.tokens < 60, true, String(cost.tokens));
  });

  test('is shown as a table, and nothing in it acts on a terminal', () => {
    const costs = {
      at: 1,
      servers: [
        {
          name: 'docs',
          tokens: 30,
          tools: [{name: 'search\u001B[2J', tokens: 30}],
          problems: ['bad\u0007'],
        },
        {
          name: 'gone',
          tokens: 0,
          tools: [],
          problems: ['the server "gone" did not list its tools: ENOENT'],
        },
      ],
    };
    assert.equal(
      formatToolCosts(costs, 80),
      [
        'Tokens that the tools of each server add to every prompt',
        'SERVER  TOOL             TOKENS',
        'docs                     30',
        '        search\\u{1b}[2J  30',
        'gone    no tools         0',
        'docs: bad\\u{7}',
        'gone: the server "gone" did not list its tools: ENOENT',
        '',
      ].join('\n'),
    );
  });

  test('is read back as it was kept, and anything else is nothing', () => {
    const costs = {at: 5, servers: [cost]};
    assert.deepEqual(parseToolCosts(JSON.stringify(costs)), costs);
    assert.deepEqual(parseToolCosts('{"at": 5, "servers": [null, {"name": 1}]}'), {
      at: 5,
      servers: [],
    });
    for (const text of ['', 'null', '[]', '{"at": "now", "servers": []}'])
      assert.equal(parseToolCosts(text), undefined);
  });
});
