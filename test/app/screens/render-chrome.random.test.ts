import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {emptyState, type Event, evolve, type State} from '../../../source/domain/index.ts';
import {textOfLine, widthOfLine} from '../../../source/app/model/line.ts';
import {screenNames} from '../../../source/app/model/model.ts';
import {selectBindings} from '../../../source/app/keymap/resolve.ts';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {renderScreen} from '../../../source/app/screens/render-screen.tsx';
import {getTheme} from '../../../source/app/screens/theme.ts';
import {assertShown} from '../../support/shown.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {reviewing, working} from '../../domain/support/stages.ts';
import {report} from '../../domain/support/harness.ts';
import {createRandom} from '../../support/random.ts';
import {answer, type Fixture, happen, open, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

/** Every piece fills its place exactly, and nothing in it acts on a terminal. */
function assertSound({model, state, now}: Fixture): void {
  for (const {name, rect, lines} of renderChrome({model, state, size: model.size, now})) {
    assert.equal(
      lines.length,
      rect.rows,
      `${model.screen}/${name} has ${lines.length} rows of ${rect.rows}`,
    );
    for (const line of lines) {
      assert.equal(widthOfLine(line), rect.columns, `${model.screen}/${name}: ${textOfLine(line)}`);
      assertShown(textOfLine(line));
      assert.doesNotMatch(textOfLine(line), /undefined(?!;)|NaN|\[object/);
    }
  }
}

describe('at any moment of random lives:', () => {
  test('every screen fills its place, whatever keys are pressed', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const {events} = runRandomHistory(seed).harness;
      const random = createRandom(`keys-${seed}`);
      let state: State = emptyState;
      let stage: Fixture | undefined;
      events.forEach((event: Event, index) => {
        state = evolve(state, event);
        if (index < 3 || index % 9 !== 0) return;
        stage ??= open(
          state,
          state.at,
          random.pick([
            {columns: 80, rows: 24},
            {columns: 60, rows: 15},
            {columns: 160, rows: 45},
            {columns: 121, rows: 33},
          ]),
        );
        stage.state = state;
        stage.now = Math.max(stage.now, state.at);
        happen(stage, {type: 'event-heard', event});
        for (let times = 0; times < 4; times++) {
          const keys = selectBindings(stage.model, stage.state)
            .flatMap((binding) => binding.keys)
            .filter((key) => key !== 'q');
          press(stage, random.pick([...keys, 'x', 'down', 'escape', 'ctrl-]']));
          if (stage.model.mode === 'typing' && random.chance(0.5))
            happen(stage, {type: 'typing-left'});
          answer(stage, {events: events.slice(0, index + 1)});
          assertSound(stage);
        }
      });
    }
  });

  test('the focus is on something that is there, and typing goes to a live session in view', () => {
    for (let seed = 20; seed <= 26; seed++) {
      const {events} = runRandomHistory(seed).harness;
      let state: State = emptyState;
      let stage: Fixture | undefined;
      events.forEach((event: Event, index) => {
        state = evolve(state, event);
        if (index < 10) return;
        stage ??= open(state, state.at);
        stage.state = state;
        happen(stage, {type: 'event-heard', event});
        if (stage.model.screen === 'brief') press(stage, 'enter');
        if (stage.model.screen === 'start') press(stage, 'escape', 'escape');
        if (stage.model.mode === 'command') press(stage, 'tab', 'i');
        if (stage.model.mode === 'typing')
          assert.ok(state.live.includes(stage.model.typingSession!));
      });
    }
  });
});

