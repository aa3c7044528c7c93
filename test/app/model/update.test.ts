import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {emptyState} from '../../../source/domain/index.ts';
import {selectBindings} from '../../../source/app/keymap/resolve.ts';
import {createModel, toUiState} from '../../../source/app/model/create-model.ts';
import type {Model} from '../../../source/app/model/model.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {conclude, report} from '../../domain/support/harness.ts';
import {startSession, thinking} from '../../domain/support/stages.ts';
import {
  answer,
  busy,
  type Fixture,
  happen,
  nothingYet,
  open,
  planned,
  press,
  type,
} from '../screens/fixtures.ts';
import {drawCells} from '../screens/draw.tsx';
import {tokenStory} from '../../reports/runs/token-story.ts';

describe('coming in:', () => {
  test('where nothing was asked for yet, the objective is written at once', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    assert.equal(fixture.model.screen, 'start');
    type(fixture, 'Stop refreshing tokens twice');
    press(fixture, 'tab', 'enter');
    assert.deepEqual(fixture.commands, [
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
    assert.deepEqual(fixture.model.objectives, ['Stop refreshing tokens twice']);
  });

  test('an agent that the project declares can be chosen, and whom it prefers comes first', () => {
    const {state, now} = nothingYet();
    const mine = {name: 'mine', plan: ['mine'], work: ['mine'], prompt: 'stdin'} as const;
    const fixture = open(
      {...state, project: {...state.project, agents: [mine], worker: 'mine', planner: 'claude'}},
      now,
    );
    type(fixture, 'Tidy up');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [
      {
        type: 'start-run',
        request: {objective: 'Tidy up', worker: 'mine', planner: 'claude', queued: false},
        budget: {attemptWallClock: 60 * 60_000},
      },
    ]);
  });

  test('without any agent there are ways on instead of a line to write', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, undefined, undefined, {agents: []});
    assert.deepEqual([fixture.model.screen, fixture.model.field], ['start', undefined]);
    press(fixture, 'o');
    assert.deepEqual([fixture.model.screen, fixture.model.field], ['start', undefined]);
    assert.match(
      drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n'),
      /No coding agent is installed here/,
    );
  });

  test('when the last agent goes nothing is begun, and what was written stays', () => {
    const {state, now} = nothingYet();
    const mine = {name: 'mine', plan: ['mine'], work: ['mine'], prompt: 'stdin'} as const;
    const project = {...state.project, agents: [mine]};
    const fixture = open({...state, project}, now, undefined, undefined, {agents: []});
    type(fixture, 'Tidy up');
    fixture.state = state;
    press(fixture, 'enter');
    assert.deepEqual([fixture.commands, fixture.model.field?.text], [[], 'Tidy up']);
    assert.match(fixture.model.notice?.text ?? '', /^No agent is installed/);
  });

  test('earlier objectives come back with up, and what is new with down', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, undefined, {objectives: ['one', 'two']});
    const texts = ['up', 'up', 'up', 'down', 'down'].map((key) => {
      press(fixture, key);
      return fixture.model.field?.text;
    });
    assert.deepEqual(texts, ['two', 'one', 'one', 'two', '']);
  });

  test('without git it says so and offers to make a repository; then the objective is written', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, undefined, undefined, {trouble: 'no-git'});
    assert.deepEqual([fixture.model.screen, fixture.model.field], ['start', undefined]);
    press(fixture, 'I');
    assert.deepEqual(
      [fixture.model.confirmation?.question, fixture.effects],
      ['Make token-service a git repository?', []],
    );
    press(fixture, 'n');
    assert.deepEqual([fixture.model.confirmation, fixture.effects], [undefined, []]);
    press(fixture, 'I', 'I');
    assert.deepEqual(fixture.effects, [{type: 'prepare-repository', what: 'no-git'}]);
    happen(fixture, {type: 'repository-prepared'});
    assert.equal(fixture.model.repository.trouble, undefined);
    assert.equal(fixture.model.field?.for.what, 'objective');
  });

  test('without git there is no daemon to wait for, and nothing is said of one', () => {
    const repository = {
      name: 'plain',
      agents: [],
      shell: {program: '/bin/sh', directory: '/'},
      rules: {exists: false, rules: 0, enforced: 0, checks: [], problems: 0},
      trouble: 'no-git',
    } as const;
    const size = {columns: 80, rows: 24};
    const model: Model = {
      ...createModel({size, repository, uiState: undefined}),
      connection: {at: 'lost', text: '/plain is not inside a git repository'},
    };
    assert.equal(model.screen, 'start');
    assert.deepEqual(
      selectBindings(model, emptyState)
        .filter(({action}) => action === 'prepare-repository')
        .map(({keys}) => keys),
      [['I']],
    );
    const message = drawCells({...model, size}, emptyState, 0)
      .rows.slice(0, 2)
      .join('\n');
    assert.doesNotMatch(message, /connected|daemon/);
  });

  test('as long as the journal cannot be written row 1 says so, and what to do', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    const header = (): string =>
      (
        drawCells({...fixture.model, size: {columns: 200, rows: 40}}, fixture.state, now).rows[1] ??
        ''
      ).trim();
    const before = header();
    happen(fixture, {
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
      /^▌! the disk is full: nothing new starts, sessions go on\. Free some space for \/state; the journal then goes on by itself\.$/,
    );
    happen(fixture, {
      type: 'journal-changed',
      journal: {mode: 'read-only', reason: 'It is damaged.'},
    });
    assert.match(
      header(),
      /^▌! the journal is read-only: nothing new starts, sessions go on\. It is damaged\./,
    );
    happen(fixture, {type: 'journal-changed', journal: {mode: 'writing'}});
    assert.equal(header(), before);
    happen(fixture, {type: 'journal-changed', journal: {mode: 'degraded', reason: 'EIO.'}});
    // Another daemon says by itself how it is.
    happen(fixture, {type: 'connected'});
    assert.equal(fixture.model.journal, undefined);
  });

  test('where there is work the brief is first, then the same pane, zoom and scroll as before', () => {
    const {harness, now} = tokenStory();
    const before = open(harness.state, now);
    press(before, 'enter', 'tab', 'tab', 'z');
    const [pane] = selectPaneGrid(before.model, before.state).panes;
    happen(before, {
      type: 'pane-changed',
      session: pane!.session,
      view: {title: '', scroll: 120, bells: 0, wantsMouse: false, connection: 'live'},
    });
    const uiState: unknown = JSON.parse(JSON.stringify(toUiState(before.model)));

    const after = open(harness.state, now, undefined, uiState);
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
    for (const uiState of [
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
      const {harness, now} = tokenStory();
      const fixture = open(harness.state, now, undefined, uiState);
      assert.equal(fixture.model.screen, 'brief');
      assert.equal(fixture.model.settings.theme, 'auto');
    }
  });
});

