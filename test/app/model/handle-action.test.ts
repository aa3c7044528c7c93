import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type RunRequest, selectRun, type UserCommand} from '../../../source/domain/index.ts';
import {sidebarRows} from '../../../source/app/model/sidebar-rows.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {startSession} from '../../domain/support/stages.ts';
import {drawCells} from '../screens/draw.tsx';
import {
  busy,
  done,
  type Fixture,
  happen,
  nothingYet,
  open,
  press,
  type,
} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

/** The daemon grants the last wish, as it would from this house. */
function grant(fixture: Fixture, harness: Harness): void {
  const wanted = fixture.commands.at(-1) as UserCommand;
  const {events} = userCommand(harness, wanted);
  fixture.state = harness.state;
  for (const event of events) happen(fixture, {type: 'event-heard', event});
  happen(fixture, {type: 'wish-granted', wish: wanted, answer: {events}});
}

function getRequest(fixture: Fixture): RunRequest {
  return (fixture.commands.at(-1) as {readonly request: RunRequest}).request;
}

describe('an objective', () => {
  test('is planned by whom the person chooses, until they choose the usual one again; the choice is remembered', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    type(fixture, 'Tidy up');
    const planners = ['ctrl-p', 'ctrl-p', 'ctrl-p', 'ctrl-p'].map((key) => {
      press(fixture, key);
      return fixture.model.planner;
    });
    assert.deepEqual(planners, ['codex', 'playbook', '', 'codex']);
    const later = open(state, now, undefined, toUiState(fixture.model));
    type(later, 'Tidy up');
    press(later, 'enter');
    assert.deepEqual([getRequest(later).worker, getRequest(later).planner], ['claude', 'codex']);
    press(fixture, 'tab', 'enter');
    assert.deepEqual([getRequest(fixture).worker, getRequest(fixture).planner], ['codex', 'codex']);
  });

  test("has one of the repository's skills, for this once", () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    assert.deepEqual(fixture.effects, [
      {type: 'ask', name: 'skills', question: {about: 'skills'}},
      {type: 'ask', name: 'sharing', question: {about: 'dependencies'}},
      {type: 'ask', name: 'repository', question: {about: 'repository'}},
    ]);
    type(fixture, 'Tidy up');
    press(fixture, 'ctrl-s');
    assert.match(fixture.model.notice?.text ?? '', /^This repository has no skills\./);
    happen(fixture, {
      type: 'answered',
      name: 'skills',
      value: {skills: [{name: 'release', description: 'How to release'}, {name: 'docs'}, null, {}]},
    });
    press(fixture, 'ctrl-s', 'ctrl-s', 'enter');
    assert.equal(getRequest(fixture).skill, 'docs');
    assert.equal(fixture.model.skill, '');
    press(fixture, 'o');
    type(fixture, 'More');
    press(fixture, 'ctrl-s', 'ctrl-s', 'ctrl-s', 'enter');
    assert.equal(getRequest(fixture).skill, undefined);
  });

  test('waits in the queue if that is wanted, and its place there can be changed', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    // There is room for one more beside the run that is at work.
    for (const text of ['At once', 'First', 'Second', 'Third']) {
      press(fixture, 'o');
      assert.match(
        drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n'),
        /Ctrl-q queue/,
      );
      type(fixture, text);
      press(fixture, 'ctrl-q');
      assert.equal(getRequest(fixture).queued, true);
      grant(fixture, harness);
    }

    const queued = [...harness.state.queue];
    assert.deepEqual([queued.length, fixture.model.selected], [3, queued[2]]);
    press(fixture, '>');
    assert.match(fixture.model.notice?.text ?? '', /is the last in the queue already/);
    press(fixture, '<');
    grant(fixture, harness);
    assert.deepEqual(harness.state.queue, [queued[0], queued[2], queued[1]]);
    assert.match(selectRun(harness.state, queued[2]!)!.stage.at, /queued/);
    press(fixture, 'D', 'D');
    grant(fixture, harness);
    assert.deepEqual(harness.state.queue, [queued[0], queued[1]]);
  });

  test('that is empty does not go into the queue', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    press(fixture, 'ctrl-q');
    assert.deepEqual(
      [fixture.commands, fixture.model.notice?.text],
      [[], 'Say what should be different.'],
    );
  });
});