describe('hostile words:', () => {
  const evil =
    'a\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u202Eb\u200B\u009B31m\r\nnew line\t\u{E0041}end 👩‍👩‍👧 数数数';

  test('in a plan reach no screen as anything but visible text', () => {
    const harness = reviewing([
      plannedTask('t1', {
        title: evil,
        brief: evil.repeat(20),
        files: [`src/${evil}`],
        services: [evil],
      }),
      plannedTask('t2', {title: 'x'.repeat(3000)}),
    ]);
    for (const screen of screenNames) {
      for (const size of [
        {columns: 80, rows: 24},
        {columns: 160, rows: 45},
      ]) {
        const fixture = open(harness.state, harness.time, size);
        press(fixture, 'enter', 'n');
        fixture.model = {...fixture.model, screen, run: 'r1'};
        assertSound(fixture);
      }
    }
  });

  test('in questions, titles of programs, diffs, facts and summaries neither', () => {
    const harness = working([plannedTask('t1', {title: evil})]);
    report(
      harness,
      {type: 'worktree-made', owner: 'r1.t1', path: '/w', branch: 'b', commit: 'base', tree: 't'},
      'r1.t1/make',
    );
    report(harness, {type: 'session-created', session: 's2'});
    report(harness, {type: 'session-running', session: 's2'});
    report(harness, {
      type: 'session-waiting',
      session: 's2',
      proof: 'inferred',
      secret: false,
      question: `${evil} [${evil.slice(0, 9)}/b]`,
    });
    const fixture = open(harness.state, harness.time);
    happen(fixture, {
      type: 'pane-changed',
      session: 's2',
      view: {
        title: evil,
        scroll: 3,
        bells: 0,
        wantsMouse: false,
        connection: 'failed',
        text: evil,
        search: {text: evil, matches: 0, current: 0},
      },
    });
    happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text: evil});
    for (const name of [
      'diff/r1',
      'recall/x',
      'timeline',
      'audit',
      'facts',
      'brief',
      'explanation/r1',
    ]) {
      happen(fixture, {type: 'answered', name, value: undefined});
      happen(fixture, {
        type: 'answered',
        name,
        value: {
          entries: [],
          earlier: 0,
          contexts: [
            {
              session: evil,
              for: evil,
              about: evil,
              agent: evil,
              tokens: 3,
              budget: 4,
              parts: [{name: evil, tokens: 3, isCut: true, full: 9}],
              used: {input: 1, output: 2},
            },
          ],
          spent: 3,
          validated: 1,
        },
      });
      happen(fixture, {type: 'refused', name, text: evil});
    }

    happen(fixture, {
      type: 'answered',
      name: 'diff/r1',
      value: {
        from: 'a',
        to: 'b',
        files: [],
        text: `diff --git a/${evil.replaceAll('\n', '')} b/x\n@@ -1,2 +1,2 @@\n-${evil.replaceAll('\n', '')}\n+${'数'.repeat(500)}\n \u001B[31mred\n`,
      },
    });
    happen(fixture, {
      type: 'answered',
      name: 'recall/x',
      value: [
        {
          path: evil,
          title: evil,
          outcome: 'merged',
          files: [evil],
          score: 1,
          excerpt: evil,
          text: `# ${evil}\n${evil}`,
        },
      ],
    });
    happen(fixture, {
      type: 'answered',
      name: 'facts',
      value: [
        {
          name: 'ports',
          at: 1,
          source: evil,
          value: [{session: evil, pid: 1, port: 2}, {session: 's2', pid: 1, port: 2}, null, 7],
        },
      ],
    });
    happen(fixture, {type: 'disconnected', text: evil});
    happen(fixture, {type: 'connected'});
    for (const screen of screenNames) {
      fixture.model = {...fixture.model, screen, run: 'r1', subject: 'r1', reviewFocus: 'diff'};
      assertSound(fixture);
      fixture.model = {
        ...fixture.model,
        reviewFocus: 'files',
        connection: {at: 'lost', text: evil},
      };
      assertSound(fixture);
    }
  });
});

describe('nothing is drawn in vain:', () => {
  const looks = {theme: getTheme('dark')};
  const drawn = (fixture: Fixture): ReadonlyMap<string, unknown> =>
    new Map(
      renderScreen(
        {model: fixture.model, state: fixture.state, size: fixture.model.size, now: fixture.now},
        looks,
      ).map(({name, of}) => [name, of[1]]),
    );
  const changed = (
    before: ReadonlyMap<string, unknown>,
    after: ReadonlyMap<string, unknown>,
  ): string[] => [...after].filter(([name, of]) => before.get(name) !== of).map(([name]) => name);

  test('a second that passes changes no part', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter');
    const before = drawn(fixture);
    fixture.now += 1000;
    happen(fixture, {type: 'time-passed'});
    assert.deepEqual(changed(before, drawn(fixture)), []);
  });

  test('another row in focus changes the list, the panes and the keys that work there, not the header', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter');
    const before = drawn(fixture);
    press(fixture, 'k');
    assert.deepEqual(changed(before, drawn(fixture)), ['list', 'main', 'status']);
  });

  test('the parts of hidden screens are not asked for', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 's');
    assert.deepEqual([...drawn(fixture).keys()], ['header', 'main', 'status']);
  });
});
