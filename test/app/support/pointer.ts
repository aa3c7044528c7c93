import assert from 'node:assert/strict';
import type {Mouse} from '../../../source/app/input/key.ts';
import {routeInput} from '../../../source/app/runtime/route-input.ts';
import {toLayoutPlaces} from '../../../source/app/runtime/to-layout-places.ts';
import {drawCells} from '../screens/draw.tsx';
import {type Fixture, happen} from '../screens/fixtures.ts';

/** The pointer on the words that the screen shows. */
export function pointAt(
  fixture: Fixture,
  text: string,
  action: Mouse['action'] = 'press',
  offset = 0,
): void {
  const {rows} = drawCells(fixture.model, fixture.state, fixture.now);
  const row = rows.findIndex((line) => line.includes(text));
  assert.notEqual(row, -1, `expected ${text} on\n${rows.join('\n')}`);
  use(fixture, row, (rows[row] ?? '').indexOf(text) + offset, action);
}

/** The pointer on a cell, through the last frame and the router of the loop. */
export function use(
  fixture: Fixture,
  row: number,
  column: number,
  action: Mouse['action'] = 'press',
): void {
  const {places, viewports} = drawCells(fixture.model, fixture.state, fixture.now);
  happen(fixture, {type: 'viewports-changed', viewports});
  fixture.now += 1000;
  routeInput<never>(
    {
      type: 'mouse',
      mouse: {
        action,
        button: action === 'press' ? 'left' : 'none',
        row,
        column,
        ctrl: false,
        alt: false,
        shift: false,
        code: 0,
      },
      bytes: new Uint8Array(0),
    },
    {
      layout: {...toLayoutPlaces(places), mouse: true},
      panes: {
        arrange: () => undefined,
        get: () => undefined,
        retry: () => undefined,
        close: () => undefined,
      },
      keymap: () => undefined,
      apply: (event) => {
        happen(fixture, event);
      },
      hold: () => undefined,
    },
  );
}
