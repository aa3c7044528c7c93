import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {emptyState, type RunRequest, type State} from '../../../source/domain/index.ts';
import type {Repository} from '../../../source/app/model/model.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {selectAgentLine} from '../../../source/app/select/agent-line.ts';
import {selectHints} from '../../../source/app/keymap/select-hints.ts';
import {drawCells} from './draw.tsx';
import {
  done,
  type Fixture,
  happen,
  modelProject,
  nothingYet,
  open,
  press,
  type,
} from './fixtures.ts';

const state: State = {...nothingYet().state, project: modelProject};
const large: Size = {columns: 120, rows: 45};

function textOf({model, state: known, now}: Fixture): string {
  return drawCells(model, known, now).rows.join('\n');
}

function without(more: Partial<Repository>, size = large): Fixture {
  return open(nothingYet().state, nothingYet().now, size, undefined, more);
}

describe('the start screen', () => {
  test('has the objective in its frame, with the cursor of the terminal in it', () => {
    const fixture = open(state, 0, large);
    type(fixture, 'Tidy up');
    const {rows, places} = drawCells(fixture.model, fixture.state, fixture.now);
    const row = rows.findIndex((line) => line.includes('Tidy up'));
    const caret = places.find(({region}) => region.kind === 'caret')?.rect;
    assert.deepEqual(
      [caret?.row, caret?.column],
      [row, rows[row]!.indexOf('Tidy up') + 'Tidy up'.length],
    );
    assert.match(rows.join('\n'), /Enter plan it/);
  });

  test('says who works, who plans, and with which models', () => {
    const fixture = open(state, 0, large, {
      models: {claude: {chosen: '', planning: 'fable-2', written: ['fable-2']}},
    });
    const line = (): string => {
      const {who, rest} = selectAgentLine(fixture.model, fixture.state);
      return `${who}${rest}`;
    };
    assert.equal(line(), 'mine works with medium-1, claude plans with fable-2');
    assert.match(textOf(fixture), /● default \(medium-1\) {2}○ small-1 +Shift-Tab next/);
    press(fixture, 'tab');
    assert.equal(line(), 'claude works and plans with opus-9');
    press(fixture, 'tab', 'tab');
    assert.equal(line(), 'playbook works and plans');
    assert.doesNotMatch(textOf(fixture), /Ctrl-o/);
  });

  test('names keys only while they work', () => {
    const fixture = open(state, 0, large);
    assert.match(textOf(fixture), /Ctrl-o name another/);
    press(fixture, 'escape');
    assert.doesNotMatch(textOf(fixture), /Ctrl-o name another/);
    assert.match(textOf(fixture), /Enter writes what should be different/);
  });

  test('keeps the objective in view while a model is named', () => {
    const fixture = open(emptyState, 0, large);
    type(fixture, 'Tidy up');
    press(fixture, 'ctrl-o');
    type(fixture, 'opus-9');
    assert.match(textOf(fixture), /Tidy up[^]*opus-9/);
    press(fixture, 'enter');
    assert.equal(fixture.model.field?.text, 'Tidy up');
  });

  test('says whom the project names and nobody finds, and begins nothing', () => {
    const fixture = open(
      {...state, project: {...modelProject, planner: 'gemini', worker: 'ghost'}},
      0,
      large,
    );
    assert.match(
      textOf(fixture),
      /ghost is to work, as the project says, and is not installed here/,
    );
    type(fixture, 'Tidy up');
    press(fixture, 'enter');
    assert.deepEqual([fixture.commands, fixture.model.field?.text], [[], 'Tidy up']);
    press(fixture, 'ctrl-p', 'enter');
    assert.deepEqual(
      fixture.commands.map((one) => (one as {readonly request: RunRequest}).request.planner),
      ['claude'],
    );
  });

  test('shows what is wrong in the project file, made safe', () => {
    const text = textOf(
      without({
        project: {problems: 2, first: '4: agents.mine.plan: has no {promptFile}.\u001B[2J'},
      }),
    );
    assert.match(text, /! project +\.orchestra\/project\.yaml:4: agents\.mine\.plan/);
    assert.doesNotMatch(text, /\u001B/);
  });

  test('shows the branch, and how it goes until three objectives were accepted', () => {
    const text = textOf(without({head: {branch: 'main', commit: '99f4dfa0123456789'}}));
    assert.match(text, /✓ git +main at 99f4dfa\b/);
    assert.match(text, /How it goes[^]*a planner[^]*accept into/);
  });

  test('lists earlier objectives, and hostile ones as text', () => {
    const fixture = open(emptyState, 0, large, {
      objectives: ['evil \u001B[2J\u202Ething', 'Plain'],
    });
    press(fixture, 'up');
    const text = textOf(fixture);
    assert.match(text, /Earlier, with ↑[^]*▸ Plain/);
    assert.doesNotMatch(text, /[\u001B\u202E]/);
  });

  test('is usable at every size', () => {
    for (const size of [
      {columns: 60, rows: 15},
      {columns: 80, rows: 24},
      {columns: 220, rows: 60},
    ]) {
      const fixture = open(state, 0, size);
      type(fixture, 'Tidy up');
      assert.match(textOf(fixture), /What should be different\?[^]*Tidy up/);
    }
  });

  test('is read by a screen reader', () => {
    const fixture = open(state, 0, {columns: 80, rows: 40});
    fixture.model = {...fixture.model, isScreenReader: true};
    const text = textOf(fixture);
    assert.match(text, /What should be different\?/);
    assert.doesNotMatch(text, /[┏╭━┃│]/);
  });
});

