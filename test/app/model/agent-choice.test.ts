import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {drawCells} from '../screens/draw.tsx';
import {type Fixture, modelProject, nothingYet, open, press, type} from '../screens/fixtures.ts';

test('the models that are known are gone through with a key, and the choice goes into the wish', () => {
  const {state, now} = nothingYet();
  const fixture = open({...state, project: modelProject}, now);
  type(fixture, 'Tidy up');
  const chosen = ['shift-tab', 'shift-tab', 'shift-tab'].map((key) => {
    press(fixture, key);
    return fixture.model.models['mine']?.chosen;
  });
  assert.deepEqual(
    [chosen, fixture.model.models],
    [['small-1', '', 'small-1'], {mine: {chosen: 'small-1', written: []}}],
  );
  press(fixture, 'enter');
  assert.deepEqual(fixture.commands, [
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
  const fixture = open(state, now);
  type(fixture, 'Tidy up');
  press(fixture, 'shift-tab');
  assert.equal(fixture.model.field?.label, 'Model of claude, empty for its default');
  type(fixture, '--yolo');
  press(fixture, 'enter');
  assert.match(fixture.model.notice?.text ?? '', /^Expected the name of a model .* got "--yolo"/);
  assert.equal(fixture.model.field.text, '--yolo');
  press(fixture, 'ctrl-u');
  type(fixture, 'opus-9');
  press(fixture, 'enter');
  assert.deepEqual(
    [fixture.model.field.for.what, fixture.model.field.text, fixture.commands],
    ['objective', 'Tidy up', []],
  );
  press(fixture, 'ctrl-o', 'ctrl-u');
  type(fixture, 'other');
  press(fixture, 'escape');
  assert.deepEqual(
    [fixture.model.field.text, fixture.model.models],
    ['Tidy up', {claude: {chosen: 'opus-9', written: ['opus-9']}}],
  );

  assert.deepEqual(begunLater(fixture), [
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
  assert.deepEqual(begunLater(fixture, 'tab'), [
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
  const fixture = open(project, now, undefined, {
    models: {claude: {chosen: 'haiku-3', written: ['haiku-3']}},
  });
  type(fixture, 'Tidy up');
  press(fixture, 'ctrl-g');
  assert.equal(fixture.model.field?.label, 'Model for planning with claude, empty for its default');
  type(fixture, 'fable-2');
  press(fixture, 'enter');
  const planned = ['ctrl-t', 'ctrl-t', 'ctrl-t'].map((key) => {
    press(fixture, key);
    return fixture.model.models['claude']?.planning;
  });
  assert.deepEqual(
    [planned, fixture.model.models],
    [
      [undefined, 'haiku-3', 'fable-2'],
      {claude: {chosen: 'haiku-3', planning: 'fable-2', written: ['haiku-3', 'fable-2']}},
    ],
  );

  assert.deepEqual(begunLater(fixture), [
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
  assert.deepEqual(begunLater(fixture, 'tab'), [
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
  const fixture = open(state, now);
  type(fixture, 'Tidy up');
  for (const key of ['ctrl-t', 'ctrl-g']) {
    press(fixture, key);
    assert.deepEqual(
      [fixture.model.field?.text, fixture.model.notice?.text, fixture.model.models],
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
  const fixture = open(
    {...state, project: {...state.project, agents: [needy], worker: 'claude', planner: 'needy'}},
    now,
  );
  type(fixture, 'Tidy up');
  press(fixture, 'enter');
  assert.deepEqual(
    [fixture.commands, fixture.model.field?.text, fixture.model.notice?.text],
    [[], 'Tidy up', 'needy needs a model to plan with; Ctrl-g names one.'],
  );
  press(fixture, 'ctrl-t');
  type(fixture, 'large');
  press(fixture, 'enter', 'enter');
  assert.deepEqual(fixture.commands, [
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
  const fixture = open({...state, project: modelProject}, now, undefined, {
    models: {claude: {chosen: 'm1', written}},
  });
  type(fixture, 'Tidy up');
  press(fixture, 'ctrl-g');
  type(fixture, 'm6');
  press(fixture, 'enter');
  assert.deepEqual(fixture.model.models['claude'], {
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
  const fixture = open(
    {...state, project: {...state.project, agents: [bare, needy], worker: 'bare'}},
    now,
    undefined,
    {models: {bare: {chosen: 'opus-9', written: ['opus-9']}}},
    {agents: []},
  );
  type(fixture, 'Tidy up');
  for (const key of ['shift-tab', 'ctrl-o']) {
    press(fixture, key);
    assert.match(
      fixture.model.notice?.text ?? '',
      /^bare takes no model: its arguments have no \{model\}\. Add it under agents\.bare/,
    );
  }

  press(fixture, 'enter');
  assert.deepEqual(fixture.commands, [
    {
      type: 'start-run',
      request: {objective: 'Tidy up', worker: 'bare', planner: 'bare', queued: false},
      budget: {attemptWallClock: 60 * 60_000},
    },
  ]);
  press(fixture, 'o');
  type(fixture, 'Tidy up');
  press(fixture, 'tab', 'enter');
  assert.deepEqual(
    [fixture.commands.length, fixture.model.field?.text, fixture.model.notice?.text],
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
function begunLater({state, now, model}: Fixture, ...keys: readonly string[]): readonly unknown[] {
  const later = open(state, now, undefined, JSON.parse(JSON.stringify(toUiState(model))));
  type(later, 'Tidy up');
  press(later, ...keys, 'enter');
  return later.commands;
}

test('several variants without a plan are by the chosen agent and the others in turn, once', () => {
  const fixture = open(nothingYet().state, nothingYet().now, {columns: 120, rows: 35}, undefined, {
    agents: ['claude', 'codex'],
  });
  press(fixture, 'ctrl-v', 'ctrl-v', 'ctrl-n');
  assert.match(fixture.model.notice?.text ?? '', /all variants get the same text/);
  assert.equal(fixture.commands.length, 0);
  type(fixture, 'Fix the leak');
  press(fixture, 'ctrl-v', 'ctrl-v', 'ctrl-v', 'ctrl-v', 'ctrl-v', 'ctrl-v', 'ctrl-v', 'ctrl-v');
  assert.match(
    fixture.model.notice?.text ?? '',
    /3 variants side by side: claude, codex, claude\./,
  );
  const shown = drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n');
  assert.match(shown, /variants +● 3: claude, codex, claude/);
  press(fixture, 'ctrl-n');
  const command = fixture.commands.at(-1) as {readonly request: {readonly open: unknown}};
  assert.deepEqual(command.request.open, {variants: ['claude', 'codex', 'claude']});
  assert.equal(fixture.model.variantCount, 1, 'the next one is a single one again');
});

test('variants come round to one agent', () => {
  const fixture = open(nothingYet().state, nothingYet().now);
  for (let times = 0; times < 8; times += 1) press(fixture, 'ctrl-v');
  assert.equal(fixture.model.variantCount, 1);
  assert.equal(fixture.model.notice?.text, 'One agent alone.');
});
