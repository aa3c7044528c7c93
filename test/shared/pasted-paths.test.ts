import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parsePastedPaths, quotePath} from '../../source/shared/pasted-paths.ts';

const pastes: readonly (readonly [text: string, paths: readonly string[] | undefined])[] = [
  ['/home/me/shot.png', ['/home/me/shot.png']],
  // A terminal adds a space, so that the next file can follow.
  ['/home/me/shot.png ', ['/home/me/shot.png']],
  [String.raw`/home/me/My\ shot\ \(1\).png`, ['/home/me/My shot (1).png']],
  ["'/home/me/My shot.png'", ['/home/me/My shot.png']],
  [String.raw`'/home/me/it'\''s.png'`, ["/home/me/it's.png"]],
  ['"/home/me/My shot.png"', ['/home/me/My shot.png']],
  ['/home/me/My shot.png', ['/home/me/My shot.png']],
  ["/home/me/it's.png", ["/home/me/it's.png"]],
  ['/a/one.png /a/two.png', ['/a/one.png', '/a/two.png']],
  ["'/a/one.png' '/a/t wo.png' ", ['/a/one.png', '/a/t wo.png']],
  ['/a/one.png\n/a/t wo.png\n', ['/a/one.png', '/a/t wo.png']],
  ['file:///home/me/My%20shot.png\r\n', ['/home/me/My shot.png']],
  ['file://localhost/a.png file:///b.png', ['/a.png', '/b.png']],
  ['/home/me/größe.png', ['/home/me/größe.png']],
  // Any other text.
  ['', undefined],
  [' ', undefined],
  ['see /home/me/shot.png', undefined],
  ['shot.png', undefined],
  ['~/shot.png', undefined],
  ['https://example.com/shot.png', undefined],
  ['file://elsewhere/shot.png', undefined],
  ['file:///%zz', undefined],
  ['file:///a%00b', undefined],
  ['file:///a%0Ab', undefined],
  ['/a\u001B[201~b', undefined],
  ['/a\nand more', undefined],
  [`/${'x'.repeat(5000)}`, undefined],
  [Array.from({length: 21}, (_, index) => `/f${index}`).join('\n'), undefined],
];

test('a pasted text that is paths is recognised, any other is not', () => {
  for (const [text, paths] of pastes)
    assert.deepEqual(parsePastedPaths(text), paths, JSON.stringify(text));
});

test('a path is written as it is read again', () => {
  for (const path of ['/a/b.png', '/a b/(c) "d" \'e\'/$f\\g`h`;i&j|k.png', '/größe/日本.png'])
    assert.deepEqual(parsePastedPaths(quotePath(path)), [path]);
  assert.equal(quotePath('/a/größe-1.png'), '/a/größe-1.png');
});

test('hostile texts take no time', () => {
  const start = performance.now();
  for (const text of ['/\\'.repeat(8000), `/"${'\\"'.repeat(8000)}`, `/'${"a'".repeat(8000)}`])
    parsePastedPaths(text);
  assert.ok(performance.now() - start < 500);
});