describe('without git', () => {
  for (const trouble of ['no-git', 'no-commits'] as const)
    test(`${trouble}: one way on`, () => {
      const fixture = without({trouble});
      assert.match(textOf(fixture), /I make (?:it one: git init|a first commit)/);
      assert.equal(fixture.model.field, undefined);
    });
});

describe('without an agent', () => {
  test('four ways on are shown, and no field', () => {
    const fixture = without({agents: []});
    assert.equal(fixture.model.field, undefined);
    assert.match(
      textOf(fixture),
      /No coding agent is installed here[^]*▌ 1 {2}see the whole loop now/,
    );
    assert.ok(selectHints(fixture.model, fixture.state).some(({action}) => action === 'take-way'));
  });

  test('the demo begins with one key, and in the app', () => {
    for (const [keys, more] of [
      [['1'], {agents: []}],
      [['enter'], {agents: []}],
      [['d'], {trouble: 'no-git'}],
      [['d'], {trouble: 'no-commits'}],
      [['ctrl-x'], {}],
      [['escape', 'd'], {}],
    ] as const) {
      const fixture = without(more);
      press(fixture, ...keys);
      assert.deepEqual(fixture.effects.at(-1), {type: 'open-demo'}, keys.join(' '));
      assert.match(textOf(fixture), /Making a throw-away repository/);
      happen(fixture, {type: 'demo-failed', text: 'no space\u001B[2J left'});
      assert.match(textOf(fixture), /The demo could not be made: no space.* left/);
    }
  });

  test('a shell is one key away', () => {
    const fixture = without({agents: []});
    press(fixture, '!', 'enter');
    assert.deepEqual(
      fixture.commands.map((one) => (one as {readonly type: string}).type),
      ['start-session'],
    );
  });

  test('the commands that install one are shown and copied', () => {
    const fixture = without({agents: []});
    press(fixture, 'down', 'enter');
    assert.match(textOf(fixture), /npm install -g @anthropic-ai\/claude-code/);
    press(fixture, 'y');
    assert.match(JSON.stringify(fixture.effects.at(-1)), /"copy".*claude-code/);
    press(fixture, '3');
    assert.match(textOf(fixture), /my-agent/);
  });

  test('a playbook is asked for, and followed', () => {
    const fixture = without({agents: []});
    press(fixture, '4');
    assert.equal(fixture.model.field?.for.what, 'playbook');
    press(fixture, 'enter');
    assert.match(fixture.model.notice?.text ?? '', /Write the path/);
    type(fixture, 'bump.yaml');
    press(fixture, 'enter');
    assert.match(textOf(fixture), /bump\.yaml is followed/);
    type(fixture, 'Bump the version');
    press(fixture, 'enter');
    const [{request}] = fixture.commands as [{readonly request: RunRequest}];
    assert.deepEqual(
      [request.worker, request.planner, request.playbook],
      ['playbook', 'playbook', '/work/bump.yaml'],
    );
  });

  test('one that appears brings the objective', () => {
    const fixture = without({agents: []});
    fixture.model = {
      ...fixture.model,
      repository: {...fixture.model.repository, agents: ['claude']},
    };
    assert.match(textOf(fixture), /What should be different\?/);
    press(fixture, 'enter');
    assert.equal(fixture.model.field?.for.what, 'objective');
  });
});

test('a new objective leads to it while a run is open', () => {
  const harness = done();
  const fixture = open(harness.state, harness.time, large);
  press(fixture, 'enter', 'o');
  assert.equal(fixture.model.screen, 'start');
  assert.match(textOf(fixture), /This repository/);
});
