import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  addCommentedFiles,
  buildFileTree,
  type FileTreeOptions,
  orderFiles,
} from '../../../source/app/review/file-tree.ts';
import {selectFileTasks} from '../../../source/app/review/select-review.ts';
import {type DiffFile, parseDiff} from '../../../source/app/review/parse-diff.ts';
import {toggleViewed} from '../../../source/app/review/viewed.ts';
import {type ChangedFile, type Run, selectRun, type Task} from '../../../source/domain/index.ts';
import type {DiffComment} from '../../../source/app/model/model.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {mergeTask, validate, working} from '../../domain/support/stages.ts';

const plain: FileTreeOptions = {comments: [], viewed: [], taskOf: () => undefined};

function toFiles(...paths: readonly string[]): DiffFile[] {
  return paths.map((path) => ({path, how: 'M', notices: [], hunks: []}));
}

function comment(path: string): DiffComment {
  return {of: 'r1', path, line: 1, source: 'a', text: 'why?'};
}

test('files without a directory first, then directory by directory', () => {
  const files = orderFiles(
    toFiles('src/a.ts', 'src/api/x.ts', 'src/b.ts', 'readme.md', 'docs/a.md'),
  );
  assert.deepEqual(
    buildFileTree(files, plain).map((row) => (row.kind === 'file' ? `  ${row.name}` : row.path)),
    ['  readme.md', 'docs/', '  a.md', 'src/', '  a.ts', '  b.ts', 'src/api/', '  x.ts'],
  );
});

test('each row has what the tree shows', () => {
  const [file] = parseDiff(
    'diff --git a/src/a.ts b/src/a.ts\nindex 1..2\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n',
  );
  assert.deepEqual(
    buildFileTree([file!], {
      comments: [comment('src/a.ts'), comment('src/a.ts'), comment('other')],
      viewed: toggleViewed([], file!),
      taskOf: () => 3,
    }),
    [
      {kind: 'directory', path: 'src/'},
      {
        kind: 'file',
        path: 'src/a.ts',
        name: 'a.ts',
        how: 'M',
        task: 3,
        added: 2,
        removed: 1,
        isViewed: true,
        comments: 2,
        isGone: false,
      },
    ],
  );
});

test('a file that only has comments is added once', () => {
  const files = toFiles('a');
  assert.equal(addCommentedFiles(files, [comment('a')]), files);
  assert.deepEqual(
    addCommentedFiles(files, [comment('b'), comment('b')]).map(({path, isGone}) => [path, isGone]),
    [
      ['a', undefined],
      ['b', true],
    ],
  );
});

describe('the task of a file:', () => {
  type Change = {
    readonly id: string;
    readonly paths: readonly string[];
    readonly since?: number;
    readonly stage?: Task['stage'];
    readonly planned?: readonly string[];
  };
  const waiting: Task['stage'] = {at: 'waiting'};
  const cases: readonly (readonly [
    name: string,
    changes: readonly Change[],
    path: string,
    task: number | undefined,
  ])[] = [
    [
      'the one that changed it',
      [
        {id: 't1', paths: ['a']},
        {id: 't2', paths: ['b']},
      ],
      'b',
      2,
    ],
    [
      'the one that was merged last',
      [
        {id: 't1', paths: ['a'], since: 9},
        {id: 't2', paths: ['a'], since: 3},
      ],
      'a',
      1,
    ],
    [
      'a merged one before one that is under way',
      [
        {id: 't1', paths: ['a'], since: 1},
        {id: 't2', paths: ['a'], stage: waiting},
      ],
      'a',
      1,
    ],
    [
      'the only one that planned it, if none changed it itself',
      [
        {id: 't1', paths: [], planned: ['src/**']},
        {id: 't2', paths: [], planned: ['docs/']},
      ],
      'docs/x.md',
      2,
    ],
    [
      'none if two planned it',
      [
        {id: 't1', paths: [], planned: ['src/**']},
        {id: 't2', paths: [], planned: ['src/a.ts']},
      ],
      'src/a.ts',
      undefined,
    ],
    ['none if nobody named it', [{id: 't12', paths: ['a']}], 'b', undefined],
    [
      'by its place in the plan, as everywhere',
      [
        {id: 't12', paths: ['b']},
        {id: 't3', paths: ['a']},
      ],
      'a',
      2,
    ],
  ];
  for (const [name, changes, path, task] of cases)
    test(name, () => {
      assert.equal(selectFileTasks(makeRun(changes))(path), task);
    });

  /** A run as the domain makes it, with other changes in its attempts. */
  function makeRun(changes: readonly Change[]): Run {
    const run = mergedRun();
    const [sample] = run.tasks;
    assert.ok(sample?.stage.at === 'merged');
    const merged = sample.stage;
    return {
      ...run,
      tasks: changes.map(({id, paths, since = 1, stage, planned = []}) => ({
        ...sample,
        id: `r1.${id}` as Task['id'],
        planned: {...sample.planned, id, files: planned},
        stage: stage ?? {...merged, since},
        attempts: sample.attempts.map((attempt) => ({
          ...attempt,
          step:
            attempt.step.at === 'passed'
              ? {...attempt.step, change: {...attempt.step.change, files: paths.map(toChanged)}}
              : attempt.step,
        })),
      })),
    };
  }
});

test('a run that the domain merged names its tasks', () => {
  const run = mergedRun();
  const step = run.tasks[0]?.attempts.at(-1)?.step;
  assert.ok(step?.at === 'passed');
  const [file] = step.change.files;
  assert.equal(selectFileTasks(run)(file!.path), 1);
});

function mergedRun(): Run {
  const harness = working([plannedTask('t1')]);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  const run = selectRun(harness.state, 'r1');
  assert.ok(run !== undefined);
  return run;
}

function toChanged(path: string): ChangedFile {
  return {path, how: 'modified', added: 1, removed: 0};
}
