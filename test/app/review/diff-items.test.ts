import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {DiffComment} from '../../../source/app/model/model.ts';
import {
  buildDiffItems,
  createDiffItemsCache,
  type DiffItem,
  type DiffItems,
  type DiffItemsOptions,
} from '../../../source/app/review/diff-items.ts';
import {
  type LineItem,
  maxLineCharacters,
  selectChangedRanges,
  toLineNumber,
} from '../../../source/app/review/diff-lines.ts';
import {
  changeNumber,
  nextChange,
  previousChange,
  restoreCursor,
  toItemKey,
} from '../../../source/app/review/move-cursor.ts';
import {type DiffFile, parseDiff} from '../../../source/app/review/parse-diff.ts';
import {toSideBySide} from '../../../source/app/review/side-by-side.ts';
import {createRandom} from '../../support/random.ts';
import {makeRandomDiffs} from './random-diff.ts';

const plain: DiffItemsOptions = {comments: [], openFolds: new Set()};

/** A diff of one file from rows such as ` same`, `-old`, `+new`. */
function toFile(rows: readonly string[], start = 1): DiffFile {
  const count = (sign: string): number => rows.filter((row) => !row.startsWith(sign)).length;
  const head = `@@ -${start},${count('+')} +${start},${count('-')} @@`;
  const [file] = parseDiff(`diff --git a/x.ts b/x.ts\n${[head, ...rows].join('\n')}\n`);
  assert.ok(file !== undefined);
  return file;
}

function context(count: number, name = 'same'): string[] {
  return Array.from({length: count}, (_, index) => ` ${name} ${index}`);
}

function comment(line: number, source: string, text = 'why?'): DiffComment {
  return {of: 'r1', path: 'x.ts', line, source, text};
}

/** Items in short: `+new`, `fold 4`, `comment why?`. */
function inShort({items}: DiffItems): string[] {
  return items.map((item) => {
    switch (item.kind) {
      case 'context':
        return ` ${item.text}`;
      case 'added':
        return `+${item.text}`;
      case 'removed':
        return `-${item.text}`;
      case 'fold':
        return `${item.isOpen ? 'open' : 'fold'} ${item.count} (${item.from}-${item.to})`;
      case 'hunk-gap':
        return `gap ${item.count}`;
      case 'comment':
        return `${item.isStray ? 'stray' : 'comment'} ${item.comment.text}`;
      case 'field':
        return 'field';
      case 'notice':
        return item.text;
    }
  });
}

describe('items of a file:', () => {
  const tenAround = [...context(5, 'a'), '+new', ...context(5, 'b')];
  const cases: readonly (readonly [
    name: string,
    file: DiffFile,
    options: Partial<DiffItemsOptions>,
    shown: readonly string[],
  ])[] = [
    [
      'context beyond three lines is folded',
      toFile(tenAround),
      {},
      ['fold 2 (1-2)', ' a 2', ' a 3', ' a 4', '+new', ' b 0', ' b 1', ' b 2', 'fold 2 (10-11)'],
    ],
    [
      'a single line is not folded',
      toFile([...context(4), '+new']),
      {},
      [' same 0', ' same 1', ' same 2', ' same 3', '+new'],
    ],
    [
      'an open fold is followed by its lines',
      toFile(['-old', ...context(8), '+new']),
      {openFolds: new Set(['fold 2'])},
      ['-old', ...context(3), 'open 2 (4-5)', ...context(8).slice(3), '+new'],
    ],
    [
      'a comment stands below its line',
      toFile([' a', '-b', '+c', ' d']),
      {comments: [comment(2, 'c'), comment(2, 'b', 'gone?'), comment(3, 'd', 'd?')]},
      [' a', '-b', 'comment gone?', '+c', 'comment why?', ' d', 'comment d?'],
    ],
    [
      'a comment divides a fold',
      toFile(['+new', ...context(10)]),
      {comments: [comment(8, 'same 6')]},
      ['+new', ...context(3), 'fold 3 (5-7)', ' same 6', 'comment why?', 'fold 3 (9-11)'],
    ],
    [
      'a comment whose line is another now stands at the end',
      toFile(['+new', ' a']),
      {comments: [comment(1, 'was'), comment(9, 'a', 'far')]},
      ['+new', ' a', 'stray why?', 'stray far'],
    ],
    [
      'a comment on another file is not here',
      toFile(['+new']),
      {comments: [{...comment(1, 'new'), path: 'y.ts'}]},
      ['+new'],
    ],
    [
      'the field stands below its line, instead of the comment that is edited',
      toFile(['+new', ' a']),
      {comments: [comment(1, 'new')], field: {line: 1, source: 'new'}},
      ['+new', 'field', ' a'],
    ],
    [
      'a comment that is being sent stays beside the field',
      toFile(['+new']),
      {comments: [{...comment(1, 'new'), sentAs: 'all'}], field: {line: 1, source: 'new'}},
      ['+new', 'comment why?', 'field'],
    ],
    [
      'the same number and text on both sides: the comment is there once, on the new side',
      toFile(['-a', '+a']),
      {comments: [comment(1, 'a')]},
      ['-a', '+a', 'comment why?'],
    ],
    ['lines that git left out', toFile(['+new'], 7), {}, ['gap 6', '+new']],
    [
      'a renamed file, with a new mode',
      {path: 'x.ts', before: 'y.ts', how: 'R', notices: ['It can be run.'], hunks: []},
      {},
      ['Renamed from y.ts.', 'It can be run.'],
    ],
    ['an empty file', {path: 'x.ts', how: 'A', notices: [], hunks: []}, {}, ['A new, empty file.']],
    [
      'a file that is gone, with a comment',
      {path: 'x.ts', how: 'M', notices: [], hunks: [], isGone: true},
      {comments: [comment(1, 'a')]},
      ['It is no longer part of the change. Your comments are still sent.', 'stray why?'],
    ],
  ];
  for (const [name, file, options, shown] of cases)
    test(name, () => {
      assert.deepEqual(inShort(buildDiffItems(file, {...plain, ...options})), shown);
    });
});

