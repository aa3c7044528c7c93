import assert from 'node:assert/strict';
import {test} from 'node:test';
import {memoryOf} from '../../../source/tui/model/memory.ts';
import {modelProject, nothingYet, open, press, type, type Stage} from '../screens/scenes.ts';

test('the models that are known are gone through with a key, and the choice goes into the wish', () => {
  const {state, now} = nothingYet();
  const stage = open({...state, project: modelProject}, now);
  type(stage, 'Tidy up');
  const chosen = ['shift-tab', 'shift-tab', 'shift-tab'].map((key) => {
    press(stage, key);
    return stage.model.models['mine']?.chosen;
  });
  assert.deepEqual(
    [chosen, stage.model.models],
    [['small-1', '', 'small-1'], {mine: {chosen: 'small-1', written: []}}],
  );
  press(stage, 'enter');
  assert.deepEqual(stage.wishes, [
    {
      type: 'start-run',
      request: {
        objective: 'Tidy up',
        worker: 'mine',
        planner: 'claude',
        model: 'small-1',
        queued: false,
      },
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
});

test('any name of a model can be written, without losing the objective, and is remembered for its agent', () => {
  const {state, now} = nothingYet();
  const stage = open(state, now);
  type(stage, 'Tidy up');
  press(stage, 'shift-tab');
  assert.equal(stage.model.field?.label, 'Model of claude, empty for its default');
  type(stage, '--yolo');
  press(stage, 'enter');
  assert.match(stage.model.notice?.words ?? '', /^Expected the name of a model .* got "--yolo"/);
  assert.equal(stage.model.field.text, '--yolo');
  press(stage, 'ctrl-u');
  type(stage, 'opus-9');
  press(stage, 'enter');
  assert.deepEqual(
    [stage.model.field.for.what, stage.model.field.text, stage.wishes],
    ['objective', 'Tidy up', []],
  );
  press(stage, 'ctrl-o', 'ctrl-u');
  type(stage, 'other');
  press(stage, 'escape');
  assert.deepEqual(
    [stage.model.field.text, stage.model.models],
    ['Tidy up', {claude: {chosen: 'opus-9', written: ['opus-9']}}],
  );

  assert.deepEqual(begunLater(stage), [
    {
      type: 'start-run',
      request: {
        objective: 'Tidy up',
        worker: 'claude',
        planner: 'claude',
        model: 'opus-9',
        queued: false,
      },
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
  assert.deepEqual(begunLater(stage, 'tab'), [
    {
      type: 'start-run',
      request: {objective: 'Tidy up', worker: 'codex', planner: 'codex', queued: false},
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
});

test('a planner that is another agent has a model of its own, remembered beside the one it works with', () => {
  const {state, now} = nothingYet();
  const project = {...state, project: modelProject};
  const stage = open(project, now, undefined, {
    models: {claude: {chosen: 'haiku-3', written: ['haiku-3']}},
  });
  type(stage, 'Tidy up');
  press(stage, 'ctrl-g');
  assert.equal(stage.model.field?.label, 'Model for planning with claude, empty for its default');
  type(stage, 'fable-2');
  press(stage, 'enter');
  const planned = ['ctrl-t', 'ctrl-t', 'ctrl-t'].map((key) => {
    press(stage, key);
    return stage.model.models['claude']?.planning;
  });
  assert.deepEqual(
    [planned, stage.model.models],
    [
      [undefined, 'haiku-3', 'fable-2'],
      {claude: {chosen: 'haiku-3', planning: 'fable-2', written: ['haiku-3', 'fable-2']}},
    ],
  );

  assert.deepEqual(begunLater(stage), [
    {
      type: 'start-run',
      request: {
        objective: 'Tidy up',
        worker: 'mine',
        planner: 'claude',
        plannerModel: 'fable-2',
        queued: false,
      },
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
  assert.deepEqual(begunLater(stage, 'tab'), [
    {
      type: 'start-run',
      request: {
        objective: 'Tidy up',
        worker: 'claude',
        planner: 'claude',
        model: 'haiku-3',
        queued: false,
      },
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
});

test('who plans and works has one model, and the keys of the planner say so', () => {
  const {state, now} = nothingYet();
  const stage = open(state, now);
  type(stage, 'Tidy up');
  for (const key of ['ctrl-t', 'ctrl-g']) {
    press(stage, key);
    assert.deepEqual(
      [stage.model.field?.text, stage.model.notice?.words, stage.model.models],
      ['Tidy up', 'claude plans and works, with one model: Shift-Tab chooses it.', {}],
    );
  }
});

test('a planner that needs a model is not begun without one', () => {
  const {state, now} = nothingYet();
  const needy = {
    name: 'needy',
    plan: ['needy', '{model}'],
    work: ['needy', '{model}'],
    prompt: 'stdin',
  } as const;
  const stage = open(
    {...state, project: {...state.project, agents: [needy], worker: 'claude', planner: 'needy'}},
    now,
  );
  type(stage, 'Tidy up');
  press(stage, 'enter');
  assert.deepEqual(
    [stage.wishes, stage.model.field?.text, stage.model.notice?.words],
    [[], 'Tidy up', 'needy needs a model to plan with; Ctrl-g names one.'],
  );
  press(stage, 'ctrl-t');
  type(stage, 'large');
  press(stage, 'enter', 'enter');
  assert.deepEqual(stage.wishes, [
    {
      type: 'start-run',
      request: {
        objective: 'Tidy up',
        worker: 'claude',
        planner: 'needy',
        plannerModel: 'large',
        queued: false,
      },
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
});

test('so many names are kept for an agent, and those in use among them', () => {
  const {state, now} = nothingYet();
  const written = ['m1', 'm2', 'm3', 'm4', 'm5'];
  const stage = open({...state, project: modelProject}, now, undefined, {
    models: {claude: {chosen: 'm1', written}},
  });
  type(stage, 'Tidy up');
  press(stage, 'ctrl-g');
  type(stage, 'm6');
  press(stage, 'enter');
  assert.deepEqual(stage.model.models['claude'], {
    chosen: 'm1',
    planning: 'm6',
    written: ['m1', 'm3', 'm4', 'm5', 'm6'],
  });
});

test('an agent that takes no model is given none, and one that needs a model is not begun without', () => {
  const {state, now} = nothingYet();
  const bare = {name: 'bare', plan: ['bare'], work: ['bare'], prompt: 'stdin'} as const;
  const needy = {
    name: 'needy',
    plan: ['needy', '{model}'],
    work: ['needy', '{model}'],
    prompt: 'stdin',
  } as const;
  const stage = open(
    {...state, project: {...state.project, agents: [bare, needy], worker: 'bare'}},
    now,
    undefined,
    {models: {bare: {chosen: 'opus-9', written: ['opus-9']}}},
    {agents: []},
  );
  type(stage, 'Tidy up');
  for (const key of ['shift-tab', 'ctrl-o']) {
    press(stage, key);
    assert.match(
      stage.model.notice?.words ?? '',
      /^bare takes no model: its arguments have no \{model\}\. Add it under agents\.bare/,
    );
  }

  press(stage, 'enter');
  assert.deepEqual(stage.wishes, [
    {
      type: 'start-run',
      request: {objective: 'Tidy up', worker: 'bare', planner: 'bare', queued: false},
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
  press(stage, 'o');
  type(stage, 'Tidy up');
  press(stage, 'tab', 'enter');
  assert.deepEqual(
    [stage.wishes.length, stage.model.field?.text, stage.model.notice?.words],
    [1, 'Tidy up', 'needy needs a model; Ctrl-o names one.'],
  );
});

test('names of models that were remembered are read with care', () => {
  const {state, now} = nothingYet();
  const {models} = open(state, now, undefined, {
    models: {
      claude: {chosen: '--yolo', written: ['a', 7, 'b c', 'd']},
      codex: null,
      constructor: {},
      goose: {planning: 'p', chosen: 7},
      qwen: {planning: '-p'},
      gemini: {chosen: 'x', written: Array.from({length: 99}, (_, index) => `m${index}`)},
    },
  }).model;
  assert.deepEqual(models, {
    claude: {chosen: '', written: ['a', 'd']},
    goose: {chosen: '', planning: 'p', written: []},
    gemini: {chosen: 'x', written: ['m94', 'm95', 'm96', 'm97', 'm98']},
  });
  assert.deepEqual(
    [undefined, 7, [], 'x'].map(
      (value) => open(state, now, undefined, {models: value}).model.models,
    ),
    [{}, {}, {}, {}],
  );
});

/** What is asked for when an objective is written after the app was left and opened again. */
function begunLater({state, now, model}: Stage, ...keys: readonly string[]): readonly unknown[] {
  const later = open(state, now, undefined, JSON.parse(JSON.stringify(memoryOf(model))));
  type(later, 'Tidy up');
  press(later, ...keys, 'enter');
  return later.wishes;
}
