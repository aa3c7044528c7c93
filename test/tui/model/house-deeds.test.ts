import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {runOf, type RunRequest, type Wish} from '../../../source/domain/index.ts';
import {houseRows} from '../../../source/tui/model/house-rows.ts';
import {memoryOf} from '../../../source/tui/model/memory.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {textOfLine} from '../../../source/tui/model/line.ts';
import {statusLine} from '../../../source/tui/screens/bars.ts';
import {report, wish, type House} from '../../domain/support/house.ts';
import {startSession} from '../../domain/support/stages.ts';
import {
  busy,
  done,
  happen,
  nothingYet,
  open,
  press,
  tokenStory,
  type,
  type Stage,
} from '../screens/scenes.ts';

/** The daemon grants the last wish, as it would from this house. */
function grant(stage: Stage, house: House): void {
  const wanted = stage.wishes.at(-1) as Wish;
  const {events} = wish(house, wanted);
  stage.state = house.state;
  for (const event of events) happen(stage, {type: 'event-heard', event});
  happen(stage, {type: 'wish-granted', wish: wanted, answer: {events}});
}

function requestOf(stage: Stage): RunRequest {
  return (stage.wishes.at(-1) as {readonly request: RunRequest}).request;
}

describe('an objective', () => {
  test('is planned by whom the person chooses, until they choose the usual one again; the choice is remembered', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now);
    type(stage, 'Tidy up');
    const planners = ['ctrl-p', 'ctrl-p', 'ctrl-p', 'ctrl-p'].map((key) => {
      press(stage, key);
      return stage.model.planner;
    });
    assert.deepEqual(planners, ['codex', 'playbook', '', 'codex']);
    const later = open(state, now, undefined, memoryOf(stage.model));
    type(later, 'Tidy up');
    press(later, 'enter');
    assert.deepEqual([requestOf(later).worker, requestOf(later).planner], ['claude', 'codex']);
    press(stage, 'tab', 'enter');
    assert.deepEqual([requestOf(stage).worker, requestOf(stage).planner], ['codex', 'codex']);
  });

  test("has one of the repository's skills, for this once", () => {
    const {state, now} = nothingYet();
    const stage = open(state, now);
    assert.deepEqual(stage.effects, [
      {type: 'ask', name: 'skills', question: {about: 'skills'}},
      {type: 'ask', name: 'sharing', question: {about: 'dependencies'}},
      {type: 'ask', name: 'repository', question: {about: 'repository'}},
    ]);
    type(stage, 'Tidy up');
    press(stage, 'ctrl-s');
    assert.match(stage.model.notice?.words ?? '', /^This repository has no skills\./);
    happen(stage, {
      type: 'answered',
      name: 'skills',
      value: {skills: [{name: 'release', description: 'How to release'}, {name: 'docs'}, null, {}]},
    });
    press(stage, 'ctrl-s', 'ctrl-s', 'enter');
    assert.equal(requestOf(stage).skill, 'docs');
    assert.equal(stage.model.skill, '');
    press(stage, 'o');
    type(stage, 'More');
    press(stage, 'ctrl-s', 'ctrl-s', 'ctrl-s', 'enter');
    assert.equal(requestOf(stage).skill, undefined);
  });

  test('waits in the queue if that is wanted, and its place there can be changed', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    // There is room for one more beside the run that is at work.
    for (const words of ['At once', 'First', 'Second', 'Third']) {
      press(stage, 'o');
      assert.match(
        textOfLine(
          statusLine({
            model: stage.model,
            state: stage.state,
            size: stage.model.size,
            now: stage.now,
          }),
        ),
        /Ctrl-q queue/,
      );
      type(stage, words);
      press(stage, 'ctrl-q');
      assert.equal(requestOf(stage).queued, true);
      grant(stage, house);
    }

    const queued = [...house.state.queue];
    assert.deepEqual([queued.length, stage.model.selected], [3, queued[2]]);
    press(stage, '>');
    assert.match(stage.model.notice?.words ?? '', /is the last in the queue already/);
    press(stage, '<');
    grant(stage, house);
    assert.deepEqual(house.state.queue, [queued[0], queued[2], queued[1]]);
    assert.match(runOf(house.state, queued[2]!)!.stage.at, /queued/);
    press(stage, 'D', 'y');
    grant(stage, house);
    assert.deepEqual(house.state.queue, [queued[0], queued[1]]);
  });

  test('that is empty does not go into the queue', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now);
    press(stage, 'ctrl-q');
    assert.deepEqual(
      [stage.wishes, stage.model.notice?.words],
      [[], 'Say what should be different.'],
    );
  });
});

