import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState, type RunRequest, type State} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/tui/model/line.ts';
import {statusLine} from '../../../source/tui/screens/bars.ts';
import {startBody} from '../../../source/tui/screens/start-body.ts';
import {happen, modelProject, nothingYet, open, press, type, type Stage} from './scenes.ts';

const state: State = {...nothingYet().state, project: modelProject};

function rowsOf({model, state: known, now}: Stage, ...labels: readonly string[]): string[] {
  return startBody({model, state: known, size: model.size, now})
    .rows.map((row) => textOfLine(row).trim())
    .filter((text) => labels.some((label) => text.startsWith(label)));
}

test('keys are named only while they work', () => {
  const stage = open(state, 0, {columns: 140, rows: 40});
  assert.deepEqual(rowsOf(stage, 'Agent', 'Model'), [
    'Agent  ● mine   ○ claude   ○ codex   ○ playbook   Tab chooses',
    'Model  ● default (medium-1)   ○ small-1   Shift-Tab chooses  Ctrl-o names another',
    'Model  ● default (opus-9)   Ctrl-g names another',
  ]);
  press(stage, 'escape');
  assert.deepEqual(rowsOf(stage, 'Agent', 'Model'), [
    'Agent  ● mine   ○ claude   ○ codex   ○ playbook',
    'Model  ● default (medium-1)   ○ small-1',
    'Model  ● default (opus-9)',
  ]);
});

test('who plans, and with which model, is said where it is not who works', () => {
  const stage = open(state, 0, undefined, {
    models: {claude: {chosen: '', planning: 'fable-2', written: ['fable-2']}},
  });
  assert.deepEqual(rowsOf(stage, 'Plans', 'Model').slice(1), [
    'Plans  ● claude (project)   and 3 more   Ctrl-p chooses',
    'Model  ○ default (opus-9)   ● fable-2   Ctrl-t chooses  Ctrl-g names another',
  ]);
  press(stage, 'tab');
  assert.deepEqual(rowsOf(stage, 'Plans', 'Model'), [
    'Model  ● default (opus-9)   ○ fable-2   Ctrl-o names another',
    'Plans  ● claude itself   ○ mine   ○ codex   ○ playbook   Ctrl-p chooses',
  ]);
  press(stage, 'tab', 'tab');
  assert.deepEqual(rowsOf(stage, 'Plans', 'Model'), [
    'Model  playbook takes none',
    'Plans  ● playbook itself   ○ mine   ○ claude   ○ codex   Ctrl-p chooses',
  ]);
});

test('names that are too long for one line give way to how many there are', () => {
  const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
  const other = open(state, 0, undefined, {
    models: {claude: {chosen: '', planning: first, written: [first, second]}},
  });
  assert.deepEqual(
    rowsOf(other, 'Model')[1],
    `Model  ● ${first}   and 2 more   Ctrl-t chooses  Ctrl-g names another`,
  );
  const stage = open(emptyState, 0, undefined, {
    models: {claude: {chosen: first, written: [first, second]}},
  });
  assert.deepEqual(rowsOf(stage, 'Model'), [
    `Model  ● ${first}   and 2 more   Shift-Tab chooses  Ctrl-o names another`,
  ]);
});

test('for a screen reader it is said in words what is chosen', () => {
  const stage = open(state, 0);
  stage.model = {...stage.model, isReader: true};
  assert.deepEqual(rowsOf(stage, 'Agent', 'Model'), [
    'Agent  mine   chosen; also claude, codex, playbook   Tab chooses',
    'Model  default (medium-1)   chosen; also small-1   Shift-Tab chooses  Ctrl-o names another',
    'Model  default (opus-9)   Ctrl-g names another',
  ]);
});

test('a click on a key that is named there does what the key does', () => {
  const stage = open(state, 0);
  type(stage, 'Tidy up');
  const {rows, head} = startBody({model: stage.model, state, size: stage.model.size, now: 0});
  const at = rows.findIndex((row) => textOfLine(row).startsWith('  Agent'));
  const column = textOfLine(rows[at]!).indexOf('Tab');
  happen(stage, {
    type: 'mouse-used',
    mouse: {
      action: 'press',
      button: 'left',
      code: 0,
      row: 1 + head.length + at,
      column,
      shift: false,
      alt: false,
      ctrl: false,
    },
  });
  assert.deepEqual([stage.model.agent, stage.model.field?.text], ['claude', 'Tidy up']);
});

test('whom the project names and nobody finds here is said before anything begins, and begins nothing', () => {
  const stage = open({...state, project: {...modelProject, planner: 'gemini', worker: 'ghost'}}, 0);
  assert.deepEqual(rowsOf(stage, 'Plans', 'ghost'), [
    'ghost is to work, as the project says, and is not installed here',
    'Plans  gemini, as the project says; it is not installed here   Ctrl-p chooses',
  ]);
  type(stage, 'Tidy up');
  press(stage, 'enter');
  assert.deepEqual([stage.wishes, stage.model.field?.text], [[], 'Tidy up']);
  assert.match(
    stage.model.notice?.words ?? '',
    /^gemini is to plan, as the project says, and is not installed here\. .*Ctrl-p\.$/,
  );
  press(stage, 'ctrl-p', 'enter');
  assert.deepEqual(
    stage.wishes.map((one) => (one as {readonly request: RunRequest}).request.planner),
    ['claude'],
  );
});

test('what is wrong in the project file stands there, with its line', () => {
  const stage = open(state, 0, undefined, undefined, {
    project: {problems: 2, first: '4: agents.mine.plan: has no {promptFile}.\u001B[2J'},
  });
  assert.deepEqual(rowsOf(stage, '!'), ['! .orchestra/project.yaml:4: agents.mine.plan: has no']);
  assert.doesNotMatch(
    startBody({model: stage.model, state, size: stage.model.size, now: 0})
      .rows.map((row) => textOfLine(row))
      .join(''),
    /\u001B/,
  );
});

test('where there is nobody to choose, no key for choosing is named', () => {
  const stage = open(emptyState, 0, undefined, undefined, {agents: []});
  assert.equal(
    textOfLine(
      statusLine({model: stage.model, state: emptyState, size: stage.model.size, now: 0}),
    ).trim(),
    'Enter begin  Esc commands',
  );
});
