import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {emptyState, runOf} from '../../../source/domain/index.ts';
import {bindingsOf} from '../../../source/tui/model/contexts-of.ts';
import {createModel} from '../../../source/tui/model/create-model.ts';
import {diffComments} from '../../../source/tui/model/diff-comments.ts';
import {memoryOf} from '../../../source/tui/model/memory.ts';
import type {Model} from '../../../source/tui/model/model.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {headerLine} from '../../../source/tui/screens/bars.ts';
import {conclude, report} from '../../domain/support/house.ts';
import {startSession, thinking} from '../../domain/support/stages.ts';
import {
  answer,
  busy,
  done,
  happen,
  nothingYet,
  open,
  planned,
  press,
  tokenStory,
  type,
  type Stage,
} from '../screens/scenes.ts';

describe('coming in:', () => {
  test('where nothing was asked for yet, the objective is written at once', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now);
    assert.equal(stage.model.screen, 'start');
    type(stage, 'Stop refreshing tokens twice');
    press(stage, 'tab', 'enter');
    assert.deepEqual(stage.wishes, [
      {
        type: 'start-run',
        request: {
          objective: 'Stop refreshing tokens twice',
          worker: 'codex',
          planner: 'codex',
          queued: false,
        },
        budget: {attemptWallClock: 60 * 60_000},
      },
    ]);
    assert.deepEqual(stage.model.objectives, ['Stop refreshing tokens twice']);
  });

  test('an agent that the project declares can be chosen, and whom it prefers comes first', () => {
    const {state, now} = nothingYet();
    const mine = {name: 'mine', plan: ['mine'], work: ['mine'], prompt: 'stdin'} as const;
    const stage = open(
      {...state, project: {...state.project, agents: [mine], worker: 'mine', planner: 'claude'}},
      now,
    );
    type(stage, 'Tidy up');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [
      {
        type: 'start-run',
        request: {objective: 'Tidy up', worker: 'mine', planner: 'claude', queued: false},
        budget: {attemptWallClock: 60 * 60_000},
      },
    ]);
  });

  test('without any agent nothing is begun, and what was written stays', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now, undefined, undefined, {agents: []});
    type(stage, 'Tidy up');
    press(stage, 'enter');
    assert.deepEqual([stage.wishes, stage.model.field?.text], [[], 'Tidy up']);
    assert.match(stage.model.notice?.words ?? '', /^No agent is installed/);
  });

  test('earlier objectives come back with up, and what is new with down', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now, undefined, {objectives: ['one', 'two']});
    const texts = ['up', 'up', 'up', 'down', 'down'].map((key) => {
      press(stage, key);
      return stage.model.field?.text;
    });
    assert.deepEqual(texts, ['two', 'one', 'one', 'two', '']);
  });

  test('without git it says so and offers to make a repository; then the objective is written', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now, undefined, undefined, {trouble: 'no-git'});
    assert.deepEqual([stage.model.screen, stage.model.field], ['start', undefined]);
    press(stage, 'I');
    assert.deepEqual(
      [stage.model.asking?.question, stage.effects],
      ['Make token-service a git repository?', []],
    );
    press(stage, 'n');
    assert.deepEqual([stage.model.asking, stage.effects], [undefined, []]);
    press(stage, 'I', 'y');
    assert.deepEqual(stage.effects, [{type: 'prepare-repository', what: 'no-git'}]);
    happen(stage, {type: 'repository-prepared'});
    assert.equal(stage.model.repository.trouble, undefined);
    assert.equal(stage.model.field?.for.what, 'objective');
  });

  test('without git there is no daemon to wait for, and nothing is said of one', () => {
    const repository = {
      name: 'plain',
      agents: [],
      shell: {program: '/bin/sh', directory: '/'},
      rules: {exists: false, rules: 0, problems: 0},
      trouble: 'no-git',
    } as const;
    const size = {columns: 80, rows: 24};
    const model: Model = {
      ...createModel({size, repository, memory: undefined}),
      connection: {at: 'lost', words: '/plain is not inside a git repository'},
    };
    assert.equal(model.screen, 'start');
    assert.deepEqual(
      bindingsOf(model, emptyState)
        .filter(({does}) => does === 'prepare-repository')
        .map(({keys}) => keys),
      [['I']],
    );
    const words = headerLine({model, state: emptyState, size, now: 0, env: {}} as never)
      .map(({text}) => text)
      .join('');
    assert.doesNotMatch(words, /connected|daemon/);
  });

  test('as long as the journal cannot be written the first line says so, and what to do', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    const header = (): string =>
      headerLine({
        model: stage.model,
        state: stage.state,
        size: {columns: 200, rows: 40},
        now,
        env: {},
      } as never)
        .map(({text}) => text)
        .join('')
        .trim();
    const before = header();
    happen(stage, {
      type: 'journal-changed',
      journal: {
        mode: 'degraded',
        reason:
          'ENOSPC: no space left on device, write. Free some space for /state; the journal then goes on by itself.',
        remedy: 'Free some space for /state; the journal then goes on by itself.',
        isFull: true,
      },
    });
    assert.match(
      header(),
      /^! the disk is full: nothing new is started, sessions go on\. Free some space for \/state; the journal then goes on by itself\. .*$/,
    );
    happen(stage, {
      type: 'journal-changed',
      journal: {mode: 'read-only', reason: 'It is damaged.'},
    });
    assert.match(
      header(),
      /^! the journal is read-only: nothing new is started, sessions go on\. It is damaged\./,
    );
    happen(stage, {type: 'journal-changed', journal: {mode: 'writing'}});
    assert.equal(header(), before);
    happen(stage, {type: 'journal-changed', journal: {mode: 'degraded', reason: 'EIO.'}});
    // Another daemon says by itself how it is.
    happen(stage, {type: 'connected'});
    assert.equal(stage.model.journal, undefined);
  });

  test('where there is work the brief is first, then the same pane, zoom and scroll as before', () => {
    const {house, now} = tokenStory();
    const before = open(house.state, now);
    press(before, 'enter', 'tab', 'tab', 'z');
    const [pane] = plotOf(before.model.size, before.model, before.state).panes;
    happen(before, {
      type: 'pane-changed',
      session: pane!.session,
      view: {title: '', scroll: 120, bells: 0, wantsMouse: false, connection: 'live'},
    });
    const memory: unknown = JSON.parse(JSON.stringify(memoryOf(before.model)));

    const after = open(house.state, now, undefined, memory);
    assert.equal(after.model.screen, 'brief');
    assert.deepEqual(after.effects, [{type: 'ask', name: 'brief', question: {about: 'brief'}}]);
    press(after, 'enter', 'b');
    assert.deepEqual(
      after.effects.at(-1),
      {type: 'ask', name: 'brief', question: {about: 'brief', stay: true}},
      'who is here already has not come back',
    );
    press(after, 'enter');
    assert.deepEqual(
      [after.model.screen, after.model.selected, after.model.isZoomed, after.model.scrolled],
      ['workers', before.model.selected, true, {[before.model.selected]: 120}],
    );
  });

  test('any memory is read: what is not understood gives way to the usual', () => {
    for (const memory of [
      undefined,
      null,
      7,
      'x',
      [],
      {
        screen: 'nowhere',
        grid: 3,
        scrolled: {a: 'x'},
        objectives: [1, 'ok'],
        settings: {theme: 'pink'},
      },
    ]) {
      const {house, now} = tokenStory();
      const stage = open(house.state, now, undefined, memory);
      assert.equal(stage.model.screen, 'brief');
      assert.equal(stage.model.settings.theme, 'auto');
    }
  });
});

