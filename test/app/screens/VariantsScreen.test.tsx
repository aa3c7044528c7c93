import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {VariantsScreen} from '../../../source/app/screens/VariantsScreen.tsx';
import {aBell, aNotice, aSecond, atStart} from '../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintText,
  rendersAfter,
  show,
  withText,
} from '../components/render.tsx';
import {userCommand} from '../../domain/support/harness.ts';
import {compareGolden} from './compare-golden.ts';
import {drawCells} from './draw.tsx';
import {type Fixture, happen, open, press} from './fixtures.ts';
import {screenSizes} from './report-screens.ts';
import {atVariants, variants, variantTitle} from './variants-fixture.ts';

const textOf = ({model, state, now}: Fixture): string =>
  drawCells(model, state, now).rows.join('\n');

function showDiff(fixture: Fixture, of: string, to: string): void {
  happen(fixture, {
    type: 'answered',
    name: `diff/${of}`,
    value: {
      from: 'a',
      to,
      text: 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
      files: [{path: 'a.ts', how: 'modified', added: 1, removed: 1}],
    },
  });
}

describe('variants:', () => {
  for (const size of screenSizes)
    test(`at ${size.columns}×${size.rows}`, () => {
      compareGolden('variants', atVariants(size));
    });

  for (const size of [
    {columns: 80, rows: 24},
    {columns: 160, rows: 45},
  ])
    test(`in the list of tasks at ${size.columns}×${size.rows}, told apart by their agents`, () => {
      const fixture = atVariants(size);
      press(fixture, 'w');
      compareGolden('workers-variants', fixture);
    });

  test('each with its agent, its state, its checks, its change and what it cost', () => {
    const text = textOf(atVariants());
    assert.match(text, /Variants {2}Share the refresh in flight .* 3 of 3 green/);
    assert.match(text, /1 playbook +green, waits for your pick/);
    assert.match(text, /2 codex with gpt-9 +green/);
    assert.match(text, /checks 2\/2 +1 file \+3 -1 +42k tokens +\$0\.31/);
    assert.match(text, /63k tokens +cost unknown/);
    assert.match(text, /A pick it +Enter what it changed +d against another +D discard it/);
  });

  test('a picked one is merged at the commit that was on the screen, after a second press', () => {
    const fixture = atVariants();
    press(fixture, 'down', 'A');
    assert.equal(fixture.model.confirmation?.question, 'Pick task 2?');
    assert.deepEqual(fixture.commands, []);
    press(fixture, 'A');
    assert.deepEqual(fixture.commands, [
      {type: 'pick-variant', task: 'r1.t3', commit: 'commit-r1.t3'},
    ]);
    assert.equal(fixture.model.screen, 'needs');
    assert.equal(fixture.model.decided, fixture.model.need?.id, 'the app goes on by itself');
  });

  test('what the daemon refuses leaves the need where it is', () => {
    const fixture = atVariants();
    press(fixture, 'A', 'A');
    happen(fixture, {
      type: 'wish-refused',
      wish: {type: 'pick-variant', task: 'r1.t1', commit: 'x'},
      text: 'r1.t1 is at another commit now; look at it again',
    });
    assert.equal(fixture.model.screen, 'needs');
    assert.match(textOf(fixture), /r1\.t1 is at another commit now/);
  });

  test('one that is still at work cannot be picked, and says so', () => {
    const harness = variants({isLastAtWork: true});
    const fixture = open(harness.state, harness.time, {columns: 120, rows: 35});
    press(fixture, 'enter', 'w', '=', 'end');
    assert.equal(fixture.model.screen, 'variants');
    assert.doesNotMatch(textOf(fixture), /A pick it/);
    press(fixture, 'A');
    assert.equal(fixture.model.confirmation, undefined);
    assert.match(fixture.model.notice?.text ?? '', /r1\.t4 is not green yet/);
  });

  test('the key that opens it shows where the selected task has variants, and nowhere else', () => {
    const harness = variants({isLastAtWork: true});
    const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
    press(fixture, 'w', 'down');
    assert.match(textOf(fixture), /= variants/);
    press(fixture, 'end');
    assert.doesNotMatch(textOf(fixture), /= variants/);
  });

  test('after the pick it says which one it was, and the others can still be read', () => {
    const harness = variants();
    userCommand(harness, {type: 'pick-variant', task: 'r1.t3', commit: 'commit-r1.t3'});
    const fixture = open(harness.state, harness.time, {columns: 120, rows: 35});
    press(fixture, 'w', '=');
    const text = textOf(fixture);
    assert.match(text, /task 2 is picked/);
    assert.match(text, /2 codex with gpt-9 .*your pick/);
    assert.doesNotMatch(text, /A pick it/);
    assert.match(text, /Enter what it changed/);
    press(fixture, 'A');
    assert.match(fixture.model.notice?.text ?? '', /One is picked already/);
  });

  test('one is compared with each of the others in turn, and picked where it is read', () => {
    const fixture = atVariants();
    press(fixture, 'down', 'd');
    const last = (): unknown => fixture.effects.at(-1);
    const asked = (against?: string): object => ({
      type: 'ask',
      name: `diff/r1.t3${against === undefined ? '' : ` against ${against}`}`,
      question: {
        about: 'diff',
        of: 'r1.t3',
        context: 200,
        ...(against === undefined ? {} : {against}),
      },
    });
    assert.deepEqual(last(), asked('r1.t1'));
    showDiff(fixture, 'r1.t3 against r1.t1', 'commit-r1.t3');
    assert.match(textOf(fixture), /task 2 against 1/);
    assert.match(textOf(fixture), /A pick it/);
    press(fixture, 'd');
    assert.deepEqual(last(), asked('r1.t4'));
    assert.match(textOf(fixture), /Reading what changed/, 'not the other comparison');
    press(fixture, 'd');
    assert.deepEqual(last(), asked());
    showDiff(fixture, 'r1.t3', 'older');
    press(fixture, 'A');
    assert.match(fixture.model.notice?.text ?? '', /r1\.t3 has changed since you looked/);
    showDiff(fixture, 'r1.t3', 'commit-r1.t3');
    press(fixture, 'A', 'A');
    assert.deepEqual(fixture.commands, [
      {type: 'pick-variant', task: 'r1.t3', commit: 'commit-r1.t3'},
    ]);
  });

  test('leads to the change and the pane of the marked one, and back', () => {
    const fixture = atVariants();
    press(fixture, 'down', 'enter');
    assert.equal(fixture.model.subject, 'r1.t3');
    press(fixture, 'escape');
    assert.equal(fixture.model.screen, 'variants');
    assert.equal(fixture.model.places.variants.cursor, 1);
    press(fixture, 'i');
    assert.deepEqual([fixture.model.screen, fixture.model.selected], ['workers', 'r1.t3']);
  });

  test('one is discarded after a question', () => {
    const fixture = atVariants();
    press(fixture, 'end', 'D', 'D');
    assert.deepEqual(fixture.commands, [{type: 'discard', what: 'r1.t4'}]);
  });

  test('without variants it says how there can be some', () => {
    assert.match(
      paintText(<VariantsScreen />, {fixture: atStart(), columns: 100}),
      /No task here has variants/,
    );
  });

  test('a variant is clicked', () => {
    const shown = show(<VariantsScreen />, {fixture: atVariants(), columns: 90, rows: 30});
    assert.deepEqual(shown.targets()[0], {type: 'item', list: 'variants', index: 0});
    shown.close();
  });

  test('titles, agents and paths are foreign', () => {
    assertSafe(<VariantsScreen />, {
      fixture: withText(atVariants(), variantTitle, hostile),
      columns: 90,
      rows: 30,
    });
    assertFits(<VariantsScreen />, {fixture: atVariants(), widths: [40, 60, 100]});
    assertAscii(<VariantsScreen />, {fixture: atVariants()});
  });

  for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
    test(`is not drawn again after ${what}`, async () => {
      const fixture = atVariants();
      fixture.now = Math.ceil(fixture.now / 10_000) * 10_000;
      assert.equal(await rendersAfter(<VariantsScreen />, change, {fixture}), 0);
    });
});
