import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {App} from '../../../source/app/App.tsx';
import {selectNeeds, type UserCommand} from '../../../source/domain/index.ts';
import {noticeMs} from '../../../source/app/model/action.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {ledgerEntry, withLedgerEntry} from '../../../source/shared/index.ts';
import {conclude, report, userCommand} from '../../domain/support/harness.ts';
import {runToExit, thinking} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {openTree} from '../support/live-app.tsx';
import {drawCells} from './draw.tsx';
import {
  answer,
  busy,
  done,
  type Fixture,
  happen,
  nothingYet,
  open,
  planned,
  press,
  type,
} from './fixtures.ts';

function rowsOf({model, state, now}: Fixture, pane: readonly string[] = []): readonly string[] {
  return drawCells(model, state, now, {pane}).rows;
}

const textOf = (fixture: Fixture): string => rowsOf(fixture).join('\n');

/** The text of the toast: what stands in the last frame of rounded lines. */
function toastOf(fixture: Fixture, pane: readonly string[] = []): string | undefined {
  const rows = rowsOf(fixture, pane);
  const top = rows.findIndex((row) => /╭─+╮ ?$/.test(row));
  const left = rows[top]?.lastIndexOf('╭') ?? -1;
  const bottom = rows.findIndex((row, at) => at > top && row[left] === '╰');
  if (left === -1 || bottom === -1) return undefined;
  return rows
    .slice(top + 1, bottom)
    .map((row) => row.slice(left + 1, row.lastIndexOf('│', 79)).trim())
    .join(' ');
}

function refuse(fixture: Fixture, text: string): void {
  happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text});
}

describe('the fixed rows:', () => {
  test('the repository, its branch, tabs and progress; then what needs you; keys at the end', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now, {columns: 120, rows: 35});
    press(fixture, 'enter');
    const rows = rowsOf(fixture);
    assert.match(rows[0] ?? '', /^ token-service main +w Work +p Plan .*━.* 1\/4/);
    assert.match(rows[1] ?? '', /^▌▲ 2 need you {3}Say when a token is refreshed .* n decide$/);
    assert.match(rows.at(-1) ?? '', /^ Enter type .*: commands {2}\? help$/);
  });

  test('are the same three on every screen', () => {
    const {harness, now, left} = tokenStory();
    const fixture = open(harness.state, now, {columns: 120, rows: 35});
    answer(fixture, harness, left);
    press(fixture, 'w');
    const [first, second] = rowsOf(fixture);
    for (const key of ['p', 'r', 't', 'u', 's', 'f', ',']) {
      press(fixture, key);
      answer(fixture, harness, left);
      fixture.now = now;
      const rows = rowsOf(fixture);
      assert.deepEqual([rows[0], rows[1]], [first, second], key);
      assert.match(rows.at(-1) ?? '', /\S/, key);
      press(fixture, 'w');
    }
  });

  test('a small terminal has the name of the screen for tabs, and what needs you as a number in its only row', () => {
    const {harness, now} = tokenStory();
    const small = open(harness.state, now, {columns: 70, rows: 20});
    press(small, 'enter');
    assert.match(rowsOf(small)[0] ?? '', /^ token-service main +Work +▲2$/);
    const phone = open(harness.state, now, {columns: 40, rows: 12});
    press(phone, 'enter');
    assert.match(rowsOf(phone)[0] ?? '', /^ token-service +Work +▲2$/);
    assert.doesNotMatch(rowsOf(phone)[1] ?? '', /need you/);
    assert.match(rowsOf(phone).at(-1) ?? '', /\? help$/);
  });

  test('say while there is no daemon that agents go on, and since when', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter');
    happen(fixture, {type: 'disconnected', text: 'gone'});
    assert.match(rowsOf(fixture)[1] ?? '', /^▌! reconnecting ….*agents go on working.*last seen/);
  });
});

