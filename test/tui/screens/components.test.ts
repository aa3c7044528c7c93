import assert from 'node:assert/strict';
import {test} from 'node:test';
import {render} from 'ink-testing-library';
import {textOfLine} from '../../../source/tui/model/line.ts';
import {chromeOf} from '../../../source/tui/screens/chrome-of.ts';
import {screenOf} from '../../../source/tui/screens/screen-of.tsx';
import {themeOf} from '../../../source/tui/screens/theme.ts';
import {answer, done, nothingYet, open, planned, press, tokenStory, type Stage} from './scenes.ts';

function come(...keys: readonly string[]): Stage {
  const {house, now, left} = tokenStory();
  const stage = open(house.state, now);
  answer(stage, house, left);
  press(stage, ...keys);
  answer(stage, house, left);
  return stage;
}

/** Every screen, and what lies over one. */
const stages: Readonly<Record<string, () => Stage>> = {
  start: () => open(nothingYet().state, nothingYet().now),
  brief: () => come(),
  workers: () => come('enter'),
  need: () => come('enter', 'n'),
  confirmation: () => come('enter', 'n', 'D'),
  palette: () => come('enter', ':'),
  plan: () => {
    const house = planned();
    const stage = open(house.state, house.time);
    press(stage, 'p');
    return stage;
  },
  review: () => {
    const house = done();
    const stage = open(house.state, house.time);
    press(stage, 'n', 'v');
    answer(stage, house);
    return stage;
  },
  services: () => come('s'),
  timeline: () => come('t'),
  audit: () => come('u'),
  knowledge: () => come('f'),
  help: () => come('?'),
  settings: () => come(','),
};

for (const [name, stageOf] of Object.entries(stages)) {
  test(`each part of the screen "${name}" is drawn by Ink as it was written, also without colours`, () => {
    const {model, state, now} = stageOf();
    const view = {model, state, size: model.size, now};
    const pieces = chromeOf(view);
    for (const theme of [themeOf('dark'), themeOf('none')]) {
      for (const part of screenOf(view, {theme})) {
        const {lastFrame, unmount} = render(part.draw() as Parameters<typeof render>[0]);
        const drawn = (lastFrame() ?? '')
          .replaceAll(/\u001B\[[\d;]*m/g, '')
          .split('\n')
          .map((row) => row.trimEnd());
        const written =
          pieces
            .find((piece) => piece.name === part.name)
            ?.lines.map((row) => textOfLine(row).trimEnd()) ?? [];
        assert.deepEqual(drawn.join('\n').trimEnd(), written.join('\n').trimEnd(), part.name);
        unmount();
      }
    }
  });
}
