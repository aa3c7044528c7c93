import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {test} from 'node:test';
import {auditTools} from '../../../source/cli/runs/audit-tools.ts';
import {parseToolCosts} from '../../../source/reports/index.ts';
import {emptyState} from '../../../source/domain/index.ts';

test('the audit connects to every declared server, counts its tools, keeps the numbers, and says of each what is wrong', async (t) => {
  const stateDirectory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-audit-'));
  t.after(() => {
    rmSync(stateDirectory, {recursive: true, force: true});
  });
  const server = (name: string, mood: string): {name: string; command: readonly string[]} => ({
    name,
    command: [
      process.execPath,
      path.join(import.meta.dirname, '../../mcp/programs/any-server.ts'),
      mood,
    ],
  });
  const project = {
    ...emptyState.project,
    tools: [
      server('kind', 'kind'),
      server('huge', 'huge'),
      server('mute', 'mute'),
      {name: 'gone', command: ['/nonexistent']},
    ],
  };
  const {at, servers} = await auditTools({
    project,
    env: process.env,
    stateDirectory,
    now: 7,
    connectMs: 15_000,
  });
  assert.deepEqual(
    [at, servers.map(({name, tools}) => [name, tools.length])],
    [
      7,
      [
        ['orchestra (planner)', 8],
        ['orchestra (worker)', 11],
        ['kind', 2],
        ['huge', 2],
        ['mute', 0],
        ['gone', 0],
      ],
    ],
  );
  assert.equal(
    servers.every(({tools, tokens}) => (tools.length === 0 ? tokens === 0 : tokens > 20)),
    true,
  );
  assert.match(
    servers[3]?.problems.join('\n') ?? '',
    /^the tool "huge" is left out: expected at most 16000 characters to describe it, got 50\d{5}\.\nthe tool "rm -rf \/" is left out: expected a name/,
  );
  assert.deepEqual(
    servers.slice(4).map(({problems}) => problems),
    [
      ['the server "mute" did not list its tools: MCP error -32001: Request timed out'],
      ['the server "gone" did not list its tools: spawn /nonexistent ENOENT'],
    ],
  );
  assert.deepEqual(
    parseToolCosts(readFileSync(path.join(stateDirectory, 'tool-costs.json'), 'utf8')),
    {at, servers},
  );
});
