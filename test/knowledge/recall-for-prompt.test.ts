import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createRecall, type PromptQuery} from '../../source/knowledge/index.ts';
import {countTokens} from '../../source/shared/index.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';
import {assertShown} from '../support/shown.ts';

type Note = {
  readonly name: string;
  readonly task?: string;
  readonly outcome?: string;
  readonly title?: string;
  readonly files?: readonly string[];
  readonly body?: string;
};

const decided = '## Decisions\n- Keep the promise of refreshToken() until it settles.\n';

function getNote({
  name,
  task = 'r1.t1',
  outcome = 'merged',
  title = 'Share the refresh',
  files = ['src/token.js'],
  body = decided,
}: Note): {readonly path: string; readonly text: string} {
  const run = task.split('.', 1)[0] ?? '';
  const id = task.includes('.') ? `task: ${task}\n` : '';
  return {
    path: `.orchestra/knowledge/${name}.md`,
    text: `---\nrun: ${run}\n${id}outcome: ${outcome}\ndate: ${name.slice(0, 10)}\nfiles: ${JSON.stringify(files)}\n---\n\n# Task: ${title}\n\n## Objective\nStop refreshing tokens twice\n\n${body}\n## Record\n- commits: none\n`,
  };
}

const query: PromptQuery = {text: 'Refresh earlier', files: ['src/token.js']};

function recalled(notes: readonly Note[], more: Partial<PromptQuery> = {}): string[] {
  return createRecall(notes.map(getNote))
    .forPrompt({...query, ...more}, 1500)
    .map(({path}) => path.replace(/^.*\/|\.md$/g, ''));
}

test('an entry has the decisions, rejected alternatives, causes and failures, and nothing else', () => {
  const body = `## Root cause
Two callers refresh at once.

${decided}
## Rejected
- A lock file: it survives a crash

## What failed first
- try 1: failed, test failed: expected 1, got 2; changed 1 file, +3 -1
- try 2 (repair): green; changed 1 file, +3 -1

## Validation
- test \`npm test\`: passed in try 2
`;
  const [entry] = createRecall([getNote({name: '2026-10-20-r1-t1', body})]).forPrompt(query, 1500);
  assert.equal(
    entry?.text,
    `# Share the refresh (r1.t1, merged, 2026-10-20)
- root cause: Two callers refresh at once.
- decided: Keep the promise of refreshToken() until it settles.
- rejected: A lock file: it survives a crash
- failed: try 1: failed, test failed: expected 1, got 2; changed 1 file, +3 -1`,
  );
});

test('of a task that was stopped and later merged the latest holds, also in another run', () => {
  const stopped = {
    name: '2026-10-19-r1-t1',
    outcome: 'stopped',
    body: '## Why it failed\n- try 1: failed, test failed: x\n',
  };
  assert.deepEqual(recalled([stopped, {name: '2026-10-20-r1-t1'}]), ['2026-10-20-r1-t1']);
  assert.deepEqual(recalled([stopped, {name: '2026-10-20-r4-t2', task: 'r4.t2'}]), [
    '2026-10-20-r4-t2',
  ]);
  assert.deepEqual(
    recalled([{...stopped, name: '2026-10-20-r1-t1'}, {name: '2026-10-20-r1-t1-2'}]),
    ['2026-10-20-r1-t1-2'],
  );
  assert.deepEqual(
    recalled(
      [
        {name: '2026-10-20-r1-t1', title: 'Fix it', files: ['a.ts', 'src/token.js']},
        {name: '2026-10-20-r2-t1', task: 'r2.t1', title: 'Fix it', files: ['b.ts']},
      ],
      {files: ['src/token.js', 'b.ts']},
    ).length,
    2,
    'the same title is not the same task',
  );
});

describe('nothing is recalled', () => {
  const cases: readonly (readonly [string, readonly Note[], Partial<PromptQuery>])[] = [
    [
      'of the task itself',
      [{name: '2026-10-20-r1-t1'}],
      {own: [{task: 'r1.t1', title: 'Share the refresh'}]},
    ],
    [
      'of another variant of the task, which failed',
      [{name: '2026-10-20-r1-t3', task: 'r1.t3', outcome: 'stopped'}],
      {
        own: [
          {task: 'r1.t1', title: 'Share the refresh'},
          {task: 'r1.t3', title: 'Share the refresh'},
        ],
      },
    ],
    [
      'of a summary that has only its objective and its checks',
      [{name: '2026-10-20-r1-t1', body: '## Objective\nX.\n\n## Checks\n- test: passed\n'}],
      {},
    ],
    [
      'of a run whose tasks have summaries',
      [
        {name: '2026-10-20-r1', task: 'r1', outcome: 'ready'},
        {name: '2026-10-20-r1-t1', files: ['else.ts'], body: '## Decisions\n- Other.\n'},
      ],
      {},
    ],
    ['of a discarded task that was green', [{name: '2026-10-20-r1-t1', outcome: 'discarded'}], {}],
    [
      'of a run that was discarded later',
      [{name: '2026-10-20-r1-t1'}],
      {
        discarded: [{run: 'r1', titles: ['x', 'Share the refresh']}],
      },
    ],
    [
      'of a run whose own summary says that it was discarded',
      [{name: '2026-10-20-r1-t1'}, {name: '2026-10-20-r1', task: 'r1', outcome: 'discarded'}],
      {},
    ],
    [
      'for an unrelated objective',
      [{name: '2026-10-20-r1-t1'}],
      {text: 'Add a help page', files: ['docs/help.md']},
    ],
    [
      'for one common word',
      [{name: '2026-10-20-r1-t1'}],
      {text: 'Refresh the colours of the page', files: []},
    ],
    [
      'by a file that everybody changes',
      [{name: '2026-10-20-r1-t1', files: ['package.json']}],
      {
        text: 'Raise eslint',
        files: ['package.json'],
      },
    ],
  ];
  for (const [name, notes, more] of cases)
    test(name, () => {
      assert.deepEqual(recalled(notes, more), []);
    });
});

