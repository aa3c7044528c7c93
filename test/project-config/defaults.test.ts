import assert from 'node:assert/strict';
import {test} from 'node:test';
import {getUsualModel, modelProblem, noModelFor} from '../../source/project-config/index.ts';
import type {DeclaredAgent} from '../../source/domain/index.ts';

const bare: DeclaredAgent = {name: 'bare', plan: ['bare'], work: ['bare'], prompt: 'stdin'};
const needy: DeclaredAgent = {
  name: 'needy',
  plan: ['needy'],
  work: ['needy', '--model={model}'],
  prompt: 'stdin',
};
const modest: DeclaredAgent = {...needy, name: 'modest', model: 'small-1'};
const agents = [bare, needy, modest];

test('the default model comes from the models of the project, otherwise from the declaration of the agent', () => {
  const project = {agents, models: {claude: 'opus-9', modest: 'large-1'}};
  assert.deepEqual(
    ['claude', 'codex', 'bare', 'modest', 'constructor'].map((agent) =>
      getUsualModel(agent, project),
    ),
    ['opus-9', undefined, undefined, 'large-1', undefined],
  );
  assert.equal(getUsualModel('modest', {agents}), 'small-1');
  assert.equal(getUsualModel('claude', {}), undefined);
});

test('agents that orchestra knows take a model, the playbook and what has no place for one do not', () => {
  assert.deepEqual(
    ['claude', 'codex', 'gemini', 'opencode', 'pi', 'needy', 'modest'].map((agent) =>
      noModelFor(agent, {agents}),
    ),
    Array.from({length: 7}),
  );
  assert.match(
    noModelFor('playbook', {}) ?? '',
    /^playbook uses no model: it follows a file\. Choose another agent, or name no model$/,
  );
  assert.match(
    noModelFor('bare', {agents}) ?? '',
    /^bare takes no model: its arguments have no \{model\}\. Add it under agents\.bare in \.orchestra\/project\.yaml, or name no model$/,
  );
});

test('what is declared with a place for a model needs one from somewhere', () => {
  assert.match(
    modelProblem('needy', undefined, {agents}) ?? '',
    /^needy needs a model: its arguments have \{model\}, and the project names none\. Name one, or add agents\.needy\.model/,
  );
  assert.deepEqual(
    [
      modelProblem('needy', 'opus-9', {agents}),
      modelProblem('needy', undefined, {agents, models: {needy: 'large-1'}}),
      modelProblem('modest', undefined, {agents}),
      modelProblem('bare', undefined, {agents}),
      modelProblem('claude', undefined, {}),
      modelProblem('claude', 'opus-9', {}),
      modelProblem('playbook', undefined, {}),
    ],
    Array.from({length: 7}),
  );
  assert.equal(modelProblem('bare', 'opus-9', {agents}), noModelFor('bare', {agents}));
});