describe('panes:', () => {
  test('typing goes to one session and to no other that takes its place', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '3', 'i');
    assert.deepEqual([stage.model.mode, stage.model.into], ['typing', 's4']);
    report(house, {type: 'session-exited', session: 's4', code: 0, signal: null});
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    assert.deepEqual([stage.model.mode, stage.model.into], ['command', undefined]);
    assert.match(stage.model.notice?.words ?? '', /has ended; keys are commands again/);
  });

  test('focus by number, round, and by direction', () => {
    const house = busy();
    const stage = open(house.state, house.time, {columns: 160, rows: 45});
    press(stage, 'enter', '1');
    const seen = ['alt-right', 'alt-down', 'alt-up', 'tab', 'shift-tab', '3', '9'].map((key) => {
      press(stage, key);
      return stage.model.selected;
    });
    assert.deepEqual(seen, ['r1.t2', 's4', 'r1.t1', 'r1.t2', 'r1.t1', 's4', 's4']);
  });

  test('searching and copying are wishes to the pane', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'enter', '1');
    stage.effects.length = 0;
    press(stage, '/');
    type(stage, 'error');
    press(stage, 'enter', 'n', 'v', 'up', 'y');
    assert.deepEqual(stage.effects, [
      {type: 'copy-mode', session: 's2', isOn: true},
      {type: 'search', session: 's2', words: 'error'},
      {type: 'search-step', session: 's2', direction: 'older'},
      {type: 'copy-anchor', session: 's2', whole: 'characters'},
      {type: 'copy-move', session: 's2', by: {to: 'up'}},
      {type: 'copy-selection', session: 's2'},
      {type: 'copy-mode', session: 's2', isOn: false},
      {type: 'search', session: 's2', words: ''},
      {type: 'scroll', session: 's2', by: {to: 'bottom'}},
    ]);
    assert.equal(stage.model.mode, 'command');
  });
});

