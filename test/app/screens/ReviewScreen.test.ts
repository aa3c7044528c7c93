import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Mouse} from '../../../source/app/input/key.ts';
import type {Target} from '../../../source/app/ink/region.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {isInside} from '../../../source/app/render/frame.ts';
import {cellText, toStyle} from '../../../source/terminal/index.ts';
import {themeFromPalette} from '../../../source/app/theme/from-palette.ts';
import {palettes} from '../../../source/app/theme/palettes.ts';
import {type Paint, terminals, toPaint} from '../../../scripts/pictures/to-paint.ts';
import {draw, type Drawn, drawCells} from './draw.tsx';
import {
  answer,
  done,
  type Fixture,
  happen,
  nothingYet,
  open,
  planned,
  press,
  type,
} from './fixtures.ts';
import {answerDiff, longDiff, reviewed, toDiff} from './review-fixture.ts';

const hundredTwenty: Size = {columns: 120, rows: 35};

describe('the review shows', () => {
  test('nothing before there is a change, and the change when it is there', () => {
    const harness = planned();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'r');
    assert.match(screen(fixture), /There is nothing to review yet/);
    const working = done();
    fixture.state = working.state;
    happen(fixture, {type: 'event-heard', event: working.events.at(-1)!});
    assert.match(screen(fixture), /Reading what changed/);
    answer(fixture, working);
    assert.match(screen(fixture), /docs\/token\.md/);
    answerDiff(fixture, '');
    assert.match(screen(fixture), /Nothing changed so far\.[^]*A accept into main/);
  });

  test('why a change cannot be compared', () => {
    const fixture = reviewed();
    happen(fixture, {type: 'refused', name: 'diff/r1', text: 'the commit is gone'});
    assert.match(screen(fixture), /r1 cannot be compared: the commit is gone/);
  });

  test('only keys that have something to do', () => {
    const nothing = open(nothingYet().state, nothingYet().now);
    press(nothing, 'escape', 'r');
    assert.doesNotMatch(lastRow(nothing), /files|comment|change|viewed|task/);
    assert.match(
      lastRow(reviewed()),
      /^ \] \[ next change {2}\} \{ next file {2}Space viewed {2}c comment {2}\| side by side {2}v by task/,
    );
    const small = reviewed({columns: 80, rows: 24});
    assert.match(
      lastRow(small),
      /^ Tab files {2}\] \[ change {2}\} \{ file {2}Space viewed {2}c comment/,
    );
    press(small, 'tab');
    assert.match(lastRow(small), /Enter read it.*Tab diff/);
  });

  test("the decision with the person's own keys, and only what can be decided", () => {
    const settings = {keys: {'review.accept': 'f5', 'review.send-comments': 'f6'}};
    const fixture = reviewed(hundredTwenty, undefined, {settings});
    assert.match(screen(fixture), / F5 accept into main {5}P pull request {5}D discard/);
    press(fixture, 'c');
    type(fixture, 'Why?');
    press(fixture, 'enter');
    assert.match(screen(fixture), / F6 send 1 comment back/);
  });

  test('the size of the change and the key that accepts it, in the row of what needs you', () => {
    const fixture = reviewed();
    const row = (): string => screen(fixture).split('\n')[1] ?? '';
    assert.match(row(), /^▌✓ ready to accept .* 4 files \+8 -1 {3}A accept into main$/);
    press(fixture, 'w');
    assert.match(row(), / n look and accept$/);
  });

  test('every line of a long file, and no more than is near the cursor', () => {
    const fixture = reviewed(hundredTwenty, longDiff(1000));
    press(fixture, 'G');
    const {places, rows} = drawCells(fixture.model, fixture.state, fixture.now);
    assert.match(rows.join('\n'), /▌ +1000 \+ const value999/);
    const items = places.filter(({region}) => region.kind === 'item' && region.id.includes('long'));
    assert.ok(items.length < 3 * hundredTwenty.rows, String(items.length));
  });

  test('a line that changed whole, however long it is; of one beyond all measure its length', () => {
    const long = 'abcdefghij'.repeat(30);
    const fixture = reviewed(
      {columns: 120, rows: 60},
      toDiff('a.txt', [` ${long}`, `+${long}`, `+${'x'.repeat(5000)}`]),
    );
    const rows = screen(fixture).split('\n');
    const text = rows.map((row) => row.slice(47)).join('');
    assert.ok(text.includes(long));
    assert.match(text, /ab…/);
    press(fixture, 'down');
    assert.match(
      screen(fixture)
        .split('\n')
        .map((row) => row.slice(47))
        .join(''),
      /x … and 3,000 characters more/,
    );
  });
});

