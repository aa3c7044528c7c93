import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Project, RunRequest, UserCommand} from '../../../source/domain/index.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {type Fixture, nothingYet, open, press, type} from '../screens/fixtures.ts';
import {drawCells} from '../screens/draw.tsx';

const interfaces = {builtIn: {claude: ['worker'], gemini: []}, isCi: false} as const;

function openApp(project: Partial<Project> = {}, uiState?: unknown, isCi = false): Fixture {
  const {state, now} = nothingYet();
  const fixture = open(
    {...state, project: {...state.project, ...project}},
    now,
    undefined,
    uiState,
    {
      interfaces: {...interfaces, isCi},
    },
  );
  type(fixture, 'Tidy up');
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells({...model, size: {columns: 140, rows: 45}}, state, now).rows.join('\n');
}

function requests({commands}: Fixture): readonly Pick<RunRequest, 'workers' | 'planners'>[] {
  return (commands as readonly UserCommand[])
    .filter(
      (command): command is Extract<UserCommand, {type: 'start-run'}> =>
        command.type === 'start-run',
    )
    .map(({request: {workers, planners}}) => ({
      ...(workers === undefined ? {} : {workers}),
      ...(planners === undefined ? {} : {planners}),
    }));
}

test('an agent whose interface is proven runs in it by default, and the field says so', () => {
  const fixture = openApp();
  assert.match(
    textOf(fixture),
    /workers +● its own interface +○ headless +\(proven with claude\) +Ctrl-y changes it/,
  );
  press(fixture, 'enter');
  assert.deepEqual(requests(fixture), [{workers: 'interactive'}]);
});

test('a key chooses the other mode, which is remembered until it is the usual one again', () => {
  const fixture = openApp();
  press(fixture, 'ctrl-y');
  assert.deepEqual(fixture.model.modes, {worker: 'headless'});
  assert.match(textOf(fixture), /● headless +\(your choice\)/);
  const later = openApp({}, JSON.parse(JSON.stringify(toUiState(fixture.model))));
  press(later, 'enter');
  assert.deepEqual(requests(later), [{workers: 'headless'}]);
  press(fixture, 'ctrl-y');
  assert.deepEqual(fixture.model.modes, {});
});

test('the planner has a mode of its own', () => {
  const fixture = openApp();
  assert.match(textOf(fixture), /planning +○ its own interface +● headless/);
  press(fixture, 'ctrl-r', 'enter');
  assert.deepEqual(fixture.model.modes, {planner: 'interactive'});
  assert.deepEqual(requests(fixture), [{workers: 'interactive', planners: 'interactive'}]);
});

test('a queued objective is headless by default, and the notice says so', () => {
  const fixture = openApp();
  press(fixture, 'ctrl-q');
  assert.deepEqual(requests(fixture), [{}]);
  assert.match(fixture.model.notice?.text ?? '', /Its workers are headless\./);
  const chosen = openApp({workers: 'interactive'});
  press(chosen, 'ctrl-q');
  assert.deepEqual(requests(chosen), [{workers: 'interactive'}]);
  assert.match(chosen.model.notice?.text ?? '', /with workers in their own interface\./);
});

test('an agent without an interface is headless, and the key names those that have one', () => {
  const fixture = openApp({}, {agent: 'codex', modes: {worker: 'interactive'}});
  assert.match(
    textOf(fixture),
    /workers +● headless +\(codex has no interface that orchestra can follow\)/,
  );
  press(fixture, 'ctrl-y');
  assert.match(fixture.model.notice?.text ?? '', /\(claude, gemini\), got codex/);
  assert.deepEqual(fixture.model.modes, {worker: 'interactive'});
  press(fixture, 'enter');
  assert.deepEqual(requests(fixture), [{}]);
});

test('an entry for an agent without an interface is explained, and nothing starts', () => {
  const fixture = openApp({modes: {codex: {workers: 'interactive'}}}, {agent: 'codex'});
  press(fixture, 'enter');
  assert.deepEqual(requests(fixture), []);
  assert.match(fixture.model.notice?.text ?? '', /change agents\.codex\.workers of the project\.$/);
  assert.equal(fixture.model.field?.text, 'Tidy up');
});

test('in CI, agents run headless by default', () => {
  assert.match(textOf(openApp({}, undefined, true)), /● headless +\(CI is set\)/);
});

test('modes that were remembered are read with care', () => {
  const {state, now} = nothingYet();
  assert.deepEqual(
    [undefined, 7, {worker: 'both', planner: 'headless', other: 'headless'}].map(
      (modes) => open(state, now, undefined, {modes}).model.modes,
    ),
    [{}, {}, {planner: 'headless'}],
  );
});