describe('review:', () => {
  test('comments are kept until they are sent, and go as one batch; where no task is known to have changed the file, as a note', () => {
    const house = done();
    const stage = open(house.state, house.time);
    press(stage, 'enter', 'r');
    answer(stage, house);
    press(stage, 'down', 'down', 'down', 'c');
    type(stage, 'Why?');
    press(stage, 'enter', 'down', 'down', 'down', 'down', 'down', 'c');
    type(stage, 'Name it');
    press(stage, 'enter');
    assert.equal(stage.model.comments.length, 2);
    assert.deepEqual(stage.wishes, []);
    press(stage, 'S');
    assert.equal(stage.wishes.length, 1);
    assert.deepEqual(diffComments(stage.model), []);
    const [sent] = stage.wishes as {type: string; on?: string; text?: string}[];
    assert.equal(sent?.type, 'add-note');
    assert.match(
      sent.text ?? '',
      /^Comments on your change:\n- src\/token\.ts:3 `.+`: Why\?\n- src\/token\.ts:\d+ `.+`: Name it$/,
    );
  });

  test('on a merged task they are the hint of a new attempt', () => {
    const house = done();
    const stage = open(house.state, house.time);
    press(stage, 'enter', 'r', 'v');
    answer(stage, house);
    assert.equal(stage.model.subject, 'r1.t1');
    press(stage, 'down', 'c');
    type(stage, 'Simpler');
    press(stage, 'enter', 'S');
    assert.deepEqual(
      stage.wishes.map((one) => (one as {type: string; task: string}).type),
      ['grant-attempt'],
    );
  });

  test('accepting is asked once more, and binds the commit that was shown', () => {
    const house = done();
    const stage = open(house.state, house.time);
    press(stage, 'enter', 'r', 'A');
    assert.deepEqual(stage.wishes, []);
    press(stage, 'y');
    assert.deepEqual(stage.wishes, [
      {type: 'accept-run', run: 'r1', commit: runOf(house.state, 'r1')!.head!, way: 'merge'},
    ]);
  });

  test('a run that is not ready says what is missing', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', 'g', 'r', 'A');
    assert.equal(
      stage.model.notice?.words,
      'r1 cannot be accepted yet: t2, t3, t4 are not merged yet.',
    );
  });
});

