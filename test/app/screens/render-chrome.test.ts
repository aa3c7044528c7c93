import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {ledgerEntry, withLedgerEntry} from '../../../source/shared/index.ts';
import {selectNeeds, type UserCommand} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/app/model/line.ts';
import {computeLayout} from '../../../source/app/model/compute-layout.ts';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {conclude, report, userCommand} from '../../domain/support/harness.ts';
import {runToExit, thinking} from '../../domain/support/stages.ts';
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
import {tokenStory} from '../../reports/runs/token-story.ts';

function piece(fixture: Fixture, name: string): string[] {
  const {model, state, now} = fixture;
  return (
    renderChrome({model, state, size: model.size, now})
      .find((one) => one.name === name)
      ?.lines.map((row) => textOfLine(row).trimEnd()) ?? []
  );
}

describe('what is said:', () => {
  const long =
    'No agent is installed, and the project declares none; the first of those that are known would do. `orchestra doctor` says which there are.';

  test('has more than one line where it needs them, and the last line is below it', () => {
    const fixture = open(busy().state, busy().time);
    happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text: long});
    assert.equal(
      piece(fixture, 'notice')
        .map((row) => row.trim())
        .join(' '),
      long,
    );
    happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text: 'Short.'});
    assert.deepEqual([piece(fixture, 'notice'), piece(fixture, 'status')], [[], [' Short.']]);
  });

  test('stands above a line that is being written', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 'n', 'n', 'enter');
    happen(fixture, {
      type: 'wish-refused',
      wish: {type: 'resume', what: 'r1'},
      text: 'It cannot be.',
    });
    assert.deepEqual(piece(fixture, 'notice'), [' It cannot be.']);
    assert.match(piece(fixture, 'status')[0] ?? '', /^ Answer:/);
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
  press(fixture, 'n', 'A', 'y');
  const [accepting] = fixture.commands as [UserCommand];
  userCommand(harness, accepting);
  conclude(harness, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'your branch has changes in src/t1.ts',
  });
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  const text = piece(fixture, 'main').join('\n');
  assert.match(
    text,
    /This is over, but it needs you again:\n {4}r1 could not be brought into your branch/,
  );
  assert.doesNotMatch(text, /✓ This is settled/);
});

describe('the plan screen', () => {
  test('is about the first run that comes, if it was opened before there was one', () => {
    const fixture = open(nothingYet().state, nothingYet().now);
    press(fixture, 'escape', 'p');
    assert.match(
      piece(fixture, 'main').join('\n'),
      /There is no run yet\. o says what should be different\./,
    );
    const harness = planned();
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.match(piece(fixture, 'main').join('\n'), /Plan of r1/);
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
    assert.equal(
      piece(fixture, 'main').join('').trim(),
      'No plan came of r1. n tells why, and what can be done.',
    );
    const waiting = ledgerEntry(planned().state.runs, 1)!;
    fixture.state = {
      ...fixture.state,
      runs: withLedgerEntry(fixture.state.runs, 2, {...waiting, id: 'r2'}),
    };
    press(fixture, 'w', 'p');
    assert.match(piece(fixture, 'main').join('\n'), /Plan of r2/);
  });

  test('says how much is below, until the end is in sight', () => {
    const harness = planned();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'p');
    assert.match(piece(fixture, 'main').at(-1) ?? '', /36 more$/);
    press(fixture, 'G');
    assert.doesNotMatch(piece(fixture, 'main').at(-1) ?? '', /more$/);
  });

  test('puts rules that have no room beside it below it, on a wide screen too', () => {
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
    assert.match(piece(fixture, 'main').join('\n'), /1\.80 Rule 80/);
  });
});

test('a review that was opened before there was anything to compare shows it when there is', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'r');
  assert.match(piece(fixture, 'main').join(''), /There is nothing to review yet/);
  const working = done();
  fixture.state = working.state;
  happen(fixture, {type: 'event-heard', event: working.events.at(-1)!});
  answer(fixture, working);
  assert.match(piece(fixture, 'main').join(''), /src\/token\.ts/);
});

test('the review names only keys that have something to do', () => {
  const nothing = open(nothingYet().state, nothingYet().now);
  press(nothing, 'escape', 'r');
  assert.doesNotMatch(piece(nothing, 'status').join(''), /files|comment|accept|discard|next task/);
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'n', 'v');
  answer(fixture, harness);
  assert.match(piece(fixture, 'status').join(''), /files.*next file.*comment.*accept.*discard/);
});

test('what has no terminal leaves the list in view, zoomed or not', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  press(fixture, 'enter', 'z');
  assert.equal(computeLayout(fixture.model.size, fixture.model, fixture.state).list, undefined);
  press(fixture, 'g');
  assert.notEqual(computeLayout(fixture.model.size, fixture.model, fixture.state).list, undefined);
});

test('a service is called by its name before its port', () => {
  const {harness, now} = tokenStory();
  const state = {
    ...harness.state,
    services: harness.state.services.map((service) => ({...service, stage: {at: 'down' as const}})),
  };
  const fixture = open(state, now);
  press(fixture, 'enter', 'G');
  assert.equal(piece(fixture, 'main')[1], '  web, port 3000');
});

test('copying without a mark says how to make one, and stays', () => {
  const fixture = open(busy().state, busy().time);
  press(fixture, 'enter');
  const session =
    computeLayout(fixture.model.size, fixture.model, fixture.state).panes.find(
      ({isFocused}) => isFocused,
    )?.session ?? 's0';
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
  const output = piece(fixture, 'main')
    .map((row) => row.trim())
    .join(' ');
  assert.ok(output.includes(text) && !output.includes('Nothing runs here'), output);
});

test('a narrow pane says what it is called before what it uses', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  fixture.model = {...fixture.model, size: {columns: 60, rows: 24}};
  press(fixture, 'enter', '+', '+');
  answer(fixture, harness);
  press(fixture, 'i');
  assert.match(
    piece(fixture, 'main').find((row) => row.includes('▸')) ?? '',
    /▸2 t3 Count.* TYPING/,
  );
  assert.doesNotMatch(piece(fixture, 'main').join(''), /%/);
});

test('a screen reader hears words, and no mark, frame or bar, on every screen', () => {
  for (const keys of [
    ['enter'],
    ['enter', 'n'],
    ['enter', 'n', 'D'],
    ['enter', ':'],
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

    const received = renderChrome({
      model: fixture.model,
      state: fixture.state,
      size: fixture.model.size,
      now: fixture.now,
    })
      .filter(({name}) => name !== 'status')
      .flatMap(({lines}) => lines.map(textOfLine));
    assert.doesNotMatch(received.join('\n'), /[▸●○│─┌┐└┘▁-█]/u, keys.join(' '));
    assert.doesNotMatch(received.join('\n'), /^ *[✓!·] /mu, keys.join(' '));
    if (keys[0] === 't') assert.match(received.join('\n'), /^chosen: .*recording s14/m);
    if (keys[0] === ',') assert.match(received.join('\n'), /^chosen: Colours.*chosen auto/m);
  }
});