describe('text of a line:', () => {
  const long = 'x'.repeat(maxLineCharacters);
  const cases: readonly (readonly [
    name: string,
    rows: readonly string[],
    shown: string,
    omitted?: number,
  ])[] = [
    ['tabs go to the next stop of four', ['+\ta\tbc\td'], '    a   bc  d'],
    ['tabs after wide characters', ['+漢\ta'], '漢  a'],
    ['a carriage return is not shown', ['+a\r'], 'a'],
    ['a change of line ends is shown', ['+a\r', '-a'], 'a␍'],
    [
      'NUL and escapes are left to the component that sanitises',
      ['+a\0\u001B[1mb'],
      'a\0\u001B[1mb',
    ],
    ['a long line is cut', [`+${long}yz`], long, 2],
    ['a line is never cut inside a character', [`+${long.slice(1)}👍`], long.slice(1), 2],
    ['many tabs cost little', [`+${'\t'.repeat(10_000)}`], ' '.repeat(maxLineCharacters), 14_000],
  ];
  for (const [name, rows, shown, omitted = 0] of cases)
    test(name, () => {
      const [item] = buildDiffItems(toFile(rows), plain).items;
      assert.ok(item?.kind === 'added');
      assert.deepEqual([item.text, item.omitted, item.source], [shown, omitted, rows[0]?.slice(1)]);
    });
});

test('alike lines know each other, and which words differ', () => {
  const {items} = buildDiffItems(
    toFile(['-log(items, total);', '+check(card);', "+log(items, total, 'EUR');"]),
    plain,
  );
  const [old, other, fresh] = items.filter(isLine);
  assert.deepEqual([old?.pair?.line, other?.pair, fresh?.pair?.line], [2, undefined, 1]);
  assert.deepEqual(selectChangedRanges(old!), []);
  assert.deepEqual(
    selectChangedRanges(fresh!).map(({from, to}) => fresh?.text.slice(from, to)),
    [", 'EUR'"],
  );
  assert.deepEqual(selectChangedRanges(other!), []);
});

describe('moving by changes:', () => {
  const diff = buildDiffItems(toFile([' a', '-b', '+c', ' d', '+e', '+f', ' g']), {
    ...plain,
    comments: [comment(2, 'b')],
  });
  // a, -b, comment, +c, d, +e, +f, g
  const cases: readonly (readonly [
    cursor: number,
    next: number | undefined,
    previous: number | undefined,
    number: number,
  ])[] = [
    [0, 1, undefined, 0],
    [1, 5, undefined, 1],
    [2, 5, 1, 1],
    [3, 5, 1, 1],
    [4, 5, 1, 1],
    [5, undefined, 1, 2],
    [6, undefined, 5, 2],
    [7, undefined, 5, 2],
  ];
  for (const [cursor, next, previous, number] of cases)
    test(`from item ${cursor}`, () => {
      assert.deepEqual(
        [nextChange(diff, cursor), previousChange(diff, cursor), changeNumber(diff, cursor)],
        [next, previous, {number, of: 2}],
      );
    });
});

