import assert from 'node:assert/strict';
import {test} from 'node:test';
import {drivers} from '../../source/agents/index.ts';
import {parseNetworkEntry} from '../../source/shared/index.ts';

const getHosts = (name: string, env: Readonly<Record<string, string>> = {}): readonly string[] =>
  drivers.find((driver) => driver.name === name)?.hosts?.(env) ?? [];

test('every host of every agent is one that a list of hosts can have', () => {
  for (const {name, needs = [], hosts} of drivers) {
    const env = Object.fromEntries(
      needs.map((variable) => [
        variable,
        variable.endsWith('_URL') ? 'https://model.example:8443/v1' : 'x',
      ]),
    );
    for (const host of hosts?.(env) ?? [])
      assert.ok('entry' in parseNetworkEntry(host), `${name}: ${host}`);
  }
});

test('an address in the environment adds its host, also one on this machine; what is none adds nothing', () => {
  assert.deepEqual(getHosts('claude'), ['api.anthropic.com', 'claude.ai', 'platform.claude.com']);
  assert.ok(
    getHosts('claude', {ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080/v1'}).includes('127.0.0.1:8080'),
  );
  assert.ok(
    getHosts('codex', {OPENAI_BASE_URL: 'https://Gateway.example'}).includes('gateway.example'),
  );
  for (const nonsense of ['', 'gateway', 'file:///etc/passwd', '*'])
    assert.equal(getHosts('claude', {ANTHROPIC_BASE_URL: nonsense}).length, 3, nonsense);
});

test('of many providers only those with a key are reached', () => {
  assert.deepEqual(getHosts('pi'), []);
  assert.deepEqual(getHosts('pi', {GROQ_API_KEY: 'x', XAI_API_KEY: ''}), ['api.groq.com']);
  assert.deepEqual(getHosts('opencode', {ANTHROPIC_API_KEY: 'x'}), [
    'models.dev',
    'opencode.ai',
    'api.anthropic.com',
  ]);
  assert.deepEqual(getHosts('playbook'), []);
});
