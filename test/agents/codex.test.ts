import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findMissingVariable} from '../../source/agents/codex.ts';

const config = `model = "o9"
model_provider = "mine"

[model_providers.other]
env_key = "OTHER_KEY"

[model_providers.mine]
name = "Mine"
base_url = "http://127.0.0.1:1/v1"
env_key = "MY_LLM_KEY"
`;

test('a provider whose variable a session does not get is said, with the name and where to write it', () => {
  const text = findMissingVariable(config, {OTHER_KEY: 'x'}) ?? '';
  for (const part of [
    /MY_LLM_KEY/,
    /provider mine/,
    /environment: \[MY_LLM_KEY\]/,
    /orchestra env refresh/,
  ])
    assert.match(text, part);
  assert.match(findMissingVariable(config, {MY_LLM_KEY: ''}) ?? '', /MY_LLM_KEY/);
});

for (const [what, text, passed] of [
  ['it gets it', config, {MY_LLM_KEY: 'x'}],
  ["no provider of one's own is chosen", config.replace('model_provider = "mine"', ''), {}],
  ['another one is chosen', config.replace('"mine"', '"openai"'), {}],
  ['the provider needs no key', config.replace('env_key = "MY_LLM_KEY"', ''), {}],
  ['there is no file', '', {}],
  ['it is no TOML', '[[[model_provider = ', {}],
] as const) {
  test(`nothing is said when ${what}`, () => {
    assert.equal(findMissingVariable(text, passed), undefined);
  });
}

test('spellings that TOML allows are read', () => {
  assert.match(
    findMissingVariable(
      "model_provider='a-b'\n[ model_providers.\"a-b\" ]\n  env_key='K1'\n",
      {},
    ) ?? '',
    /K1/,
  );
  assert.match(
    findMissingVariable(
      '[profiles.x]\nmodel_provider = "m"\n[model_providers.m]\nenv_key = "K2"\n',
      {},
    ) ?? '',
    /K2/,
  );
});
