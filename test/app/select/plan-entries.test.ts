import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type Plan, selectRun} from '../../../source/domain/index.ts';
import {formatPlanLines} from '../../../source/plan/index.ts';
import {displayWidth} from '../../../source/shared/index.ts';
import {
  type PlanEntry,
  toEntryOfLine,
  toPlanEntries,
} from '../../../source/app/select/plan-entries.ts';
import {type PlanView, selectPlanView} from '../../../source/app/select/plan-view.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {planned, plannedAgain, richPlan} from '../screens/fixtures.ts';

function getView(plan: Plan): PlanView {
  const harness = planned();
  plannedAgain(harness, plan);
  return selectPlanView(harness.state, selectRun(harness.state, 'r1')!)!;
}

function getEntries(plan: Plan): readonly PlanEntry[] {
  return toPlanEntries(getView(plan), {hasColumn: false});
}

test('what will be done comes first, then why, then what proves it', () => {
  assert.deepEqual(
    getEntries(richPlan).map(({kind, name}) => `${kind} ${name}`),
    [
      'objective the objective',
      'task task 1',
      'task task 2',
      'task task 3',
      'task task 4',
      'why the problem',
      'why the cause',
      'why an assumption',
      'why an assumption',
      'why what it keeps',
      'why what it keeps',
      'why a risk',
      'why what it rejected',
      'check check test',
      'check check build',
      'rule rule 1.1',
      'rule rule 2.1',
    ],
  );
});

test('an alternative and its reason are one entry', () => {
  const entry = getEntries(richPlan).find(
    (one) => one.kind === 'why' && one.section === 'rejected',
  );
  assert.ok(entry?.kind === 'why');
  assert.equal(
    entry.text,
    'A mutex around every request: It would serialise requests that need no refresh.',
  );
});

test('each paragraph of a brief takes a comment of its own; the first belongs to the task', () => {
  const entries = getEntries({
    ...richPlan,
    tasks: [plannedTask('t1', {brief: 'One.\nTwo.\nThree.', files: ['a.ts']})],
  }).filter(({kind}) => kind === 'task');
  assert.deepEqual(
    entries.map((entry) => [
      entry.name,
      entry.item?.source.trim(),
      ...(entry.kind === 'task' ? [entry.texts, entry.files] : []),
    ]),
    [
      ['task 1', 't1  Task t1', ['One.'], []],
      ['the brief of task 1', 'Two.', ['Two.'], []],
      ['the brief of task 1', 'Three.', ['Three.'], ['a.ts']],
    ],
  );
});

function textsOf(entry: PlanEntry): readonly string[] {
  if (entry.kind === 'task') return [...entry.texts, ...entry.files];
  return 'text' in entry ? [entry.text] : [];
}

describe('a long plan', () => {
  const long = 'word '.repeat(900).trim();
  const plan: Plan = {
    ...richPlan,
    objective: long,
    problem: long,
    risks: [long, '漢字'.repeat(900)],
    tasks: [
      plannedTask('t1', {
        brief: long,
        files: Array.from({length: 200}, (_, index) => `src/${'deep/'.repeat(10)}${index}.ts`),
      }),
    ],
  };

  test('has entries that the smallest window can show, each with its own id', () => {
    const entries = getEntries(plan);
    for (const entry of entries) {
      const texts = textsOf(entry);
      assert.ok(displayWidth(texts.join('  ')) <= 402, entry.id);
    }

    assert.equal(new Set(entries.map(({id}) => id)).size, entries.length);
  });

  test('loses nothing', () => {
    const entries = getEntries(plan);
    const count = (kind: PlanEntry['kind'], pattern: RegExp): number =>
      entries
        .filter((entry) => entry.kind === kind)
        .flatMap((entry) => (entry.kind === 'task' ? entry.texts : textsOf(entry)))
        .join(' ')
        .match(pattern)?.length ?? 0;
    assert.equal(count('objective', /word/g), 900);
    assert.equal(count('task', /word/g), 900);
    assert.equal(count('why', /word/g), 1800);
    assert.equal(count('why', /漢/g), 900);
    assert.equal(
      entries.flatMap((entry) => (entry.kind === 'task' ? entry.files : [])).length,
      200,
    );
  });
});

describe('comments', () => {
  test('on any line stand below an entry: on a heading below what follows it', () => {
    const view = getView(richPlan);
    const entries = toPlanEntries(view, {hasColumn: false});
    const entryOfLine = toEntryOfLine(entries, view);
    const lines = formatPlanLines(richPlan);
    for (const {number} of lines) assert.ok(entries.includes(entryOfLine.get(number)!));
    const nameAt = (field: string, isTitle: boolean): string | undefined =>
      entryOfLine.get(
        lines.find((line) => line.field === field && line.isTitle === isTitle)!.number,
      )?.name;
    assert.equal(nameAt('risks', true), 'a risk');
    assert.equal(nameAt('tasks', true), 'task 1');
    assert.equal(nameAt('tasks[2].files', false), 'task 3');
    assert.equal(nameAt('tasks[2].after', false), 'task 3');
    assert.equal(nameAt('validation[0]', false), 'check build');
  });

  test('also where the checks have a column of their own, and where a section is empty', () => {
    const view = getView({...richPlan, risks: [], assumptions: []});
    const entries = toPlanEntries(view, {hasColumn: true});
    const entryOfLine = toEntryOfLine(entries, view);
    for (const {number} of view.lines) assert.ok(entries.includes(entryOfLine.get(number)!));
  });
});

test('a plan that is the same has the same entries, so that rows need not be drawn again', () => {
  const harness = planned();
  const get = (): readonly PlanEntry[] =>
    toPlanEntries(selectPlanView(harness.state, selectRun(harness.state, 'r1')!)!, {
      hasColumn: true,
    });
  const [one, other] = [get(), get()];
  assert.ok(one.every((entry, index) => entry === other[index]));
});
