import assert from 'node:assert/strict';
import {test} from 'node:test';
import {BlockedHosts, ToolCosts} from '../../../source/app/components/AuditLists.tsx';
import type {ContextAudit} from '../../../source/reports/index.ts';
import {audit, auditOfTools} from '../screens/fixtures.ts';
import {assertFits, assertSafe, hostile, paintText, rowsOf} from './render.tsx';

const tools = auditOfTools(Date.UTC(2026, 10, 17, 7, 5)).tools!;

const withHosts: ContextAudit = {
  ...audit,
  refused: [{session: 's2', about: 'r1.t1', host: 'evil.example.com', port: 443, times: 3, at: 1}],
} as unknown as ContextAudit;

test('tools that nobody measured: the command that does', () => {
  assert.match(
    rowsOf(<ToolCosts tools={undefined} />, {columns: 80}).join('\n'),
    /^\n? What tools cost in every prompt: orchestra audit --tools$/,
  );
});

test('each server has its tokens, how many tools, the dearest one, and its problems', () => {
  const text = paintText(<ToolCosts tools={tools} />, {columns: 120, rows: 30});
  assert.match(text, /Tools in every prompt {3}as asked on Tue 17 Nov 2026 at 07:00/);
  assert.match(
    text,
    /github +12,480 +\S+ +41 tools, dearest create_pull_request_with_copilot \(912\)/,
  );
  assert.match(text, /! delete_everything: its form is not an object/);
  assert.match(text, /a-server-whose-name-t… +0 .*no tools/);
});

test('a narrow window has no bars', () => {
  const text = paintText(<ToolCosts tools={tools} />, {columns: 60, rows: 20});
  assert.match(text, /orchestra \(worker\) +575 {2}11 tools/);
  assert.doesNotMatch(text, /[━─]/);
});

test('problems beyond the first few are counted', () => {
  const problems = Array.from({length: 9}, (_, index) => `problem ${index}`);
  const many = {...tools, servers: [{name: 'x', tokens: 1, tools: [], problems}]};
  assert.match(paintText(<ToolCosts tools={many} />, {columns: 80}), /and \d more/);
});

test('hosts that were refused stand with their session, or there is nothing', () => {
  assert.equal(
    rowsOf(<BlockedHosts audit={undefined} />)
      .join('')
      .trim(),
    '',
  );
  assert.equal(
    rowsOf(<BlockedHosts audit={audit} />)
      .join('')
      .trim(),
    '',
  );
  const text = paintText(<BlockedHosts audit={withHosts} />, {columns: 80});
  assert.match(text, /Refused by the network rules\n s2 +r1\.t1 +.*evil\.example\.com.*3 times/);
});

test('names of servers and tools are foreign', () => {
  const foreign = {
    ...tools,
    servers: [{name: hostile, tokens: 1, tools: [{name: hostile, tokens: 1}], problems: [hostile]}],
  };
  assertSafe(<ToolCosts tools={foreign} />, {columns: 60});
  assertFits(<ToolCosts tools={foreign} />, {rows: 40});
});
