import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toPlainLines} from '../../source/failures/log-lines.ts';

test('colours, titles and links are taken away, words stay', () => {
  assert.deepEqual(
    toPlainLines(
      '\u001B[1;31merror\u001B[0m: \u001B]8;;http://x\u001B\\link\u001B]8;;\u0007 \u001B(B\u009B0mend',
    ),
    ['error: link end'],
  );
  assert.deepEqual(toPlainLines('\u001B]0;a title without an end'), ['0;a title without an end']);
});

test('of a line that was redrawn the last drawing stays', () => {
  assert.deepEqual(toPlainLines('10%\r50%\r100%\nnext'), ['100%', 'next']);
  assert.deepEqual(toPlainLines('\r\u001B[2K10%\r\u001B[2K'), ['']);
  assert.deepEqual(toPlainLines('old\u001B[2K\u001B[1Gnew'), ['new']);
});

test('a carriage return with nothing after it hides nothing', () => {
  assert.deepEqual(toPlainLines('a\r\nb\r\r\nc\r\u001B[0m\n'), ['a', 'b', 'c', '']);
});

test('a very long line is cut; the end of a very long progress bar is seen', () => {
  assert.deepEqual(
    toPlainLines('x'.repeat(5_000_000)).map((line) => line.length),
    [1000],
  );
  assert.deepEqual(toPlainLines(`${'\r50%'.repeat(1_000_000)}\rdone`), ['done']);
});
