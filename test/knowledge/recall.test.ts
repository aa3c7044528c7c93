import assert from 'node:assert/strict';
import {test} from 'node:test';
import {countTokens} from '../../source/shared/index.ts';
import {createRecall, parseSummary, recallWithin} from '../../source/knowledge/index.ts';
import {summaryOfTask} from '../../source/reports/index.ts';
import {selectRun, selectTask} from '../../source/domain/index.ts';
import {assertShown} from '../support/shown.ts';
import {toText} from '../plan/sample-plan.ts';
import {tokenStory} from '../reports/runs/token-story.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

const shelf = [
  getNote({
    name: '2026-10-20-r1-t1',
    title: 'Share the refresh in flight',
    files: ['src/token.js', 'test/token.test.js'],
    text: 'Keep the promise of refreshToken and drop it when it settles.',
  }),
  getNote({
    name: '2026-10-21-r2-t1',
    title: 'Draw the chart with canvas',
    files: ['src/chart/draw.ts'],
    text: 'SVG was too slow for 10,000 points.',
  }),
  getNote({
    name: '2025-01-02-r0-t1',
    title: 'Store tokens in a cookie',
    files: ['src/cookie.js'],
    text: 'Local storage can be read by scripts.',
    outcome: 'stopped',
  }),
  {
    path: 'notes/by-hand.md',
    text: '# Why there is no cache\n\nEvery cache so far was stale. See 2024.\n',
  },
];