describe('among the workers', () => {
  test('words are left on what is chosen, and none are left by mistake', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', '1', 'c');
    assert.equal(fixture.model.field?.label, 'Note on r1.t1');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, []);
    type(fixture, 'mind the tests');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [{type: 'add-note', on: 'r1.t1', text: 'mind the tests'}]);
    assert.equal(fixture.model.notice?.text, 'Noted. Who works on r1.t1 next reads it.');
  });

  test('an agent is restarted after a confirmation', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', '1', 'B');
    assert.equal(fixture.model.confirmation?.question, 'Restart the agent of task 1?');
    press(fixture, 'n', 'B', 'B');
    assert.deepEqual(fixture.commands, [{type: 'reset-task', task: 'r1.t1'}]);
    grant(fixture, harness);
    assert.equal(fixture.model.notice?.text, 'The agent of r1.t1 restarts.');
  });

  test('the environment of a run is shown, and taken once that was said', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', '1', 'V');
    assert.deepEqual(fixture.effects.filter(({type}) => type === 'ask').at(-1), {
      type: 'ask',
      name: 'environment/r1',
      question: {about: 'environment', of: 'r1'},
    });
    const report = {
      run: 'r1',
      from: 'shell',
      at: harness.time,
      path: ['/usr/bin'],
      names: ['HOME', 'PATH'],
      missing: [],
      differs: {changed: ['PATH'], onlyRun: [], onlyHere: ['VIRTUAL_ENV']},
    };
    happen(fixture, {type: 'answered', name: 'environment/r1', value: report});
    assert.match(
      fixture.model.confirmation?.question ?? '',
      /^Give this run the environment of your shell/,
    );
    assert.match(
      fixture.model.confirmation?.facts.map(({text}) => text).join('\n') ?? '',
      /PATH:\n {4}\/usr\/bin\n[^]*only here: VIRTUAL_ENV/,
    );
    press(fixture, 'n');
    assert.deepEqual(fixture.commands, []);
    happen(fixture, {type: 'answered', name: 'environment/r1', value: report});
    press(fixture, 'V');
    assert.deepEqual(fixture.commands, [{type: 'refresh-environment', run: 'r1'}]);
    for (const value of [null, {}, {run: 'x'}, 'text'])
      happen(fixture, {type: 'answered', name: 'environment/r1', value});
    assert.equal(fixture.model.confirmation, undefined);
    happen(fixture, {type: 'refused', name: 'environment/r1', text: 'there is no run r1'});
    assert.equal(fixture.model.notice?.text, 'there is no run r1');
  });

  test('the queue is for runs that wait in it', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', '1', '<');
    assert.deepEqual(
      [fixture.commands, fixture.model.notice?.text],
      [[], 'Choose a run that waits in the queue.'],
    );
  });
});

describe("a command of one's own", () => {
  test('begins where the person is, by their shell; what it said can be read when it has ended', () => {
    const harness = tokenStory().harness;
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', 'g', '!');
    assert.equal(fixture.model.field?.label, 'Command, empty for a shell');
    type(fixture, 'npm test -- --watch');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [
      {
        type: 'start-session',
        name: 'npm',
        command: ['/bin/bash', '-c', 'npm test -- --watch'],
        directory: '/work',
      },
    ]);
    grant(fixture, harness);
    const session = fixture.model.selected as `s${number}`;
    startSession(harness, session);
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.equal(
      selectPaneGrid(fixture.model, fixture.state).panes.find(({isFocused}) => isFocused)?.session,
      session,
    );

    happen(fixture, {
      type: 'wish-granted',
      wish: {type: 'stop', what: session},
      answer: {events: []},
    });
    assert.equal(fixture.model.notice?.text, `${session} is stopped.`);
    report(harness, {type: 'session-exited', session, code: 3, signal: null});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.equal(
      selectPaneGrid(fixture.model, fixture.state).panes.find(({isFocused}) => isFocused)?.session,
      session,
    );
    const row = sidebarRows(harness.state, harness.state.at).find(({key}) => key === session);
    assert.deepEqual([row?.mark, row?.text, row?.isPane], ['-', 'exit 3', false]);
    press(fixture, 'i');
    assert.match(fixture.model.notice.text, /has ended: nothing reads what you type\./);
    assert.equal(
      sidebarRows(harness.state, harness.state.at + 10 * 60_000).some(({key}) => key === session),
      false,
    );
  });

  test('is a shell where nothing is written, in the worktree of the task that is chosen', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', '1', '!');
    assert.equal(fixture.model.field?.label, 'Command in the worktree of r1.t1, empty for a shell');
    press(fixture, 'enter');
    const directory = selectRun(harness.state, 'r1')?.worktrees.find(
      ({owner}) => owner === 'r1.t1',
    )?.path;
    assert.ok(directory !== undefined);
    assert.deepEqual(fixture.commands, [
      {type: 'start-session', name: 'bash', command: ['/bin/bash'], directory},
    ]);
  });
});

test('what is done becomes a pull request after one more question, and is told by where that is', () => {
  const harness = done();
  for (const way of [['n'], ['enter', 'r']]) {
    const fixture = open(harness.state, harness.time);
    press(fixture, ...way, 'P');
    assert.equal(fixture.model.confirmation?.question, 'Open a pull request?');
    fixture.effects.length = 0;
    press(fixture, 'P');
    assert.deepEqual([fixture.commands, fixture.effects], [[], [{type: 'propose', run: 'r1'}]]);
    happen(fixture, {type: 'proposed', run: 'r1', outcome: {url: 'https://example.test/pull/1'}});
    assert.equal(fixture.model.notice?.text, 'The pull request of r1: https://example.test/pull/1');
    happen(fixture, {type: 'proposed', run: 'r1', outcome: {rejected: 'gh is not installed'}});
    assert.deepEqual(
      [fixture.model.notice.text, fixture.model.notice.tone],
      ['gh is not installed', 'bad'],
    );
  }

  const early = busy();
  const loopFixture = open(early.state, early.time);
  press(loopFixture, 'enter', 'r', 'P');
  assert.deepEqual(
    [
      loopFixture.model.confirmation,
      loopFixture.effects.some(({type: kind}) => kind === 'propose'),
    ],
    [undefined, false],
  );
});
