import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {readdirSync, readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {createScreen} from '../../source/terminal/index.ts';
import {animateSvg, playFrames} from '../../scripts/pictures/animate-svg.ts';
import {boxStrokes, cell} from '../../scripts/pictures/box-lines.ts';
import {
  type Cast,
  fitSegments,
  formatCast,
  isWholeFrame,
  parseCast,
} from '../../scripts/pictures/cast.ts';
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

  test('keeps blanks between words, also where CSS is not read', () => {
    assert.match(draw('a   b'), /^<svg [^>]*xml:space="preserve"[^]*>a {3}b<\/text>/);
  });

  test('draws double and dashed lines as lines', () => {
    for (const character of '═║┄╌┈') assert.ok(boxStrokes(character, 0, 0), character);
    assert.doesNotMatch(draw('══┄┄'), /[═┄]/);
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

  test('shows a still where nothing moves', () => {
    const svg = animateSvg(cast, {colours, seconds: 2, framesPerSecond: 4, stillSeconds: 1});
    const isHidden = (text: string): boolean =>
      new RegExp(`<g [^>]*visibility="hidden"><animate[^\\n]*>${text}</text>`).test(svg);
    assert.deepEqual(['one', 'two', 'three'].map(isHidden), [true, false, false]);
  });

  test('is cut between frames only', () => {
    const [begin, end] = ['\u001B[?2026h', '\u001B[?2026l'];
    for (const whole of ['', 'text', `${begin}a${end}`, `${begin}a${end}b`])
      assert.ok(isWholeFrame(whole), whole);
    for (const part of [begin, `${begin}a${end}${begin}b`]) assert.ok(!isWholeFrame(part), part);
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

describe('the pictures of the documentation', () => {
  const root = path.join(import.meta.dirname, '..', '..');
  const directory = path.join(root, 'docs', 'pictures');
  const read = (name: string): string => readFileSync(path.join(directory, name), 'utf8');
  const files = readdirSync(directory);

  test('are those that the README names, and the recording comes first', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    const named = [...readme.matchAll(/docs\/pictures\/([\w.-]+)/g)].map(([, name]) => name ?? '');
    assert.equal(named[0], 'demo.svg');
    assert.deepEqual([...new Set(named)].toSorted(), files.toSorted());
  });

  test('are those that the scripts make', () => {
    const names = sittings.flatMap(({steps}) =>
      steps.flatMap(({take}) => (take === undefined ? [] : `${take.name}.svg`)),
    );
    assert.deepEqual([...names, 'demo.cast', 'demo.svg'].toSorted(), files.toSorted());
  });

  test('are well-formed, and small enough for a page', () => {
    for (const name of files.filter((file) => file.endsWith('.svg'))) {
      const svg = read(name);
      assertWellFormed(svg);
      assert.ok(svg.length < (name === 'demo.svg' ? 1500 : 60) * 1024, `${name}: ${svg.length}`);
    }
  });

  test('the recording is an asciicast v2 of 25 seconds that ends in the acceptance', () => {
    const recorded = parseCast(read('demo.cast'));
    const times = recorded.events.map(({at}) => at);
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    assert.ok(times.every((at) => at >= 0 && at <= 25));
    let shown = '';
    playFrames(recorded, 4, 110, (_, __, text) => {
      shown = text;
    });
    assert.match(shown, /accepted {3}main is at/);
  });

  test('name no directory, user or host of the machine that made them', () => {
    const secrets = [os.tmpdir(), '/root', '/home/', '/Users/', '/work/', 'orchestra-demo-'];
    for (const name of files)
      for (const secret of secrets) assert.ok(!read(name).includes(secret), `${name}: ${secret}`);
  });
});

function draw(output: string): string {
  const screen = createScreen({columns: 20, rows: 3, scrollback: 0});
  screen.write(new TextEncoder().encode(output));
  const svg = drawSvg(screen.readCells(), {title: 'A <title>', colours});
  screen.close();
  return svg;
}
