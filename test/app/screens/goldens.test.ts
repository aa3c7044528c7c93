import {describe, test} from 'node:test';
import type {Size} from '../../../source/app/render/frame.ts';
import {compareGolden} from './compare-golden.ts';
import {answer, busy, type Fixture, happen, open, planning, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

const sizes: readonly Size[] = [
  {columns: 80, rows: 24},
  {columns: 120, rows: 40},
  {columns: 160, rows: 45},
];

/** Each screen as a person comes to it: by keys. */
const fixtures: Readonly<Record<string, (size: Size) => Fixture>> = {
  planning: (size) => {
    const harness = planning();
    const fixture = open(harness.state, harness.time + 90_000, size);
    press(fixture, 'enter');
    return fixture;
  },
  workers: (size) => {
    const fixture = notified(size);
    press(fixture, 'w');
    answer(fixture, tokenStory().harness);
    return fixture;
  },
  'workers-grid': (size) => {
    const fixture = crowd(size);
    press(fixture, 'tab');
    return fixture;
  },
  'workers-zoomed-typing': (size) => {
    const fixture = notified(size);
    press(fixture, 'w', 'z', 'i');
    return fixture;
  },
  lost: (size) => {
    const fixture = notified(size);
    press(fixture, 'w');
    happen(fixture, {type: 'disconnected', text: 'connection refused'});
    return fixture;
  },
};

for (const size of sizes) {
  describe(`at ${size.columns}×${size.rows}:`, () => {
    for (const [name, fixture] of Object.entries(fixtures))
      test(name, () => {
        compareGolden(name, fixture(size));
      });
  });
}

function notified(size: Size, settings?: object): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, size, settings === undefined ? undefined : {settings});
  answer(fixture, harness, left);
  return fixture;
}

function crowd(size: Size): Fixture {
  const harness = busy();
  const fixture = open(harness.state, harness.time + 240_000, size);
  answer(fixture, harness);
  press(fixture, 'w');
  return fixture;
}