const recall = createRecall(shelf);
const getPaths = (results: readonly {readonly path: string}[]): string[] =>
  results.map(({path}) => path.replace(/^.*\//, '').replace('.md', ''));

test('a result has its path, title, outcome, date, files, the line that fits, and the text', () => {
  const [first] = recall.search('promise');
  assert.deepEqual(
    {...first, score: 0},
    {
      path: '.orchestra/knowledge/2026-10-20-r1-t1.md',
      title: 'Share the refresh in flight',
      outcome: 'merged',
      date: '2026-10-20',
      files: ['src/token.js', 'test/token.test.js'],
      score: 0,
      excerpt: 'Keep the promise of refreshToken and drop it when it settles.',
      text: '# Task: Share the refresh in flight\n\nKeep the promise of refreshToken and drop it when it settles.',
    },
  );
});

test('words are found in titles, texts and paths, by their beginning, with a slip, and inside of names', () => {
  assert.deepEqual(getPaths(recall.search('canvas')), ['2026-10-21-r2-t1']);
  assert.deepEqual(getPaths(recall.search('canv')), ['2026-10-21-r2-t1']);
  assert.deepEqual(getPaths(recall.search('cookei cookoe')), ['2025-01-02-r0-t1']);
  assert.deepEqual(getPaths(recall.search('draw.ts')), ['2026-10-21-r2-t1']);
  assert.deepEqual(getPaths(recall.search('token')).slice(0, 1), ['2026-10-20-r1-t1']);
  assert.deepEqual(getPaths(recall.search('refresh_token')), [
    '2026-10-20-r1-t1',
    '2025-01-02-r0-t1',
  ]);
  assert.deepEqual(getPaths(recall.search('stale cache')), ['by-hand']);
});

test('of two that fit as well, the newer one comes first', () => {
  const twins = createRecall(
    ['2024-01-01-r1-t1', '2026-01-01-r2-t1', '2025-01-01-r3-t1'].map((name) =>
      getNote({name, title: 'The same', files: ['a.ts'], text: 'The same words.'}),
    ),
  );
  const order = ['2026-01-01-r2-t1', '2025-01-01-r3-t1', '2024-01-01-r1-t1'];
  assert.deepEqual(getPaths(twins.search('same words')), order);
  assert.deepEqual(getPaths(twins.byFiles(['a.ts'])), order);
});

test('files are found by path, by folder and by glob; what nobody touched finds nothing', () => {
  assert.deepEqual(getPaths(recall.byFiles(['src/token.js'])), ['2026-10-20-r1-t1']);
  assert.deepEqual(getPaths(recall.byFiles(['src/chart'])), ['2026-10-21-r2-t1']);
  assert.deepEqual(getPaths(recall.byFiles(['src/*.js', 'test/**'])), [
    '2026-10-20-r1-t1',
    '2025-01-02-r0-t1',
  ]);
  assert.deepEqual(recall.byFiles(['src/token.js'])[0]!.excerpt, 'touched src/token.js');
  assert.deepEqual(recall.byFiles([]), []);
  assert.deepEqual(recall.byFiles(['', 'nowhere.ts', '*a*b*c*d*e*f*', 'x'.repeat(5000)]), []);
});

test('what fits the budget is whole, then short, then left out by name', () => {
  const long = getNote({
    name: '2026-10-22-r3-t1',
    title: 'Long',
    files: ['a'],
    text: 'chart and many words. '.repeat(300),
  });
  const results = createRecall([...shelf, long]).search('chart token long');
  const {pieces, tokens, leftOut} = recallWithin(results, 200);
  assert.ok(tokens <= 200);
  assert.equal(
    tokens,
    pieces.reduce((sum, piece) => sum + countTokens(piece.text), 0),
  );
  assert.match(
    pieces.find(({path}) => path.includes('r3'))!.text,
    /^# Long\nmerged: chart and many words/,
  );
  assert.deepEqual(leftOut, []);
  assert.deepEqual(recallWithin(results, 0), {
    pieces: [],
    tokens: 0,
    leftOut: results.map(({path}) => path),
  });
  assert.deepEqual(recallWithin([...results, ...results], 200).pieces, pieces);
});

test('what a task leaves is found again by its files and by its words', () => {
  const {
    harness: {state, events},
  } = tokenStory();
  const text = summaryOfTask({
    state,
    run: selectRun(state, 'r1')!,
    task: selectTask(state, 'r1.t2')!,
    events,
    date: '2026-10-20',
  });
  const own = createRecall([{path: 'x.md', text}]);
  assert.deepEqual(
    own.byFiles(['src/t1.ts']).map(({outcome, title}) => [outcome, title]),
    [['stopped', 'Say when a token is refreshed']],
  );
  assert.match(
    own.search('link nowhere')[0]!.excerpt,
    /^try 1: failed, test failed: docs\.test\.js:3 a link leads nowhere/,
  );
});

const notes: readonly {
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly problems: number;
}[] = [
  {name: 'no front', text: 'just a line\nand another', title: 'just a line', problems: 0},
  {name: 'another heading', text: '\n\n## Why not ##\ntext', title: 'Why not', problems: 0},
  {name: 'a front that is not YAML', text: '---\na: [\n---\n# T\n', title: 'T', problems: 1},
  {name: 'a front that does not end', text: '---\nrun: r1\n# T\n', title: 'T', problems: 0},
  {
    name: 'a front of other fields',
    text: '---\ntags: [a]\nfiles: src/a.ts\noutcome: won\ntokens: many\n---\n# T\n',
    title: 'T',
    problems: 0,
  },
  {
    name: 'aliases that grow',
    text: `---\na: &a [x,x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b]\n---\n# T\n`,
    title: 'T',
    problems: 1,
  },
  {name: 'nothing', text: '', title: '', problems: 1},
  {name: 'too much', text: `# T\n${'word '.repeat(20_000)}`, title: 'T', problems: 1},
  {
    name: 'Windows line ends and a byte order mark',
    text: '\uFEFF---\r\nrun: r1\r\n---\r\n# T\r\n',
    title: 'T',
    problems: 0,
  },
];

for (const {name, text, title, problems} of notes) {
  test(`markdown of others is read as far as it goes: ${name}`, () => {
    const reading = parseSummary(text);
    assert.equal(reading.value.title, title);
    assert.equal(reading.problems.length, problems);
  });
}

test('a front of other fields gives what can be used', () => {
  const {outcome, files, tokens} = parseSummary(notes[4]!.text).value;
  assert.deepEqual(
    {outcome, files, tokens},
    {outcome: 'unknown', files: ['src/a.ts'], tokens: undefined},
  );
});

test('500 hostile texts and questions: nothing throws, nothing acts on a terminal, results are few', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(toText(300), toText(300)), {maxLength: 5}),
      toText(200),
      (texts, question) => {
        const own = createRecall(
          texts.map(([front, body], index) => ({
            path: `${question}${index}.md`,
            text: `---\ntitle: ${front}\nfiles: [${front}]\n---\n# ${body}`,
          })),
        );
        for (const result of [
          ...own.search(question),
          ...own.search(texts[0]?.[1] ?? ''),
          ...own.byFiles([question, '**']),
        ]) {
          assertShown(
            `${result.path}${result.title}${result.excerpt}${result.text}${result.files.join('')}`,
          );
          assert.ok(result.excerpt.length <= 2000 && result.title.length <= 1200);
        }

        for (const hostile of [
          '__proto__',
          'constructor toString',
          '*',
          '',
          ' ',
          'x'.repeat(100_000),
        ])
          assert.ok(own.search(hostile).length <= 50);
      },
    ),
    {numRuns: scaled(500)},
  );
});

test('a thousand summaries are searched, and the result is the same whatever their order was', () => {
  const many = Array.from({length: 1000}, (_, index) =>
    getNote({
      name: `2026-01-${String(1 + (index % 28)).padStart(2, '0')}-r${index}-t1`,
      title: `Number ${index}`,
      files: [`src/${index}.ts`],
      text: `About part ${index % 10} of the house.`,
    }),
  );
  const results = createRecall(many).search('part house');
  assert.equal(results.length, 50);
  assert.deepEqual(createRecall(many.toReversed()).search('part house'), results);
});

function getNote({
  name,
  title,
  files,
  text,
  outcome = 'merged',
}: {
  readonly name: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly text: string;
  readonly outcome?: string;
}): {readonly path: string; readonly text: string} {
  return {
    path: `.orchestra/knowledge/${name}.md`,
    text: `---\noutcome: ${outcome}\ndate: ${name.slice(0, 10)}\nfiles: [${files.join(', ')}]\n---\n# Task: ${title}\n\n${text}\n`,
  };
}