describe('panes:', () => {
  test('typing goes to one session and to no other that takes its place', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', 'tab', 'tab', 'i');
    assert.deepEqual([fixture.model.mode, fixture.model.typingSession], ['typing', 's4']);
    report(harness, {type: 'session-exited', session: 's4', code: 0, signal: null});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.deepEqual([fixture.model.mode, fixture.model.typingSession], ['command', undefined]);
    assert.match(fixture.model.notice?.text ?? '', /has ended; keys are commands again/);
  });

  test('focus by number, round, and by direction', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
    press(fixture, 'enter', '1');
    const seen = ['alt-right', 'alt-down', 'alt-up', 'tab', 'shift-tab', '3', '9'].map((key) => {
      press(fixture, key);
      return fixture.model.selected;
    });
    assert.deepEqual(
      seen,
      ['r1.t2', 's4', 'r1.t1', 'r1.t2', 'r1.t1', 'r1.t3', 'r1.t3'],
      'a number is that of a task, also of one without a pane; what has none stays where it is',
    );
  });

  test('searching and copying are wishes to the pane', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', '1');
    fixture.effects.length = 0;
    press(fixture, '/');
    type(fixture, 'error');
    press(fixture, 'enter', 'n', 'v', 'up', 'y');
    assert.deepEqual(fixture.effects, [
      {type: 'copy-mode', session: 's2', isOn: true},
      {type: 'search', session: 's2', text: 'error'},
      {type: 'search-step', session: 's2', direction: 'older'},
      {type: 'copy-anchor', session: 's2', whole: 'characters'},
      {type: 'copy-move', session: 's2', by: {to: 'up'}},
      {type: 'copy-selection', session: 's2'},
      {type: 'copy-mode', session: 's2', isOn: false},
      {type: 'search', session: 's2', text: ''},
      {type: 'scroll', session: 's2', by: {to: 'bottom'}},
    ]);
    assert.equal(fixture.model.mode, 'command');
  });
});