describe('the cursor stays on its item', () => {
  const file = toFile(['+a', ...context(20), '+b']);
  const closed = buildDiffItems(file, plain);
  const opened = buildDiffItems(file, {...plain, openFolds: new Set(['fold 1'])});
  test('when a fold above it opens', () => {
    const last = closed.items.length - 1;
    const at = restoreCursor(closed, last, opened);
    assert.equal(opened.items[at], opened.items.at(-1));
  });
  test('on the fold itself', () => {
    const at = closed.items.findIndex(({kind}) => kind === 'fold');
    assert.equal(restoreCursor(closed, at, opened), at);
  });
  test('when its fold closes, on the fold', () => {
    const inside = opened.items.findIndex((item) => isLine(item) && item.text === 'same 9');
    assert.equal(closed.items[restoreCursor(opened, inside, closed)]?.kind, 'fold');
  });
  test('when its comment is deleted, on the line', () => {
    const commented = buildDiffItems(file, {...plain, comments: [comment(1, 'a')]});
    assert.equal(restoreCursor(commented, 1, closed), 0);
  });
  test('when nothing is left, at the start', () => {
    assert.equal(restoreCursor(closed, 3, {items: [], changes: []}), 0);
  });
});

test('side by side: pairs share a row, comments follow it', () => {
  const diff = buildDiffItems(
    toFile([' a', '-const x = 1;', '-gone', '+import y;', '+const x = 2;', ' z']),
    {...plain, comments: [comment(2, 'const x = 1;'), comment(3, 'const x = 2;', 'new')]},
  );
  const {rows, rowOf} = toSideBySide(diff);
  const text = (index: number | undefined): string =>
    index === undefined ? '' : (inShort({...diff, items: [diff.items[index]!]})[0] ?? '');
  assert.deepEqual(
    rows.map((row) => ('across' in row ? text(row.across) : [text(row.left), text(row.right)])),
    [
      [' a', ' a'],
      ['', '+import y;'],
      ['-const x = 1;', '+const x = 2;'],
      'comment why?',
      'comment new',
      ['-gone', ''],
      [' z', ' z'],
    ],
  );
  assert.deepEqual(rowOf, [0, 2, 3, 5, 1, 2, 4, 6]);
});

test('random changes: both files are in the items, and nothing that matters is hidden', async () => {
  const diffs = await makeRandomDiffs('review', 80);
  assert.ok(diffs.length > 50);
  for (const {before, after, short, whole} of diffs) {
    assert.deepEqual(rebuild(buildDiffItems(whole, openAll(whole)), before), [before, after]);
    assert.deepEqual(rebuild(buildDiffItems(short, openAll(short)), before), [before, after]);
    assert.deepEqual(changedLines(short), changedLines(whole));
    checkRandomOptions(whole);
    checkRandomOptions(short);
  }
});

/** Folds, comments and a field by chance. */
function checkRandomOptions(file: DiffFile): void {
  const random = createRandom(`${file.path} ${file.hunks.length}`);
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const pickPlace = (): DiffComment => {
    const line = random.pick(lines);
    return {
      ...comment(toLineNumber({oldLine: line.oldLine, newLine: line.newLine}), line.text),
      path: file.path,
      text: `comment ${random.below(1e9)}`,
    };
  };

  const comments = [
    ...Array.from({length: random.below(5)}, pickPlace),
    {...comment(9999, 'lost'), path: file.path},
  ];
  const all = openAll(file).openFolds;
  const diff = buildDiffItems(file, {
    comments,
    openFolds: new Set([...all].filter(() => random.chance(0.5))),
  });
  assert.deepEqual(
    diff.items.flatMap((item) => (item.kind === 'comment' ? [item.comment.text] : [])).sort(),
    comments.map(({text}) => text).sort(),
  );
  for (const [index, item] of diff.items.entries())
    if (item.kind === 'comment' && !item.isStray)
      assert.equal(lineAbove(diff.items, index)?.source, item.comment.source);
  assert.deepEqual(changedItems(diff), changedLines(file));
  const hidden = diff.items.reduce(
    (sum, item) => sum + (item.kind === 'fold' && !item.isOpen ? item.count : 0),
    0,
  );
  assert.equal(diff.items.filter(isLine).length + hidden, lines.length);
  assert.equal(new Set(diff.items.map(toItemKey)).size, diff.items.length);
  checkSideBySide(diff);
}

function checkSideBySide(diff: DiffItems): void {
  const {rows, rowOf} = toSideBySide(diff);
  const shown = rows.flatMap((row) =>
    'across' in row ? [row.across] : [...new Set([row.left, row.right])],
  );
  assert.deepEqual(
    shown.filter((index) => index !== undefined).sort((one, other) => one - other),
    diff.items.map((_, index) => index),
  );
  for (const side of ['left', 'right'] as const) {
    const own = rows.flatMap((row) => ('across' in row ? [] : (row[side] ?? [])));
    assert.deepEqual(
      own,
      own.toSorted((one, other) => one - other),
    );
  }

  assert.equal(rowOf.length, diff.items.length);
}