describe('among the workers', () => {
  test('words are left on what is chosen, and none are left by mistake', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '1', 'c');
    assert.equal(stage.model.field?.label, 'Words on r1.t1');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, []);
    type(stage, 'mind the tests');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [{type: 'add-note', on: 'r1.t1', text: 'mind the tests'}]);
    assert.equal(stage.model.notice?.words, 'Noted. Who works on r1.t1 next reads it.');
  });

  test('an agent begins anew once that was asked for twice', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '1', 'B');
    assert.equal(stage.model.asking?.question, 'Begin the agent of r1.t1 anew?');
    press(stage, 'n', 'B', 'y');
    assert.deepEqual(stage.wishes, [{type: 'reset-task', task: 'r1.t1'}]);
    grant(stage, house);
    assert.equal(stage.model.notice?.words, 'The agent of r1.t1 begins anew.');
  });

  test('the environment of a run is shown, and taken once that was said', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '1', 'V');
    assert.deepEqual(stage.effects.filter(({type}) => type === 'ask').at(-1), {
      type: 'ask',
      name: 'environment/r1',
      question: {about: 'environment', of: 'r1'},
    });
    const report = {
      run: 'r1',
      from: 'shell',
      at: house.time,
      path: ['/usr/bin'],
      names: ['HOME', 'PATH'],
      missing: [],
      differs: {changed: ['PATH'], onlyRun: [], onlyHere: ['VIRTUAL_ENV']},
    };
    happen(stage, {type: 'answered', name: 'environment/r1', value: report});
    assert.match(stage.model.asking?.question ?? '', /^Give r1 the environment of the shell/);
    assert.match(
      stage.model.asking?.lines.join('\n') ?? '',
      /PATH:\n {4}\/usr\/bin\n[^]*only here: VIRTUAL_ENV/,
    );
    press(stage, 'n');
    assert.deepEqual(stage.wishes, []);
    happen(stage, {type: 'answered', name: 'environment/r1', value: report});
    press(stage, 'y');
    assert.deepEqual(stage.wishes, [{type: 'refresh-environment', run: 'r1'}]);
    for (const value of [null, {}, {run: 'x'}, 'text'])
      happen(stage, {type: 'answered', name: 'environment/r1', value});
    assert.equal(stage.model.asking, undefined);
    happen(stage, {type: 'refused', name: 'environment/r1', words: 'there is no run r1'});
    assert.equal(stage.model.notice?.words, 'there is no run r1');
  });

  test('the queue is for runs that wait in it', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '1', '<');
    assert.deepEqual(
      [stage.wishes, stage.model.notice?.words],
      [[], 'Choose a run that waits in the queue.'],
    );
  });
});

describe("a command of one's own", () => {
  test('begins where the person is, by their shell; what it said can be read when it has ended', () => {
    const house = tokenStory().house;
    const stage = open(house.state, house.time);
    press(stage, 'enter', 'g', '!');
    assert.equal(stage.model.field?.label, 'Command, empty for a shell');
    type(stage, 'npm test -- --watch');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [
      {
        type: 'start-session',
        name: 'npm',
        command: ['/bin/bash', '-c', 'npm test -- --watch'],
        directory: '/work',
      },
    ]);
    grant(stage, house);
    const session = stage.model.selected as `s${number}`;
    startSession(house, session);
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    assert.equal(
      plotOf(stage.model.size, stage.model, stage.state).panes.find(({isFocused}) => isFocused)
        ?.session,
      session,
    );

    happen(stage, {
      type: 'wish-granted',
      wish: {type: 'stop', what: session},
      answer: {events: []},
    });
    assert.equal(stage.model.notice?.words, `${session} is stopped.`);
    report(house, {type: 'session-exited', session, code: 3, signal: null});
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    assert.equal(
      plotOf(stage.model.size, stage.model, stage.state).panes.find(({isFocused}) => isFocused)
        ?.session,
      session,
    );
    const row = houseRows(house.state, house.state.at).find(({key}) => key === session);
    assert.deepEqual([row?.mark, row?.words, row?.isPane], ['-', 'exit 3', false]);
    press(stage, 'i');
    assert.match(stage.model.notice.words, /has ended: nobody would read/);
    assert.equal(
      houseRows(house.state, house.state.at + 10 * 60_000).some(({key}) => key === session),
      false,
    );
  });

  test('is a shell where nothing is written, in the worktree of the task that is chosen', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '1', '!');
    assert.equal(stage.model.field?.label, 'Command in the worktree of r1.t1, empty for a shell');
    press(stage, 'enter');
    const directory = runOf(house.state, 'r1')?.worktrees.find(
      ({owner}) => owner === 'r1.t1',
    )?.path;
    assert.ok(directory !== undefined);
    assert.deepEqual(stage.wishes, [
      {type: 'start-session', name: 'bash', command: ['/bin/bash'], directory},
    ]);
  });
});

test('what is done becomes a pull request after one more question, and is told by where that is', () => {
  const house = done();
  for (const way of [['n'], ['enter', 'r']]) {
    const stage = open(house.state, house.time);
    press(stage, ...way, 'P');
    assert.equal(stage.model.asking?.question, 'Open a pull request for r1?');
    stage.effects.length = 0;
    press(stage, 'y');
    assert.deepEqual([stage.wishes, stage.effects], [[], [{type: 'propose', run: 'r1'}]]);
    happen(stage, {type: 'proposed', run: 'r1', outcome: {url: 'https://example.test/pull/1'}});
    assert.equal(stage.model.notice?.words, 'The pull request of r1: https://example.test/pull/1');
    happen(stage, {type: 'proposed', run: 'r1', outcome: {refused: 'gh is not installed'}});
    assert.deepEqual(
      [stage.model.notice.words, stage.model.notice.tone],
      ['gh is not installed', 'bad'],
    );
  }

  const early = busy();
  const stage = open(early.state, early.time);
  press(stage, 'enter', 'r', 'P');
  assert.deepEqual(
    [stage.model.asking, stage.effects.some(({type: kind}) => kind === 'propose')],
    [undefined, false],
  );
});
