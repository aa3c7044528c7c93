import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {App} from '../../../source/app/App.tsx';
import {emptyState, type Event, evolve, type State} from '../../../source/domain/index.ts';
import {selectBindings} from '../../../source/app/keymap/resolve.ts';
import {screenNames} from '../../../source/app/model/model.ts';
import {unitsPerCell, widthIn} from '../../../source/app/render/frame.ts';
import {type Cells, rowText} from '../../../source/terminal/index.ts';
import {report} from '../../domain/support/harness.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {reviewing, working} from '../../domain/support/stages.ts';
import {createRandom} from '../../support/random.ts';
import {assertShown} from '../../support/shown.ts';
import {type LiveTree, openTree} from '../support/live-app.tsx';
import {drawCells} from './draw.tsx';
import {answer, type Fixture, happen, open, press} from './fixtures.ts';

/** Every row is exactly as wide as the screen, and nothing in it acts on a terminal. */
function assertSound({model}: Fixture, cells: Cells): void {
  const {columns, rows} = model.size;
  assert.deepEqual([cells.columns, cells.rows], [columns, rows], model.screen);
  for (let row = 0; row < rows; row++) {
    const text = rowText(cells, row);
    let width = 0;
    for (let index = row * columns; index < (row + 1) * columns; index++)
      width += widthIn(cells.words[index * unitsPerCell] ?? 0);
    assert.equal(width, columns, `${model.screen}, row ${row}: ${text}`);
    assertShown(text);
    assert.doesNotMatch(text, /undefined(?!;)|NaN|\[object/, model.screen);
  }
}

function assertDrawnSound(fixture: Fixture): void {
  const {model, state, now} = fixture;
  assertSound(fixture, drawCells(model, state, now).cells);
}

const sizes = [
  {columns: 80, rows: 24},
  {columns: 40, rows: 12},
  {columns: 60, rows: 15},
  {columns: 160, rows: 45},
  {columns: 121, rows: 33},
] as const;

describe('at any moment of random lives:', () => {
  test('every screen fills the terminal, whatever keys are pressed, and what changed is drawn as if it were new', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const {events} = runRandomHistory(seed).harness;
      const random = createRandom(`keys-${seed}`);
      let state: State = emptyState;
      let fixture: Fixture | undefined;
      let tree: LiveTree | undefined;
      for (const [index, event] of events.entries()) {
        state = evolve(state, event);
        if (index < 3 || index % 60 !== 0) continue;
        fixture ??= open(state, state.at, random.pick(sizes));
        tree ??= openTree(<App />, fixture);
        fixture.state = state;
        fixture.now = Math.max(fixture.now, state.at);
        happen(fixture, {type: 'event-heard', event});
        for (let times = 0; times < 3; times++) {
          pressAny(fixture, random);
          answer(fixture, {events: events.slice(0, index + 1)});
          const {cells, viewports} = await tree.show(fixture);
          assertSound(fixture, cells);
          // A viewport remembers where it was; everything else depends on the view alone.
          if (times === 0 && Object.keys(viewports).length === 0)
            assert.deepEqual(
              tree.rows(),
              drawCells(fixture.model, fixture.state, fixture.now).rows,
              `seed ${seed}, event ${index}`,
            );
        }
      }

      tree?.close();
    }
  });

  test('the focus is on something that is there, and typing goes to a live session in view', () => {
    for (let seed = 20; seed <= 26; seed++) {
      const {events} = runRandomHistory(seed).harness;
      let state: State = emptyState;
      let fixture: Fixture | undefined;
      events.forEach((event: Event, index) => {
        state = evolve(state, event);
        if (index < 10) return;
        fixture ??= open(state, state.at);
        fixture.state = state;
        happen(fixture, {type: 'event-heard', event});
        if (fixture.model.screen === 'brief') press(fixture, 'enter');
        if (fixture.model.screen === 'start') press(fixture, 'escape', 'escape');
        if (fixture.model.mode === 'command') press(fixture, 'tab', 'i');
        if (fixture.model.mode === 'typing')
          assert.ok(state.live.includes(fixture.model.typingSession!));
      });
    }
  });
});

function pressAny(fixture: Fixture, random: ReturnType<typeof createRandom>): void {
  const keys = selectBindings(fixture.model, fixture.state)
    .flatMap((binding) => binding.keys)
    .filter((key) => key !== 'q');
  press(fixture, random.pick([...keys, 'x', 'down', 'escape', 'ctrl-]']));
  if (fixture.model.mode === 'typing' && random.chance(0.5)) happen(fixture, {type: 'typing-left'});
}

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
        assertDrawnSound(fixture);
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
      assertDrawnSound(fixture);
      fixture.model = {
        ...fixture.model,
        reviewFocus: 'files',
        connection: {at: 'lost', text: evil},
      };
      assertDrawnSound(fixture);
    }
  });
});
