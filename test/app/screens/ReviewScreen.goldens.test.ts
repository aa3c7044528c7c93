import {describe, test} from 'node:test';
import type {Size} from '../../../source/app/render/frame.ts';
import {compareGolden} from './compare-golden.ts';
import {type Fixture, press, type} from './fixtures.ts';
import {answerDiff, reviewed, shopDiff} from './review-fixture.ts';

const sizes: readonly Size[] = [
  {columns: 60, rows: 15},
  {columns: 80, rows: 24},
  {columns: 120, rows: 35},
  {columns: 160, rows: 45},
  {columns: 220, rows: 60},
];

const fixtures: Readonly<Record<string, (size: Size) => Fixture>> = {
  review: (size) => at(size, '}', ']'),
  'review-comment': (size) => {
    const fixture = commenting(size);
    press(fixture, 'enter');
    fixture.now += 10_000;
    return fixture;
  },
  'review-commenting': commenting,
  'review-files': (size) => at(size, 'space', 'tab', 'down'),
  'review-fold': (size) => at(size, '}', 'G', 'enter'),
  'review-task': (size) => {
    const fixture = at(size, 'v');
    answerDiff(fixture, shopDiff);
    return fixture;
  },
  'review-reading': (size) => at(size, 'v'),
  'review-accept': (size) => at(size, 'A'),
};

for (const size of sizes)
  describe(`review at ${size.columns}×${size.rows}:`, () => {
    for (const [name, fixture] of Object.entries(fixtures))
      test(name, () => {
        compareGolden(name, fixture(size));
      });
  });

function at(size: Size, ...keys: readonly string[]): Fixture {
  const fixture = reviewed(size);
  press(fixture, ...keys);
  return fixture;
}

function commenting(size: Size): Fixture {
  // Side by side, old and new are one row.
  const isSplit = size.columns >= 140;
  const fixture = at(size, '}', ']', ']', ...(isSplit ? [] : ['down']), 'c');
  type(fixture, 'Is EUR right here? The gateway knows the currency of the card.');
  return fixture;
}
