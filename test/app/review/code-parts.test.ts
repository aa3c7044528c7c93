import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {span} from '../../../source/app/model/line.ts';
import {createCodeColours, toCodeParts} from '../../../source/app/review/code-parts.ts';
import {buildDiffItems, type DiffItem} from '../../../source/app/review/diff-items.ts';
import type {LineItem} from '../../../source/app/review/diff-lines.ts';
import {parseDiff} from '../../../source/app/review/parse-diff.ts';
import {createHighlight} from '../../../source/app/screens/highlight.ts';
import {fc} from '../../support/property.ts';
import {longDiff, toDiff} from '../screens/review-fixture.ts';

describe('the parts of a line', () => {
  test('have the colours of the code and the words that changed', () => {
    const colours = [span('const', 'keyword'), span(' a = '), span("'x'", 'string')];
    assert.deepEqual(toCodeParts({text: "const a = 'x'"}, colours, [{from: 6, to: 12}]), [
      {text: 'const', tone: 'keyword', isChanged: false},
      {text: ' ', tone: 'text', isChanged: false},
      {text: 'a = ', tone: 'text', isChanged: true},
      {text: "'x", tone: 'string', isChanged: true},
      {text: "'", tone: 'string', isChanged: false},
    ]);
  });

  test('have no colours where the safe text is another', () => {
    const text = 'a\u001B[31mb';
    assert.deepEqual(toCodeParts({text}, [span(text, 'string')], []), [
      {text, tone: 'text', isChanged: false},
    ]);
  });

  test('are the whole line in its order, whatever changed', () => {
    const cuts = fc.array(fc.nat({max: 40}), {maxLength: 6});
    fc.assert(
      fc.property(fc.string({maxLength: 40}), cuts, cuts, (text, spans, ranges) => {
        const at = [0, ...spans.toSorted((a, b) => a - b), text.length].map((one) =>
          Math.min(one, text.length),
        );
        const colours = at.slice(1).map((end, index) => ({
          text: text.slice(at[index], end),
          tone: 'keyword' as const,
        }));
        const ends = [...new Set(ranges)].toSorted((a, b) => a - b);
        const changed = ends.flatMap((from, index) =>
          index % 2 === 0 ? [{from, to: ends[index + 1] ?? 40}] : [],
        );
        const parts = toCodeParts({text}, colours, changed);
        assert.equal(parts.map((part) => part.text).join(''), text);
        let index = 0;
        for (const part of parts) {
          for (let end = index + part.text.length; index < end; index++)
            assert.equal(
              part.isChanged,
              changed.some(({from, to}) => index >= from && index < to),
            );
        }
      }),
    );
  });
});

describe('the colours of code', () => {
  const itemsOf = (text: string): readonly DiffItem[] =>
    buildDiffItems(parseDiff(text)[0]!, {comments: [], openFolds: new Set()}).items;

  test('are made once for each line, and for the window alone', () => {
    const items = itemsOf(longDiff(1000));
    let highlighted = 0;
    const colours = createCodeColours((lines) => {
      highlighted += lines.length;
      return lines.map((line) => [span(line, 'keyword')]);
    });
    colours.colour(items, {from: 0, to: 40}, 'a.js');
    const first = highlighted;
    assert.ok(first <= 100, String(first));
    for (let from = 0; from < 50; from++) colours.colour(items, {from, to: from + 40}, 'a.js');
    assert.equal(highlighted, first);
    assert.equal(colours.get(items[1500] as LineItem), undefined);
    colours.colour(items, {from: 1480, to: 1520}, 'a.js');
    assert.notEqual(colours.get(items[1500] as LineItem), undefined);
  });

  test('a comment that begins in the old text does not go on in the new', () => {
    const items = itemsOf(toDiff('a.js', ['-/* old', '+const x = 1;']));
    const colours = createCodeColours(createHighlight());
    colours.colour(items, {from: 0, to: 2}, 'a.js');
    assert.deepEqual(
      items.map((item) => colours.get(item as LineItem)?.[0]?.tone),
      ['comment', 'keyword'],
    );
  });
});