test('of a discarded task, why it failed reaches whoever changes the same file, and nobody else', () => {
  const failed: Note = {
    name: '2026-10-20-r1-t1',
    outcome: 'discarded',
    body: `## Why it failed\n- try 1: failed, test failed: stale token\n- discarded by a person\n\n${decided}`,
  };
  const [entry] = createRecall([getNote(failed)]).forPrompt(query, 1500);
  assert.equal(
    entry?.text,
    '# Share the refresh (r1.t1, discarded, 2026-10-20)\n- failed: try 1: failed, test failed: stale token',
  );
  assert.deepEqual(
    recalled([failed], {text: 'refreshToken() refreshes a token twice', files: []}),
    [],
  );
});

test('a run of another clone with the same id is not taken for the one that was discarded', () => {
  assert.deepEqual(
    recalled([{name: '2026-10-20-r1-t1'}], {
      discarded: [{run: 'r1', titles: ['Another objective']}],
    }),
    ['2026-10-20-r1-t1'],
  );
});

test('names of code and paths in an objective find what words alone do not', () => {
  assert.deepEqual(
    recalled([{name: '2026-10-20-r1-t1'}], {text: 'Why does refreshToken() throw?', files: []}),
    ['2026-10-20-r1-t1'],
  );
  assert.deepEqual(recalled([{name: '2026-10-20-r1-t1'}], {text: 'Tidy src/token.js', files: []}), [
    '2026-10-20-r1-t1',
  ]);
});

test('what a conversation was given is not given again, until it changes', () => {
  const recall = createRecall([getNote({name: '2026-10-20-r1-t1'})]);
  const given = recall.forPrompt(query, 1500).map(({id}) => id);
  assert.equal(given.length, 1);
  assert.deepEqual(recall.forPrompt({...query, given}, 1500), []);
  const changed = createRecall([
    getNote({name: '2026-10-20-r1-t1', body: `${decided}- And drop it then.\n`}),
  ]);
  assert.equal(changed.forPrompt({...query, given}, 1500).length, 1);
});

test('where the budget is short, the lines that the task mentions are kept, and never a title alone', () => {
  const body = `## Decisions\n${Array.from({length: 8}, (_, index) => `- Decision ${index} about the colour of something else entirely.`).join('\n')}\n- refreshToken() keeps its promise.\n`;
  const recall = createRecall([getNote({name: '2026-10-20-r1-t1', body})]);
  const about: PromptQuery = {...query, text: 'refreshToken() fails'};
  const [short] = recall.forPrompt(about, 60);
  assert.match(
    short?.text ?? '',
    /^# Share[^\n]+\n- decided: .*[\s\S]*refreshToken\(\) keeps its promise\.$/,
  );
  assert.ok((short?.tokens ?? 99) <= 60);
  assert.deepEqual(recall.forPrompt(about, 22), []);
});

test('a note by hand is recalled by what it says', () => {
  const recall = createRecall([
    {
      path: 'notes/cache.md',
      text: '# Why there is no cache\n\nEvery cache of search results was stale.\n',
    },
  ]);
  assert.deepEqual(
    recall.forPrompt({text: 'Cache the search results', files: []}, 500).map(({text}) => text),
    ['# Why there is no cache\nEvery cache of search results was stale.'],
  );
  assert.deepEqual(recall.forPrompt({text: 'Cache the fonts', files: []}, 500), []);
});

test('hostile summaries neither throw nor exceed the budget nor reach the terminal', () => {
  const text = fc.string({maxLength: 300, unit: 'binary'});
  fc.assert(
    fc.property(
      fc.array(text, {maxLength: 6}),
      text,
      fc.integer({min: 0, max: 300}),
      (texts, about, budget) => {
        const notes = texts.map((body, index) => ({
          path: `${body.slice(0, 20)}${index}.md`,
          text: `---\nrun: r1\ntask: r1.t${index}\noutcome: merged\nfiles: [src/token.js]\n---\n# ${about}\n## Decisions\n- ${body}\n`,
        }));
        const pieces = createRecall(notes).forPrompt(
          {text: about, files: ['src/token.js', about]},
          budget,
        );
        const tokens = pieces.reduce((sum, piece) => sum + countTokens(piece.text), 0);
        assert.ok(tokens <= budget, `${tokens} of ${budget}`);
        for (const piece of pieces) assertShown(piece.text);
      },
    ),
    {numRuns: scaled(200)},
  );
});

test('long lines and many summaries take linear time', () => {
  const line = `- ${'a_b.c/'.repeat(3000)}()\n`;
  const notes = Array.from({length: 300}, (_, index) =>
    getNote({
      name: `2026-10-20-r${index}-t1`,
      task: `r${index}.t1`,
      title: `T ${index}`,
      body: `## Decisions\n${line.repeat(2)}`,
    }),
  );
  const start = performance.now();
  createRecall(notes).forPrompt({text: line.repeat(5), files: ['src/token.js']}, 1500);
  assert.ok(performance.now() - start < 20_000);
});
