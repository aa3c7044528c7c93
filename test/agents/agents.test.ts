import assert from 'node:assert/strict';
import {test} from 'node:test';
import {agents, chooseAgent} from '../../source/agents/index.ts';

function getVersion(agent: string, output: string): string | undefined {
  return agents.find(({name}) => name === agent)?.program?.readVersion(output);
}

for (const [agent, output, version] of [
  ['claude', '2.1.325 (Claude Code)\n', '2.1.325'],
  ['codex', 'codex-cli 0.166.0\n', '0.166.0'],
  [
    'codex',
    'WARNING: proceeding, even though we could not update PATH\ncodex-cli 0.166.0-alpha.3\n',
    '0.166.0-alpha.3',
  ],
  ['gemini', '0.61.0\n', '0.61.0'],
  ['gemini', '0.61.0-nightly.20261101.abc\r\n', '0.61.0-nightly.20261101.abc'],
  ['opencode', '1.18.2\n', '1.18.2'],
  ['pi', '0.73.1\n', '0.73.1'],
] as const) {
  test(`${agent} answers ${JSON.stringify(output)}`, () => {
    assert.equal(getVersion(agent, output), version);
  });
}

for (const [agent, output] of [
  ['pi', '3.14159265358979323846\n'],
  ['claude', '2.1.325\n'],
  ['codex', 'Codex 1.0.0\n'],
  ['opencode', ''],
  ['gemini', 'gemini version 1.2.3\n'],
  ['gemini', '\u001B[31m1.2.3\u001B[0m\n'],
] as const) {
  test(`another program called ${agent} that answers ${JSON.stringify(output)} is not taken for it`, () => {
    assert.equal(getVersion(agent, output), undefined);
  });
}

test('the first that is found is chosen, in the order of preference', () => {
  assert.deepEqual(
    agents.map(({name}) => name),
    ['claude', 'codex', 'gemini', 'opencode', 'pi', 'playbook'],
  );
  assert.equal(chooseAgent(['pi', 'gemini', 'codex']).name, 'codex');
  assert.equal(chooseAgent(['pi']).name, 'pi');
});

test('without any program there is still the playbook', () => {
  assert.equal(chooseAgent([]).name, 'playbook');
  assert.equal(chooseAgent(['unheard-of']).name, 'playbook');
  assert.equal(chooseAgent([]).program, undefined);
});
