import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createScreen} from '../../source/terminal/index.ts';
import {animateSvg, playFrames} from '../../scripts/pictures/animate-svg.ts';
import {boxStrokes, cell} from '../../scripts/pictures/box-lines.ts';
import {type Cast, fitSegments, formatCast, parseCast} from '../../scripts/pictures/cast.ts';
import {drawSvg} from '../../scripts/pictures/draw-svg.ts';
import {recordingSteps} from '../../scripts/pictures/recording-steps.ts';
import {sittings} from '../../scripts/pictures/sittings.ts';
import {terminals} from '../../scripts/pictures/to-paint.ts';
import {assertWellFormed} from './support/well-formed.ts';

const colours = terminals.dark;

describe('a picture', () => {
  test('has its text, its colours, frames as lines, and is well-formed', () => {
    const svg = draw('\u001B[38;2;1;2;3m╭─ a<b ─╮\r\n│ \u001B[1;48;2;9;8;7mx & y\u001B[m │');
    assertWellFormed(svg);
    assert.match(svg, />a&lt;b<\/text>/);
    assert.match(svg, /\{fill:#010203\}/);
    assert.match(svg, /\{fill:#090807\}/);
    assert.match(svg, />x &amp; y<\/text>/);
    assert.doesNotMatch(svg, />[^<]*[╭─╮│][^<]*<\/text>/);
  });

  test('draws what has the colours of the terminal without repeating them', () => {
    assert.doesNotMatch(draw('plain'), /<text class/);
    assert.equal((draw('').match(/<rect/g) ?? []).length, 2);
  });

  test('joins neighbouring lines into one', () => {
    assert.match(draw('─────'), /d="M12 9H54"/);
  });

  test('draws a control character or a cluster without breaking the XML', () => {
    assertWellFormed(draw('a\u0001b e\u0301 日本 "quoted" ]]>'));
  });
});

test('every arm of a frame reaches the edge of its cell, where the next cell goes on', () => {
  const edges = {
    up: `L${cell.width / 2} 0`,
    right: `L${cell.width} ${cell.height / 2}`,
    down: `L${cell.width / 2} ${cell.height}`,
    left: `L0 ${cell.height / 2}`,
  };
  const d = (character: string): string =>
    (boxStrokes(character, 0, 0) ?? []).map((stroke) => stroke.d).join('');
  for (const edge of Object.values(edges)) assert.ok(d('┼').includes(edge), edge);
  assert.ok(d('├').includes(edges.right) && !d('├').includes(edges.left));
  assert.equal(d('╭'), 'M4.2 18Q4.2 9 8.4 9');
  assert.equal(d('╯'), 'M4.2 0Q4.2 9 0 9');
  assert.equal(boxStrokes('a', 0, 0), undefined);
  assert.deepEqual(
    boxStrokes('▄', 0, 0)?.map(({weight}) => weight),
    ['fill'],
  );
});

const cast: Cast = {
  columns: 20,
  rows: 3,
  title: 'a & b',
  events: [
    {at: 0, text: 'one\r\n'},
    {at: 0.5, text: '\u001B[31mtwo\u001B[m'},
    {at: 1, text: '\u001B[1;1Hthree'},
    {at: 1.5, text: '\u001B[1;1Hone  '},
  ],
};

describe('a recording', () => {
  test('is read as it was written', () => {
    assert.deepEqual(parseCast(formatCast(cast)), cast);
    for (const wrong of [
      '{}',
      '{"version":1,"width":1,"height":1}',
      '{"version":2,"width":1,"height":1}\n[1,"i","x"]',
    ])
      assert.throws(() => parseCast(wrong), /expected/);
  });

  test('shows at any time what a terminal would show', () => {
    const frames = new Map<number, string>();
    playFrames(parseCast(formatCast(cast)), 4, 8, (frame, _, text) => {
      frames.set(frame, text.trim());
    });
    assert.deepEqual(
      [...frames],
      [
        [0, 'one'],
        [2, 'one\ntwo'],
        [4, 'three\ntwo'],
        [6, 'one\ntwo'],
      ],
    );
  });

  test('as an SVG draws each content of a row once, and shows it when the row has it', () => {
    const svg = animateSvg(cast, {colours, seconds: 2, framesPerSecond: 4});
    assertWellFormed(svg);
    assert.equal((svg.match(/>one<\/text>/g) ?? []).length, 1);
    assert.match(
      svg,
      /dur="2s" repeatCount="indefinite" keyTimes="0;0\.5;0\.75" values="visible;hidden;visible"\/>[^\n]*>one</,
    );
    assert.match(svg, /keyTimes="0;0\.5;0\.75" values="hidden;visible;hidden"\/>[^\n]*>three</);
    assert.match(svg, /keyTimes="0;0\.25" values="hidden;visible"\/>[^\n]*>two</);
  });

  test('plays long steps faster, and lets the last screen of short ones stay', () => {
    const fitted = fitSegments([
      {
        from: 100,
        to: 300,
        seconds: 1,
        events: [
          {at: 100, text: 'a'},
          {at: 200, text: 'b'},
        ],
      },
      {
        from: 300,
        to: 4300,
        seconds: 2,
        events: [
          {at: 2300, text: 'c'},
          {at: 4300, text: 'd'},
        ],
      },
    ]);
    assert.deepEqual(fitted, [
      {at: 0, text: 'a'},
      {at: 0.1, text: 'b'},
      {at: 2, text: 'c'},
      {at: 3, text: 'd'},
    ]);
  });

  test('takes 25 seconds', () => {
    const seconds = recordingSteps.reduce((sum, step) => sum + (step.seconds ?? 1), 0);
    assert.equal(seconds, 25);
  });
});

test('every picture has one name', () => {
  const names = sittings.flatMap(({steps}) => steps.flatMap(({take}) => take?.name ?? []));
  assert.equal(new Set(names).size, names.length);
});

function draw(output: string): string {
  const screen = createScreen({columns: 20, rows: 3, scrollback: 0});
  screen.write(new TextEncoder().encode(output));
  const svg = drawSvg(screen.readCells(), {title: 'A <title>', colours});
  screen.close();
  return svg;
}
