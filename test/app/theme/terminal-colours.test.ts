import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  addColour,
  coloursQuery,
  noColours,
  parseColourAnswer,
} from '../../../source/app/theme/terminal-colours.ts';

test('colours are asked for first, and what every terminal answers last', () => {
  assert.match(coloursQuery, /^\u001B\]10;\?\u001B\\\u001B\]11;\?\u001B\\\u001B\]4;0;\?/);
  assert.equal(coloursQuery.match(/\]4;\d+;\?/g)?.length, 16);
  assert.ok(coloursQuery.endsWith('\u001B[c'));
});

const answers: readonly (readonly [string, string])[] = [
  ['10;rgb:d0d0/cfcf/cccc', 'foreground #d0cfcc'],
  ['11;rgb:00/2B/36', 'background #002b36'],
  ['11;rgb:f/0/8', 'background #ff0088'],
  ['11;rgb:fff/000/800', 'background #ff0080'],
  ['11;rgba:1e1e/1e1e/2e2e/ffff', 'background #1e1e2e'],
  ['11;#fdf6e3', 'background #fdf6e3'],
  ['11;#fdfdf6f6e3e3', 'background #fdf6e3'],
  ['4;0;rgb:0000/0000/0000', '0 #000000'],
  ['4;15;rgb:ffff/ffff/ffff', '15 #ffffff'],
  ['4;16;rgb:ffff/ffff/ffff', 'nothing'],
  ['4;-1;rgb:ffff/ffff/ffff', 'nothing'],
  ['12;rgb:ffff/ffff/ffff', 'nothing'],
  ['10;?', 'nothing'],
  ['10;red', 'nothing'],
  ['11;rgb:fffff/0/0', 'nothing'],
  ['11;rgb:00/00', 'nothing'],
  ['11;rgb:00/00/00/00/00', 'nothing'],
  ['11;rgb:0g/00/00', 'nothing'],
  ['11;#12345', 'nothing'],
  ['11;\u001B[31m', 'nothing'],
  [`11;rgb:${'0'.repeat(5000)}`, 'nothing'],
  ['52;c;aGk=', 'nothing'],
  ['', 'nothing'],
];

for (const [text, expected] of answers) {
  test(`${JSON.stringify(text.slice(0, 40))} is ${expected}`, () => {
    const found = parseColourAnswer(text);
    assert.equal(found === undefined ? 'nothing' : `${found.of} ${found.colour}`, expected);
  });
}

test('no piece of an answer is another colour than the whole', () => {
  const whole = '11;rgb:1234/5678/9abc';
  for (let end = 0; end < whole.length - 3; end++)
    assert.equal(parseColourAnswer(whole.slice(0, end))?.of === 'foreground', false);
});

test('answers add up', () => {
  const colours = [
    {of: 'background', colour: '#000000'},
    {of: 4, colour: '#0000ff'},
    {of: 'foreground', colour: '#eeeeee'},
  ] as const;
  assert.deepEqual(colours.reduce(addColour, noColours), {
    background: '#000000',
    foreground: '#eeeeee',
    palette: {4: '#0000ff'},
  });
});
