import assert from 'node:assert/strict';
import {test} from 'node:test';
import {render} from 'ink-testing-library';
import {textOfLine} from '../../../source/app/model/line.ts';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {renderScreen} from '../../../source/app/screens/render-screen.tsx';
import {getTheme} from '../../../source/app/screens/theme.ts';
import {answer, done, type Fixture, nothingYet, open, planned, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function come(...keys: readonly string[]): Fixture {
  const {harness, now, left} = tokenStory();
  const fixture = open(harness.state, now);
  answer(fixture, harness, left);
  press(fixture, ...keys);
  answer(fixture, harness, left);
  return fixture;
}

/** Every screen, and what lies over one. */
const stages: Readonly<Record<string, () => Fixture>> = {
  start: () => open(nothingYet().state, nothingYet().now),
  brief: () => come(),
  workers: () => come('enter'),
  need: () => come('enter', 'n'),
  confirmation: () => come('enter', 'n', 'D'),
  palette: () => come('enter', ':'),
  plan: () => {
    const harness = planned();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'p');
    return fixture;
  },
  review: () => {
    const harness = done();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'n', 'v');
    answer(fixture, harness);
    return fixture;
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
    const pieces = renderChrome(view);
    for (const theme of [getTheme('dark'), getTheme('none')]) {
      for (const part of renderScreen(view, {theme})) {
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
