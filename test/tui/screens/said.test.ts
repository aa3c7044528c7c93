import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {entryOf, withEntry} from '../../../source/base/index.ts';
import {needsOf, type Wish} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/tui/model/line.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {chromeOf} from '../../../source/tui/screens/chrome-of.ts';
import {conclude, report, wish} from '../../domain/support/house.ts';
import {runToExit, thinking} from '../../domain/support/stages.ts';
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
} from './scenes.ts';

function piece(stage: Stage, name: string): string[] {
  const {model, state, now} = stage;
  return (
    chromeOf({model, state, size: model.size, now})
      .find((one) => one.name === name)
      ?.lines.map((row) => textOfLine(row).trimEnd()) ?? []
  );
}

describe('what is said:', () => {
  const long =
    'No agent is installed, and the project declares none; the first of those that are known would do. `orchestra doctor` says which there are.';

  test('has more than one line where it needs them, and the last line is below it', () => {
    const stage = open(busy().state, busy().time);
    happen(stage, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, words: long});
    assert.equal(
      piece(stage, 'notice')
        .map((row) => row.trim())
        .join(' '),
      long,
    );
    happen(stage, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, words: 'Short.'});
    assert.deepEqual([piece(stage, 'notice'), piece(stage, 'status')], [[], [' Short.']]);
  });

  test('stands above a line that is being written', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', 'n', 'n', 'enter');
    happen(stage, {
      type: 'wish-refused',
      wish: {type: 'resume', what: 'r1'},
      words: 'It cannot be.',
    });
    assert.deepEqual(piece(stage, 'notice'), [' It cannot be.']);
    assert.match(piece(stage, 'status')[0] ?? '', /^ Answer:/);
  });
});

test('an answer whose question was settled meanwhile is not typed into the next one, and is not lost', () => {
  const {house, now} = tokenStory();
  const stage = open(house.state, now);
  press(stage, 'enter', 'n', 'n', 'enter');
  type(stage, 'yes');
  const [need] = needsOf(stage.state).filter(({kind}) => kind === 'question');
  assert.ok(need?.kind === 'question');
  report(house, {
    type: 'session-waiting',
    session: need.session,
    proof: 'proven',
    secret: false,
    question: 'Delete everything? [y/N]',
  });
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  press(stage, 'enter');
  assert.deepEqual([stage.wishes, stage.model.field?.text], [[], 'yes']);
  assert.match(stage.model.notice?.words ?? '', /settled already; your words were not sent/);
});

test('an acceptance that was refused is not called settled: the screen stays, and says that it needs the person again', () => {
  const house = done();
  const stage = open(house.state, house.time);
  press(stage, 'n', 'A', 'y');
  const [accepting] = stage.wishes as [Wish];
  wish(house, accepting);
  conclude(house, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'your branch has changes in src/t1.ts',
  });
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  const said = piece(stage, 'main').join('\n');
  assert.match(
    said,
    /This is over, but it needs you again:\n {4}r1 could not be brought into your branch/,
  );
  assert.doesNotMatch(said, /✓ This is settled/);
});

describe('the plan screen', () => {
  test('is about the first run that comes, if it was opened before there was one', () => {
    const stage = open(nothingYet().state, nothingYet().now);
    press(stage, 'escape', 'p');
    assert.match(
      piece(stage, 'main').join('\n'),
      /There is no run yet\. o says what should be different\./,
    );
    const house = planned();
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    assert.match(piece(stage, 'main').join('\n'), /Plan of r1/);
  });

  test('shows a plan that waits rather than a run that has none', () => {
    const house = thinking();
    runToExit(house, 's1');
    conclude(house, 'read-plan', {
      type: 'planner-failed',
      run: 'r1',
      round: 1,
      words: 'model error',
    });
    const stage = open(house.state, house.time);
    stage.model = {...stage.model, selected: 'r1'};
    press(stage, 'p');
    assert.equal(
      piece(stage, 'main').join('').trim(),
      'No plan came of r1. n tells why, and what can be done.',
    );
    const waiting = entryOf(planned().state.runs, 1)!;
    stage.state = {...stage.state, runs: withEntry(stage.state.runs, 2, {...waiting, id: 'r2'})};
    press(stage, 'w', 'p');
    assert.match(piece(stage, 'main').join('\n'), /Plan of r2/);
  });

  test('says how much is below, until the end is in sight', () => {
    const house = planned();
    const stage = open(house.state, house.time);
    press(stage, 'p');
    assert.match(piece(stage, 'main').at(-1) ?? '', /36 more$/);
    press(stage, 'G');
    assert.doesNotMatch(piece(stage, 'main').at(-1) ?? '', /more$/);
  });

  test('puts rules that have no room beside it below it, on a wide screen too', () => {
    const house = planned();
    const rules = Array.from({length: 80}, (_, index) => ({
      number: `1.${index + 1}`,
      line: index + 1,
      text: `Rule ${index + 1}`,
    }));
    const stage = open(house.state, house.time, {columns: 160, rows: 45});
    const run = entryOf(stage.state.runs, 1)!;
    assert.ok(run.stage.at === 'reviewing');
    stage.state = {
      ...stage.state,
      runs: withEntry(stage.state.runs, 1, {
        ...run,
        stage: {
          ...run.stage,
          ground: {...run.stage.ground, rules: {...run.stage.ground.rules, rules}},
        },
      }),
    };
    press(stage, 'p', 'G');
    assert.match(piece(stage, 'main').join('\n'), /1\.80 Rule 80/);
  });
});