describe('what is said:', () => {
  const long =
    'No agent is installed, and the project declares none; the first of those that are known would do. `orchestra doctor` says which there are.';

  test('stands above the keys, in as many lines as it needs, for six seconds', () => {
    const fixture = open(busy().state, busy().time);
    refuse(fixture, long);
    assert.equal(toastOf(fixture), long);
    const keys = rowsOf(fixture).at(-1);
    refuse(fixture, 'Short.');
    assert.equal(toastOf(fixture), 'Short.');
    assert.equal(rowsOf(fixture).at(-1), keys);
    fixture.now += noticeMs - 1;
    assert.equal(toastOf(fixture), 'Short.');
    fixture.now += 1;
    assert.equal(toastOf(fixture), undefined);
    assert.equal(rowsOf(fixture).at(-1), keys);
  });

  test('hides what is below it, also without colours', () => {
    const fixture = open(busy().state, busy().time);
    press(fixture, 'enter');
    refuse(fixture, long);
    const pane = Array.from({length: 30}, () => '#日#'.repeat(30));
    assert.equal(toastOf(fixture, pane), long);
  });

  test('stands above a line that is being written', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 'n', 'n', 'enter');
    refuse(fixture, 'It cannot be.');
    assert.equal(toastOf(fixture), 'It cannot be.');
    assert.match(rowsOf(fixture).at(-1) ?? '', /^ Enter send {2}Esc cancel/);
  });
});

test('an answer whose question was settled meanwhile is not typed into the next one, and is not lost', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  press(fixture, 'enter', 'n', 'n', 'enter');
  type(fixture, 'yes');
  const [need] = selectNeeds(fixture.state).filter(({kind}) => kind === 'question');
  assert.ok(need?.kind === 'question');
  report(harness, {
    type: 'session-waiting',
    session: need.session,
    proof: 'proven',
    secret: false,
    question: 'Delete everything? [y/N]',
  });
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  press(fixture, 'enter');
  assert.deepEqual([fixture.commands, fixture.model.field?.text], [[], 'yes']);
  assert.match(fixture.model.notice?.text ?? '', /settled already; your answer was not sent/);
});

test('an acceptance that was refused is not called settled: the screen stays, and says that it needs the person again', () => {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'n', 'A');
  fixture.now += 1000;
  press(fixture, 'A');
  const [accepting] = fixture.commands as [UserCommand];
  userCommand(harness, accepting);
  conclude(harness, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'your branch has changes in src/t1.ts',
  });
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.match(
    textOf(fixture),
    /1 needs you .*not accepted[^]*Not accepted: your branch has changes in src\/t1\.ts/,
  );
  assert.doesNotMatch(textOf(fixture), /settled/i);
});

describe('the plan screen', () => {
  test('is about the first run that comes, if it was opened before there was one', () => {
    const fixture = open(nothingYet().state, nothingYet().now);
    press(fixture, 'escape', 'p');
    assert.match(textOf(fixture), /No plan yet\./);
    const harness = planned();
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.match(textOf(fixture), /problem[^]*When two requests fail/);
  });

  test('shows a plan that waits rather than a run that has none', () => {
    const harness = thinking();
    runToExit(harness, 's1');
    conclude(harness, 'read-plan', {
      type: 'planner-failed',
      run: 'r1',
      round: 1,
      words: 'model error',
    });
    const fixture = open(harness.state, harness.time);
    fixture.model = {...fixture.model, selected: 'r1'};
    press(fixture, 'p');
    assert.match(textOf(fixture), /Planning failed\./);
    const waiting = ledgerEntry(planned().state.runs, 1)!;
    fixture.state = {
      ...fixture.state,
      runs: withLedgerEntry(fixture.state.runs, 2, {...waiting, id: 'r2'}),
    };
    press(fixture, 'w', 'p');
    assert.match(textOf(fixture), /problem[^]*When two requests fail/);
  });

  test('has every rule, also those that have no room beside it', () => {
    const harness = planned();
    const rules = Array.from({length: 80}, (_, index) => ({
      number: `1.${index + 1}`,
      line: index + 1,
      text: `Rule ${index + 1}`,
    }));
    const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
    const run = ledgerEntry(fixture.state.runs, 1)!;
    assert.ok(run.stage.at === 'reviewing');
    fixture.state = {
      ...fixture.state,
      runs: withLedgerEntry(fixture.state.runs, 1, {
        ...run,
        stage: {
          ...run.stage,
          ground: {...run.stage.ground, rules: {...run.stage.ground.rules, rules}},
        },
      }),
    };
    press(fixture, 'p', 'G');
    assert.match(textOf(fixture), /1\.80 Rule 80/);
  });
});

test('a review that was opened before there was anything to compare shows it when there is', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'r');
  assert.match(textOf(fixture), /nothing to review yet/);
  const working = done();
  fixture.state = working.state;
  happen(fixture, {type: 'event-heard', event: working.events.at(-1)!});
  answer(fixture, working);
  assert.match(textOf(fixture), /src\/token\.ts/);
});