describe('besides:', () => {
  test('the palette finds what can be done and where one can go', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', ':');
    type(stage, 'timel');
    press(stage, 'enter');
    assert.deepEqual([stage.model.screen, stage.model.field], ['timeline', undefined]);
    press(stage, ':');
    type(stage, 'go to r1.t1');
    press(stage, 'enter');
    assert.deepEqual([stage.model.screen, stage.model.selected], ['workers', 'r1.t1']);
  });

  test('a moment of the timeline leads into the recording of the session that worked then', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', 't');
    answer(stage, house);
    press(stage, 'G', 'enter');
    const entry = stage.model.answers.timeline!.entries.at(-1)!;
    assert.deepEqual(stage.effects.at(-1), {type: 'replay', session: 's14', at: entry.at});
  });

  test('losing the daemon changes nothing of what was being written', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now);
    type(stage, 'half a sent');
    happen(stage, {type: 'disconnected', words: 'gone'});
    happen(stage, {type: 'connected'});
    assert.equal(stage.model.field?.text, 'half a sent');
  });

  test('settings change in turn and are remembered', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', ',', 'enter', 'enter', 'down', 'down', 'space');
    assert.deepEqual(memoryOf(stage.model).settings, {
      theme: 'light',
      leave: 'ctrl-]',
      notify: 'message',
      followsNeedy: false,
      mouse: true,
      keys: {},
    });
  });

  test('a refused wish is said in its own words', () => {
    const stage = atPlan();
    happen(stage, {
      type: 'wish-refused',
      wish: {type: 'resume', what: 'r1'},
      words: 'r1 was not stopped',
    });
    assert.deepEqual(stage.model.notice?.words, 'r1 was not stopped');
  });

  test('a planner that is planless is asked again with words', () => {
    const house = thinking();
    for (const session of ['s1', 's2'] as const) {
      startSession(house, session);
      report(house, {type: 'session-exited', session, code: 0, signal: null});
      conclude(house, 'read-plan', {
        type: 'plan-invalid',
        run: 'r1',
        round: 1,
        problems: ['tasks: expected at least one'],
      });
    }

    const stage = open(house.state, house.time);
    press(stage, 'n', 'P');
    type(stage, 'smaller');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [{type: 'plan-again', run: 'r1', reason: 'smaller'}]);
  });

  test('what is pasted goes into the open line, as one line', () => {
    const {state, now} = nothingYet();
    const stage = open(state, now);
    happen(stage, {type: 'pasted', text: 'two\nlines\u001B[31m'});
    assert.equal(stage.model.field?.text, 'two lines\u001B[31m');
  });

  test('every key that is shown does something', () => {
    const {house, now} = tokenStory();
    for (const start of [
      [],
      ['n'],
      ['n', 'n'],
      ['p'],
      ['r'],
      ['s'],
      ['t'],
      ['u'],
      ['f'],
      ['?'],
      [','],
      ['o'],
      [':'],
    ]) {
      const stage = open(house.state, now);
      press(stage, 'enter', ...start);
      answer(stage, house);
      for (const {keys} of bindingsOf(stage.model, stage.state)) {
        const before = {model: stage.model, effects: [...stage.effects], wishes: [...stage.wishes]};
        const fresh: Stage = {...stage, effects: [...stage.effects], wishes: [...stage.wishes]};
        press(fresh, keys[0]!);
        assert.ok(
          fresh.model !== before.model ||
            fresh.effects.length > before.effects.length ||
            fresh.wishes.length > before.wishes.length,
          `${start.join(' ')} ${keys[0]!}`,
        );
      }
    }
  });
});

function atPlan(house = planned()): Stage {
  const stage = open(house.state, house.time + 60_000);
  press(stage, 'enter', 'p');
  stage.effects.length = 0;
  return stage;
}