function openAll(file: DiffFile): DiffItemsOptions {
  const folds = buildDiffItems(file, plain).items.filter((item) => item.kind === 'fold');
  return {comments: [], openFolds: new Set(folds.map(({id}) => id))};
}

function isLine(item: DiffItem): item is LineItem {
  return item.kind === 'context' || item.kind === 'added' || item.kind === 'removed';
}

function lineAbove(items: readonly DiffItem[], index: number): LineItem | undefined {
  return items.slice(0, index).findLast(isLine);
}

function changedLines(file: DiffFile): string[] {
  return file.hunks
    .flatMap(({lines}) => lines)
    .filter(({kind}) => kind !== 'context')
    .map(({kind, text}) => `${kind} ${text}`);
}

function changedItems({items}: DiffItems): string[] {
  return items
    .filter(isLine)
    .filter(({kind}) => kind !== 'context')
    .map(({kind, source}) => `${kind} ${source}`);
}

/** The old and the new file from the items; what git left out is taken from the old file. */
function rebuild({items}: DiffItems, before: string): [string, string] {
  const all = before.split(/(?<=\n)/);
  const [old, fresh]: [string[], string[]] = [[], []];
  const skip = (count: number): void => {
    const left = all.slice(old.length, old.length + count);
    old.push(...left);
    fresh.push(...left);
  };

  for (const item of items) {
    if (item.kind === 'hunk-gap') skip(item.count);
    if (!isLine(item)) continue;
    const text = `${item.source}${item.hasNoNewline ? '' : '\n'}`;
    if (item.kind !== 'added') old.push(text);
    if (item.kind !== 'removed') fresh.push(text);
  }

  skip(all.length);
  return [old.join(''), fresh.join('')];
}

test('the cache builds again only for another file, comment, fold or field', () => {
  const cached = createDiffItemsCache();
  const [file, other] = [toFile(['+a', ...context(9)]), toFile(['+a', ...context(9)])];
  const own = comment(1, 'a');
  const options = {...plain, comments: [own]};
  const first = cached(file, options);
  assert.equal(cached(file, {...options, comments: [own]}), first);
  cached(other, options);
  assert.equal(
    cached(file, {...options, comments: [own, {...comment(1, 'b'), path: 'other'}]}),
    first,
  );
  assert.notEqual(cached(file, {...options, comments: []}), first);
  const opened = cached(file, {...options, openFolds: new Set(['fold 1'])});
  assert.notEqual(opened, first);
  // Lines are the same objects, so that rows that did not change are not drawn again.
  assert.equal(opened.items[0], first.items[0]);
  assert.notEqual(cached(file, {...options, field: {line: 1, source: 'a'}}), first);
});

describe('10,000 changed lines are items in little time:', () => {
  const code = (index: number, value: string): string =>
    `  const result${index} = compute(${value}, items[${index}], options);`;
  const cases: readonly (readonly [name: string, rows: readonly string[]])[] = [
    [
      'one block',
      [
        ...Array.from({length: 5000}, (_, index) => `-${code(index, 'a')}`),
        ...Array.from({length: 5000}, (_, index) => `+${code(index, 'b')}`),
      ],
    ],
    [
      'blocks of two',
      Array.from({length: 5000}, (_, index) => [
        `-${code(index, 'a')}`,
        `+${code(index, 'other, b')}`,
        ' same',
      ]).flat(),
    ],
    [
      'blocks of forty that have nothing in common',
      Array.from({length: 250}, (_, block) => [
        ...Array.from({length: 20}, (_, index) => `-${code(index + block, 'a')}`),
        ...Array.from(
          {length: 20},
          (_, index) => `+if (x${index}) throw new Error('${block} is bad');`,
        ),
        ' same',
      ]).flat(),
    ],
    ['a new file', Array.from({length: 10_000}, (_, index) => `+${code(index, '1')}`)],
  ];
  for (const [name, rows] of cases)
    test(name, () => {
      const file = toFile(rows);
      buildDiffItems(file, plain);
      const times = Array.from({length: 5}, () => {
        const started = process.cpuUsage();
        buildDiffItems(file, plain);
        const {user, system} = process.cpuUsage(started);
        return (user + system) / 1000;
      });
      const fastest = Math.min(...times);
      assert.ok(fastest < 60, `${times.join(', ')} ms`);
    });
});