test('the review names only keys that have something to do', () => {
  const nothing = open(nothingYet().state, nothingYet().now);
  press(nothing, 'escape', 'r');
  assert.doesNotMatch(rowsOf(nothing).at(-1) ?? '', /files|comment|accept|discard|next task/);
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'n', 'v');
  answer(fixture, harness);
  assert.match(rowsOf(fixture).at(-1) ?? '', /files.*comment/);
  assert.match(textOf(fixture), /A accept into main/);
});

test('what has no terminal leaves the list in view, zoomed or not', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  press(fixture, 'enter', 'z');
  assert.doesNotMatch(textOf(fixture), /4 ○ Release/);
  press(fixture, 'g');
  assert.match(textOf(fixture), /4 ○ Release/);
});

test('copying without a mark says how to make one, and stays', () => {
  const fixture = open(busy().state, busy().time);
  press(fixture, 'enter');
  const session =
    selectPaneGrid(fixture.model, fixture.state).panes.find(({isFocused}) => isFocused)?.session ??
    's0';
  press(fixture, '[');
  happen(fixture, {
    type: 'pane-changed',
    session,
    view: {
      title: '',
      scroll: 0,
      bells: 0,
      wantsMouse: false,
      connection: 'live',
      copying: {lines: 0, isSelecting: false},
    },
  });
  press(fixture, 'y');
  assert.deepEqual(
    [fixture.model.mode, fixture.model.notice?.text],
    ['scroll', 'Nothing is marked. v marks from here, V whole lines.'],
  );
});

test('while there is no daemon the screen says so in full, not that nothing runs', () => {
  const fixture = open(nothingYet().state, nothingYet().now);
  press(fixture, 'escape', 'w');
  const text =
    'no daemon can be started here: EROFS: read-only file system, mkdir /var/lib/orchestra. Inside of a sandbox orchestra does not answer; ask from a terminal of your own.';
  happen(fixture, {type: 'disconnected', text});
  const output = rowsOf(fixture).join(' ').replaceAll(/\s+/g, ' ');
  assert.ok(output.includes(text) && !output.includes('Nothing runs here'), output);
});

test('a narrow pane says what it is called before how it is', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  fixture.model = {...fixture.model, size: {columns: 60, rows: 24}};
  press(fixture, 'enter', '+', '+');
  answer(fixture, harness);
  press(fixture, 'i');
  const title = rowsOf(fixture).find((row) => row.includes('TYPING '));
  assert.match(title ?? '', /3 Count.* TYPING/);
});

describe('nothing is drawn in vain:', () => {
  test('a second that passes changes no row and commits nothing', async () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, Math.floor(now / 10_000) * 10_000);
    press(fixture, 'enter');
    fixture.now = Math.ceil(fixture.now / 10_000) * 10_000;
    const tree = openTree(<App />, fixture);
    await tree.show(fixture);
    const commits = tree.commits();
    fixture.now += 1000;
    const {rows} = await tree.show(fixture);
    assert.deepEqual([[...rows], tree.commits()], [[], commits]);
    tree.close();
  });

  test('another row in focus changes neither the header nor what needs the person', async () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter');
    const tree = openTree(<App />, fixture);
    press(fixture, 'k');
    fixture.now = now;
    const {rows} = await tree.show(fixture);
    assert.ok(rows.size > 2 && !rows.has(0) && !rows.has(1), [...rows].join(' '));
    tree.close();
  });
});

test('a screen reader hears words, one below the other, and no mark, frame or bar, on every screen', () => {
  for (const keys of [
    ['w'],
    ['w', 'n'],
    ['w', 'n', 'D'],
    ['w', ':'],
    ['s'],
    ['t'],
    ['u'],
    ['f'],
    ['b'],
    ['r'],
    [','],
    ['?'],
  ]) {
    const {harness, now, left} = tokenStory();
    const fixture = open(harness.state, now);
    fixture.model = {...fixture.model, isScreenReader: true};
    answer(fixture, harness, left);
    for (const key of keys) {
      press(fixture, key);
      answer(fixture, harness, left);
    }

    const text = rowsOf({...fixture, model: {...fixture.model, notice: undefined}})
      .slice(0, -1)
      .join('\n');
    assert.doesNotMatch(text, /[▸●○│─━┃┌┐└┘╭╮╰╯▁-█▲]/u, keys.join(' '));
    assert.doesNotMatch(text, /^ *[✓!·] /mu, keys.join(' '));
    if (keys.join(' ') === 'w') assert.match(text, /^3 of 4, chosen: Count refreshes/m);
    if (keys[0] === ',') assert.match(text, /^chosen: +Theme/m);
  }
});
