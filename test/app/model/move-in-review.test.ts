import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {toLineNumber} from '../../../source/app/review/diff-lines.ts';
import {
  selectFileInView,
  selectItemAtCursor,
  selectReviewFiles,
} from '../../../source/app/review/select-review.ts';
import {countViewed} from '../../../source/app/review/viewed.ts';
import type {Fixture} from '../screens/fixtures.ts';
import {press, type} from '../screens/fixtures.ts';
import {answerDiff, longDiff, reviewed, shopDiff, toDiff} from '../screens/review-fixture.ts';

/** File and line of the cursor: `src/api/checkout.js +7`. */
function place({model}: Fixture): string {
  const item = selectItemAtCursor(model);
  const path = selectFileInView(model)?.file.path ?? '';
  switch (item?.kind) {
    case 'added':
      return `${path} +${toLineNumber(item)}`;
    case 'removed':
      return `${path} -${toLineNumber(item)}`;
    case 'context':
      return `${path} ${toLineNumber(item)}`;
    default:
      return `${path} ${item?.kind ?? ''}`;
  }
}

function places(fixture: Fixture, ...keys: readonly string[]): string[] {
  return keys.map((key) => {
    press(fixture, key);
    return place(fixture);
  });
}

describe('the cursor of a review', () => {
  test('begins at the first change of the first file', () => {
    assert.equal(place(reviewed()), 'docs/api.md +1');
  });

  test('goes from change to change, on into the next file and back', () => {
    const fixture = reviewed();
    assert.deepEqual(places(fixture, ']', ']', ']', ']', '[', '[', '[', '['), [
      'src/api/checkout.js +2',
      'src/api/checkout.js +7',
      'src/api/checkout.js -7',
      'src/lib/backoff.js +1',
      'src/api/checkout.js -7',
      'src/api/checkout.js +7',
      'src/api/checkout.js +2',
      'docs/api.md +1',
    ]);
    press(fixture, '[');
    assert.equal(fixture.model.notice?.text, 'This is the first change.');
    press(fixture, '}', '}', '}', ']');
    assert.deepEqual(
      [place(fixture), fixture.model.notice.text],
      ['src/lib/card.js +1', 'This is the last change.'],
    );
  });

  test('goes from file to file', () => {
    assert.deepEqual(places(reviewed(), '}', '}', '{', '{', '{'), [
      'src/api/checkout.js +2',
      'src/lib/backoff.js +1',
      'src/api/checkout.js +2',
      'docs/api.md +1',
      'docs/api.md +1',
    ]);
  });

  test('walks the files after Tab', () => {
    assert.deepEqual(places(reviewed(), 'tab', 'down', 'G', 'tab', 'G'), [
      'docs/api.md +1',
      'src/api/checkout.js +2',
      'src/lib/card.js +1',
      'src/lib/card.js +1',
      'src/lib/card.js +1',
    ]);
  });

  test('goes row by row where old and new are side by side', () => {
    const fixture = reviewed({columns: 160, rows: 45});
    press(fixture, '}', 'g');
    assert.deepEqual(places(fixture, ...Array.from({length: 9}, () => 'down')).slice(6), [
      'src/api/checkout.js 8',
      'src/api/checkout.js +9',
      'src/api/checkout.js 10',
    ]);
    press(fixture, 'k', '|');
    assert.deepEqual(places(fixture, 'k', 'k'), [
      'src/api/checkout.js -7',
      'src/api/checkout.js 8',
    ]);
  });

  test('stays at its line when a fold opens above, a comment comes, and the change is another', () => {
    const context = Array.from({length: 20}, (_, index) => ` line ${index}`);
    const text = toDiff('a.txt', [...context, '+new', ...context]);
    const fixture = reviewed(undefined, text);
    assert.equal(place(fixture), 'a.txt +21');
    press(fixture, 'g', 'enter');
    assert.equal(place(fixture), 'a.txt fold');
    assert.equal(selectFileInView(fixture.model)?.items.items.length, 1 + 20 + 1 + 3 + 1);
    press(fixture, 'down', 'c');
    type(fixture, 'Why?');
    press(fixture, 'enter');
    assert.equal(place(fixture), 'a.txt 1');
    press(fixture, ']');
    answerDiff(fixture, toDiff('a.txt', [' first', ...context, '+new', ...context]), 'other');
    assert.match(place(fixture), /^a\.txt (?:21|\+22)$/);
    assert.match(fixture.model.notice?.text ?? '', /has changed since you looked/);
  });

  test('closes a fold by the same key, and comments on a line by it', () => {
    const fixture = reviewed();
    press(fixture, '}', 'G', 'enter', 'enter');
    assert.equal(place(fixture), 'src/api/checkout.js fold');
    assert.equal(fixture.model.openFolds.get('src/api/checkout.js')?.size, 0);
    press(fixture, 'k', 'enter');
    assert.equal(fixture.model.field?.for.what, 'comment-diff');
  });
});