test('a review that was opened before there was anything to compare shows it when there is', () => {
  const house = planned();
  const stage = open(house.state, house.time);
  press(stage, 'r');
  assert.match(piece(stage, 'main').join(''), /There is nothing to review yet/);
  const working = done();
  stage.state = working.state;
  happen(stage, {type: 'event-heard', event: working.events.at(-1)!});
  answer(stage, working);
  assert.match(piece(stage, 'main').join(''), /src\/token\.ts/);
});

test('the review names only keys that have something to do', () => {
  const nothing = open(nothingYet().state, nothingYet().now);
  press(nothing, 'escape', 'r');
  assert.doesNotMatch(piece(nothing, 'status').join(''), /files|comment|accept|discard|next task/);
  const house = done();
  const stage = open(house.state, house.time);
  press(stage, 'n', 'v');
  answer(stage, house);
  assert.match(piece(stage, 'status').join(''), /files.*next file.*comment.*accept.*discard/);
});

test('what has no terminal leaves the list in view, zoomed or not', () => {
  const {house, now} = tokenStory();
  const stage = open(house.state, now);
  press(stage, 'enter', 'z');
  assert.equal(plotOf(stage.model.size, stage.model, stage.state).list, undefined);
  press(stage, 'g');
  assert.notEqual(plotOf(stage.model.size, stage.model, stage.state).list, undefined);
});

test('a service is called by its name before its port', () => {
  const {house, now} = tokenStory();
  const state = {
    ...house.state,
    services: house.state.services.map((service) => ({...service, stage: {at: 'down' as const}})),
  };
  const stage = open(state, now);
  press(stage, 'enter', 'G');
  assert.equal(piece(stage, 'main')[1], '  web, port 3000');
});

test('copying without a mark says how to make one, and stays', () => {
  const stage = open(busy().state, busy().time);
  press(stage, 'enter');
  const session =
    plotOf(stage.model.size, stage.model, stage.state).panes.find(({isFocused}) => isFocused)
      ?.session ?? 's0';
  press(stage, '[');
  happen(stage, {
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
  press(stage, 'y');
  assert.deepEqual(
    [stage.model.mode, stage.model.notice?.words],
    ['scroll', 'Nothing is marked. v marks from here, V whole lines.'],
  );
});

test('while there is no daemon the screen says so in full, not that nothing runs', () => {
  const stage = open(nothingYet().state, nothingYet().now);
  press(stage, 'escape', 'w');
  const words =
    'no daemon can be started here: EROFS: read-only file system, mkdir /var/lib/orchestra. Inside of a sandbox orchestra does not answer; ask from a terminal of your own.';
  happen(stage, {type: 'disconnected', words});
  const said = piece(stage, 'main')
    .map((row) => row.trim())
    .join(' ');
  assert.ok(said.includes(words) && !said.includes('Nothing runs here'), said);
});

test('a narrow pane says what it is called before what it uses', () => {
  const {house, now} = tokenStory();
  const stage = open(house.state, now);
  stage.model = {...stage.model, size: {columns: 60, rows: 24}};
  press(stage, 'enter', '+', '+');
  answer(stage, house);
  press(stage, 'i');
  assert.match(piece(stage, 'main').find((row) => row.includes('▸')) ?? '', /▸2 t3 Count.* TYPING/);
  assert.doesNotMatch(piece(stage, 'main').join(''), /%/);
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
    const {house, now, left} = tokenStory();
    const stage = open(house.state, now);
    stage.model = {...stage.model, isReader: true};
    answer(stage, house, left);
    for (const key of keys) {
      press(stage, key);
      answer(stage, house, left);
    }

    const heard = chromeOf({
      model: stage.model,
      state: stage.state,
      size: stage.model.size,
      now: stage.now,
    })
      .filter(({name}) => name !== 'status')
      .flatMap(({lines}) => lines.map(textOfLine));
    assert.doesNotMatch(heard.join('\n'), /[▸●○│─┌┐└┘▁-█]/u, keys.join(' '));
    assert.doesNotMatch(heard.join('\n'), /^ *[✓!·] /mu, keys.join(' '));
    if (keys[0] === 't') assert.match(heard.join('\n'), /^chosen: .*recording s14/m);
    if (keys[0] === ',') assert.match(heard.join('\n'), /^chosen: Colours.*chosen auto/m);
  }
});