describe('besides:', () => {
  test('the palette finds what can be done and where one can go', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', ':');
    type(fixture, 'timel');
    press(fixture, 'enter');
    assert.deepEqual([fixture.model.screen, fixture.model.field], ['timeline', undefined]);
    press(fixture, ':');
    type(fixture, 'task 1 share');
    press(fixture, 'enter');
    assert.deepEqual([fixture.model.screen, fixture.model.selected], ['workers', 'r1.t1']);
  });

  test('a moment of the timeline leads into the recording of the session that worked then', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 't');
    answer(fixture, harness);
    // Here the chart and the events do not fit together.
    press(fixture, 'tab', 'G', 'enter');
    const row = fixture.model.answers.timeline!.rows!.at(-1)!;
    assert.deepEqual(fixture.effects.at(-1), {type: 'replay', session: 's14', at: row.at});
  });

  test('losing the daemon changes nothing of what was being written', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    type(fixture, 'half a sent');
    happen(fixture, {type: 'disconnected', text: 'gone'});
    happen(fixture, {type: 'connected'});
    assert.equal(fixture.model.field?.text, 'half a sent');
  });

  test('settings change in turn and are remembered', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', ',', 'enter', 'enter', 'down', 'down', 'space');
    assert.deepEqual(toUiState(fixture.model).settings, {
      theme: 'none',
      leave: 'ctrl-]',
      notify: 'message',
      followsNeedy: false,
      mouse: true,
      signs: 'auto',
      frames: 'full',
      motion: 'calm',
      keys: {},
    });
  });

  test('the colours of the terminal are remembered until it reports others', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    const colours = {background: '#102030', palette: {}};
    happen(fixture, {type: 'terminal-colours', colours});
    assert.equal(fixture.model.terminalColours, colours);
  });

  test('a refused wish is said in its own words', () => {
    const fixture = atPlan();
    happen(fixture, {
      type: 'wish-refused',
      wish: {type: 'resume', what: 'r1'},
      text: 'r1 was not stopped',
    });
    assert.deepEqual(fixture.model.notice?.text, 'r1 was not stopped');
  });

  test('a planner that is planless is asked again with words', () => {
    const harness = thinking();
    for (const session of ['s1', 's2'] as const) {
      startSession(harness, session);
      report(harness, {type: 'session-exited', session, code: 0, signal: null});
      conclude(harness, 'read-plan', {
        type: 'plan-invalid',
        run: 'r1',
        round: 1,
        problems: ['tasks: expected at least one'],
      });
    }

    const fixture = open(harness.state, harness.time);
    press(fixture, 'n', 'R');
    type(fixture, 'smaller');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [{type: 'plan-again', run: 'r1', reason: 'smaller'}]);
  });

  test('what is pasted goes into the open line, as one line', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    happen(fixture, {type: 'pasted', text: 'two\nlines\u001B[31m'});
    assert.equal(fixture.model.field?.text, 'two lines\u001B[31m');
  });

  test('every key that is shown does something', () => {
    const {harness, now} = tokenStory();
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
      const fixture = open(harness.state, now);
      press(fixture, 'enter', ...start);
      answer(fixture, harness);
      for (const {keys} of selectBindings(fixture.model, fixture.state)) {
        // Only in the palette.
        if (keys.length === 0) continue;
        const before = {
          model: fixture.model,
          effects: [...fixture.effects],
          wishes: [...fixture.commands],
        };
        const fresh: Fixture = {
          ...fixture,
          effects: [...fixture.effects],
          commands: [...fixture.commands],
        };
        press(fresh, keys[0]!);
        assert.ok(
          fresh.model !== before.model ||
            fresh.effects.length > before.effects.length ||
            fresh.commands.length > before.wishes.length,
          `${start.join(' ')} ${keys[0]!}`,
        );
      }
    }
  });
});

function atPlan(harness = planned()): Fixture {
  const fixture = open(harness.state, harness.time + 60_000);
  press(fixture, 'enter', 'p');
  fixture.effects.length = 0;
  return fixture;
}