describe('side by side', () => {
  test('is there from 140 columns on, or where the person wants it', () => {
    const pair = /7 - {3}log\(.* 9 \+ {3}log\(/;
    const wide = reviewed({columns: 140, rows: 35});
    press(wide, '}');
    assert.match(screen(wide), pair);
    press(wide, '|');
    assert.doesNotMatch(screen(wide), pair);
    const narrow = reviewed({columns: 100, rows: 35});
    press(narrow, '}');
    assert.doesNotMatch(screen(narrow), pair);
    press(narrow, '|');
    assert.match(screen(narrow), pair);
  });

  for (const columns of [140, 141, 142, 143, 201])
    test(`cuts no changed line at ${columns} columns`, () => {
      const [old, fresh] = ['0123456789'.repeat(9), 'abcdefghij'.repeat(9)];
      const fixture = reviewed({columns, rows: 35}, toDiff('a.txt', [`-${old}`, `+${fresh}`]));
      const {places, rows} = drawCells(fixture.model, fixture.state, fixture.now);
      for (const [index, text] of [old, fresh].entries()) {
        const cell = places.find(
          ({region}) => targetOf(region)?.type === 'item' && indexOf(region) === index,
        );
        assert.ok(cell !== undefined);
        const {column, row, columns: width, rows: height} = cell.rect;
        const shown = rows
          .slice(row, row + height)
          .map((line) =>
            Array.from(line)
              .slice(column + 8, column + width)
              .join('')
              .trim(),
          )
          .join('');
        assert.equal(shown.replaceAll(/[^\da-j]/g, ''), text);
      }
    });
});

describe('a comment', () => {
  test('is written below its line, with its keys in the last row, and always in view', () => {
    for (const size of [hundredTwenty, {columns: 60, rows: 15}, {columns: 40, rows: 12}]) {
      const fixture = reviewed(size, longDiff(50));
      press(fixture, 'G', 'k', 'c');
      type(fixture, 'Why not');
      const {places} = drawCells(fixture.model, fixture.state, fixture.now);
      const caret = places.find(({region}) => region.kind === 'caret')?.rect;
      const rows = screen(fixture).split('\n');
      assert.ok(caret !== undefined);
      assert.match(rows[caret.row] ?? '', /Why not/, JSON.stringify(size));
      assert.match(rows.at(-2) ?? '', /^ Enter save {2}Esc cancel$/);
    }
  });
});

describe('a click', () => {
  test('on a file shows it', () => {
    const fixture = reviewed();
    click(fixture, 'backoff.js');
    assert.equal(fixture.model.places.files.cursor, 2);
    assert.match(screen(fixture), /export const tries = 4/);
  });

  test('on a line moves the cursor there, and once more comments on it', () => {
    const fixture = reviewed();
    press(fixture, '}');
    click(fixture, 'assertNotExpired(card);');
    assert.match(screen(fixture), /▌ +7 \+ {3}assertNotExpired/);
    click(fixture, 'assertNotExpired(card);');
    assert.equal(fixture.model.field?.for.what, 'comment-diff');
  });

  test('on folded lines opens them', () => {
    const fixture = reviewed();
    press(fixture, '}');
    click(fixture, 'lines as before');
    assert.match(screen(fixture), /Enter closes[^]*field8: charge\.field8/);
  });

  test('on the next file, and on a way on, equals the key', () => {
    const fixture = reviewed();
    click(fixture, 'next file');
    assert.match(screen(fixture), /src\/api\/checkout\.js {2}task 1/);
    click(fixture, 'accept into main');
    assert.equal(fixture.model.confirmation?.yes.action, 'accept');
  });
});

describe('hostile text', () => {
  const evil = '\u001B[31mred\u0007\u202Ereversed\u200B数\u0000';
  test('in paths, lines, headings and comments reaches no terminal, and no row is too long', () => {
    for (const size of [hundredTwenty, {columns: 160, rows: 45}, {columns: 40, rows: 12}]) {
      const text = [
        `diff --git a/x/${evil} b/x/${evil}`,
        `--- a/x/${evil}`,
        `+++ b/x/${evil}`,
        `@@ -10,2 +10,2 @@ ${evil}`,
        `-old ${evil}`,
        `+new ${evil} ${'漢'.repeat(200)}`,
        ` same ${evil}`,
        '',
      ].join('\n');
      const fixture = reviewed(size, text);
      press(fixture, 'c');
      type(fixture, 'Why');
      happen(fixture, {type: 'pasted', text: evil});
      for (const keys of [[], ['enter'], ['tab']]) {
        press(fixture, ...keys);
        const drawn = screen(fixture);
        assert.doesNotMatch(drawn, /[\u0000-\u0009\u000B-\u001F\u202E\u200B]/);
        assert.equal(drawn.split('\n').length, size.rows + 1);
      }
    }
  });

  test('in the name of a file that is like a part of every object', () => {
    const fixture = reviewed(hundredTwenty, toDiff('__proto__', ['+one']));
    press(fixture, 'enter', 'escape', 'space');
    assert.match(screen(fixture), /__proto__/);
  });
});

test('added and removed rows have their colours, and changed words their own', () => {
  const theme = themeFromPalette('overture', palettes.overture, {
    depth: 'full',
    paintsBackground: true,
  });
  const fixture = reviewed();
  press(fixture, '}');
  const drawn = drawCells(fixture.model, fixture.state, fixture.now, {theme});
  const {colours} = palettes.overture;
  assert.equal(backgroundAt(drawn, 'assertNotExpired(card)'), colours.add[0]);
  assert.equal(backgroundAt(drawn, 'total});'), colours.del[0]);
  assert.equal(backgroundAt(drawn, "currency: 'EUR'"), colours['add-word'][0]);
  // The background of the window: the writer paints it.
  assert.equal(backgroundAt(drawn, 'return {'), undefined);
});

test('changed words are underlined where there are no colours', () => {
  const fixture = reviewed();
  press(fixture, '}');
  const drawn = drawCells(fixture.model, fixture.state, fixture.now);
  const isUnderlined = (text: string): boolean => styleAt(drawn, text).isUnderlined;
  assert.deepEqual(["currency: 'EUR'", 'assertNotExpired(card)'].map(isUnderlined), [true, false]);
});

test('ASCII signs are enough', () => {
  const fixture = reviewed();
  press(fixture, '}', 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter', 'space');
  fixture.now += 10_000;
  const body = draw(fixture.model, fixture.state, fixture.now, [], {signs: 'ascii'});
  assert.match(body, /^[\u0020-\u007E\n…]*$/);
});

test('a screen reader hears sentences, one thing at a time', () => {
  const fixture = reviewed();
  fixture.model = {...fixture.model, isScreenReader: true};
  press(fixture, '}', ']');
  const text = screen(fixture);
  assert.match(text, /chosen: added line 7: {3}assertNotExpired\(card\);/);
  assert.match(text, /removed line 7: {3}log/);
  assert.doesNotMatch(text, /[│╭┄]/);
  press(fixture, 'space', 'tab');
  assert.match(
    screen(fixture),
    /src\/api\/checkout\.js, modified, task 1, 3 added, 1 removed, viewed\n[^]*chosen: src\/lib\/backoff\.js, new, task 2, 1 added, 0 removed\n/,
  );
});

for (const columns of [40, 59, 60, 79, 80, 99, 100, 139, 140, 199, 200])
  test(`nothing overlaps the last row at ${columns} columns`, () => {
    const fixture = reviewed({columns, rows: 12 + (columns % 30)});
    for (const keys of [['}'], ['tab'], ['|'], ['c']]) {
      press(fixture, ...keys);
      assert.match(lastRow(fixture), /commands|Esc cancel|\? keys/);
    }
  });

function screen({model, state, now}: Fixture): string {
  return draw(model, state, now);
}

function lastRow(fixture: Fixture): string {
  return screen(fixture).split('\n').at(-2) ?? '';
}

type Region = Drawn['places'][number]['region'];

function targetOf(region: Region): Target | undefined {
  return region.kind === 'target' ? region.target : undefined;
}

function indexOf(region: Region): number | undefined {
  const target = targetOf(region);
  return target?.type === 'item' ? target.index : undefined;
}

/** A click on the words that the screen shows, as the loop tells it. */
function click(fixture: Fixture, text: string): void {
  fixture.now += 1000;
  const {places, rows} = drawCells(fixture.model, fixture.state, fixture.now);
  const row = rows.findIndex((line) => line.includes(text));
  assert.notEqual(row, -1, `expected ${text} on\n${rows.join('\n')}`);
  const column = rows[row]?.indexOf(text) ?? 0;
  const target = places
    .filter(({region, rect}) => targetOf(region) !== undefined && isInside(rect, {row, column}))
    .map(({region}) => targetOf(region))
    .at(-1);
  const mouse: Mouse = {
    action: 'press',
    button: 'left',
    row,
    column,
    ctrl: false,
    alt: false,
    shift: false,
    code: 0,
  };
  happen(fixture, {type: 'mouse-used', mouse, ...(target !== undefined && {target})});
}

function styleAt({cells, rows}: Drawn, text: string): Paint {
  const row = rows.findIndex((line) => line.includes(text));
  assert.notEqual(row, -1, `expected ${text} on\n${rows.join('\n')}`);
  const at = row * cells.columns + (rows[row]?.indexOf(text) ?? 0);
  assert.equal(cellText(cells, at), text[0]);
  return toPaint(toStyle(cells, at), terminals.dark);
}

function backgroundAt(drawn: Drawn, text: string): string | undefined {
  return styleAt(drawn, text).background;
}