describe('a viewed file', () => {
  test('is marked, and the next one that is not is shown', () => {
    const fixture = reviewed();
    assert.deepEqual(places(fixture, 'space', 'space', '{', '{'), [
      'src/api/checkout.js +2',
      'src/lib/backoff.js +1',
      'src/api/checkout.js +2',
      'docs/api.md +1',
    ]);
    // The mark is taken back, and the file stays in view.
    assert.deepEqual(places(fixture, 'space', 'space'), [
      'docs/api.md +1',
      'src/lib/backoff.js +1',
    ]);
    press(fixture, 'space', 'space');
    assert.equal(fixture.model.notice?.text, 'All files are viewed.');
    assert.equal(fixture.model.viewed.length, 4);
  });

  test('is remembered, and forgotten when it changes', () => {
    const fixture = reviewed();
    press(fixture, 'space', 'space');
    const saved = JSON.parse(JSON.stringify(toUiState(fixture.model))) as unknown;
    const later = reviewed(undefined, shopDiff, saved);
    const count = (): number => countViewed(later.model.viewed, selectReviewFiles(later.model));
    assert.equal(count(), 2);
    const changed = toDiff('docs/api.md', ['+# Orders', '+', '+Once more.'], 'new');
    answerDiff(later, `${changed}${shopDiff.replaceAll('docs/api.md', 'docs/more.md')}`, 'other');
    assert.equal(count(), 1);
  });

  test('that is remembered is read with care', () => {
    const {viewed} = reviewed(undefined, shopDiff, {
      viewed: [null, 7, {path: 'a'}, {path: 'a', hash: 1}, {path: 'a', hash: 'b'}],
    }).model;
    assert.deepEqual(viewed, [{path: 'a', hash: 'b'}]);
    assert.deepEqual(reviewed(undefined, shopDiff, {viewed: 'x'}).model.viewed, []);
  });
});

test('another subject begins at its first change, with its folds closed', () => {
  const fixture = reviewed();
  press(fixture, '}', 'G', 'enter', 'v');
  assert.deepEqual([fixture.model.subject, fixture.model.openFolds.size], ['r1.t1', 0]);
  answerDiff(fixture, shopDiff);
  assert.equal(place(fixture), 'docs/api.md +1');
});

test('the question for a diff asks for the lines that folds open', () => {
  const fixture = reviewed();
  press(fixture, 'v');
  assert.deepEqual(fixture.effects.at(-1), {
    type: 'ask',
    name: 'diff/r1.t1',
    question: {about: 'diff', of: 'r1.t1', context: 200},
  });
});

test('a thousand changed lines are walked to their end', () => {
  const fixture = reviewed(undefined, longDiff(1000));
  press(fixture, 'G');
  assert.equal(place(fixture), 'src/long.js +1000');
  press(fixture, 'g');
  assert.equal(place(fixture), 'src/long.js -1');
});
