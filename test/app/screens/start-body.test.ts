import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState, type RunRequest, type State} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/app/model/line.ts';
import {statusLine} from '../../../source/app/screens/bars.ts';
import {startBody} from '../../../source/app/screens/start-body.ts';
import {type Fixture, happen, modelProject, nothingYet, open, press, type} from './fixtures.ts';

const state: State = {...nothingYet().state, project: modelProject};

function toRows({model, state: known, now}: Fixture, ...labels: readonly string[]): string[] {
  return startBody({model, state: known, size: model.size, now})
    .rows.map((row) => textOfLine(row).trim())
    .filter((text) => labels.some((label) => text.startsWith(label)));
}

test('keys are named only while they work', () => {
  const fixture = open(state, 0, {columns: 140, rows: 40});
  assert.deepEqual(toRows(fixture, 'Agent', 'Model'), [
    'Agent  ● mine   ○ claude   ○ codex   ○ playbook   Tab chooses',
    'Model  ● default (medium-1)   ○ small-1   Shift-Tab chooses  Ctrl-o names another',
    'Model  ● default (opus-9)   Ctrl-g names another',
  ]);
  press(fixture, 'escape');
  assert.deepEqual(toRows(fixture, 'Agent', 'Model'), [
    'Agent  ● mine   ○ claude   ○ codex   ○ playbook',
    'Model  ● default (medium-1)   ○ small-1',
    'Model  ● default (opus-9)',
  ]);
});

test('who plans, and with which model, is said where it is not who works', () => {
  const fixture = open(state, 0, undefined, {
    models: {claude: {chosen: '', planning: 'fable-2', written: ['fable-2']}},
  });
  assert.deepEqual(toRows(fixture, 'Plans', 'Model').slice(1), [
    'Plans  ● claude (project)   and 3 more   Ctrl-p chooses',
    'Model  ○ default (opus-9)   ● fable-2   Ctrl-t chooses  Ctrl-g names another',
  ]);
  press(fixture, 'tab');
  assert.deepEqual(toRows(fixture, 'Plans', 'Model'), [
    'Model  ● default (opus-9)   ○ fable-2   Ctrl-o names another',
    'Plans  ● claude itself   ○ mine   ○ codex   ○ playbook   Ctrl-p chooses',
  ]);
  press(fixture, 'tab', 'tab');
  assert.deepEqual(toRows(fixture, 'Plans', 'Model'), [
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
    toRows(other, 'Model')[1],
    `Model  ● ${first}   and 2 more   Ctrl-t chooses  Ctrl-g names another`,
  );
  const fixture = open(emptyState, 0, undefined, {
    models: {claude: {chosen: first, written: [first, second]}},
  });
  assert.deepEqual(toRows(fixture, 'Model'), [
    `Model  ● ${first}   and 2 more   Shift-Tab chooses  Ctrl-o names another`,
  ]);
});

test('for a screen reader it is said in words what is chosen', () => {
  const fixture = open(state, 0);
  fixture.model = {...fixture.model, isScreenReader: true};
  assert.deepEqual(toRows(fixture, 'Agent', 'Model'), [
    'Agent  mine   chosen; also claude, codex, playbook   Tab chooses',
    'Model  default (medium-1)   chosen; also small-1   Shift-Tab chooses  Ctrl-o names another',
    'Model  default (opus-9)   Ctrl-g names another',
  ]);
});

test('a click on a key that is named there does what the key does', () => {
  const fixture = open(state, 0);
  type(fixture, 'Tidy up');
  const {rows, head} = startBody({model: fixture.model, state, size: fixture.model.size, now: 0});
  const at = rows.findIndex((row) => textOfLine(row).startsWith('  Agent'));
  const column = textOfLine(rows[at]!).indexOf('Tab');
  happen(fixture, {
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
  assert.deepEqual([fixture.model.agent, fixture.model.field?.text], ['claude', 'Tidy up']);
});

test('whom the project names and nobody finds here is said before anything begins, and begins nothing', () => {
  const fixture = open(
    {...state, project: {...modelProject, planner: 'gemini', worker: 'ghost'}},
    0,
  );
  assert.deepEqual(toRows(fixture, 'Plans', 'ghost'), [
    'ghost is to work, as the project says, and is not installed here',
    'Plans  gemini, as the project says; it is not installed here   Ctrl-p chooses',
  ]);
  type(fixture, 'Tidy up');
  press(fixture, 'enter');
  assert.deepEqual([fixture.commands, fixture.model.field?.text], [[], 'Tidy up']);
  assert.match(
    fixture.model.notice?.text ?? '',
    /^gemini is to plan, as the project says, and is not installed here\. .*Ctrl-p\.$/,
  );
  press(fixture, 'ctrl-p', 'enter');
  assert.deepEqual(
    fixture.commands.map((one) => (one as {readonly request: RunRequest}).request.planner),
    ['claude'],
  );
});

test('what is wrong in the project file stands there, with its line', () => {
  const fixture = open(state, 0, undefined, undefined, {
    project: {problems: 2, first: '4: agents.mine.plan: has no {promptFile}.\u001B[2J'},
  });
  assert.deepEqual(toRows(fixture, '!'), ['! .orchestra/project.yaml:4: agents.mine.plan: has no']);
  assert.doesNotMatch(
    startBody({model: fixture.model, state, size: fixture.model.size, now: 0})
      .rows.map((row) => textOfLine(row))
      .join(''),
    /\u001B/,
  );
});

test('where there is nobody to choose, no key for choosing is named', () => {
  const fixture = open(emptyState, 0, undefined, undefined, {agents: []});
  assert.equal(
    textOfLine(
      statusLine({model: fixture.model, state: emptyState, size: fixture.model.size, now: 0}),
    ).trim(),
    'Enter begin  Esc commands',
  );
});
