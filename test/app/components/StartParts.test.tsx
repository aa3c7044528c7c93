import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  EarlierObjectives,
  HowItGoes,
  Lately,
  RepositoryFacts,
} from '../../../source/app/components/StartParts.tsx';
import {emptyState, selectRun} from '../../../source/domain/index.ts';
import {withLedgerEntry} from '../../../source/shared/index.ts';
import {done, type Fixture, open, repository} from '../screens/fixtures.ts';
import {aBell, atStart} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintRows,
  paintText,
  rendersAfter,
  rowsOf,
} from './render.tsx';

const rules = {...repository.rules, exists: false, checks: []};

function withStarter(columns: number): Fixture {
  return open(emptyState, 1_000_000, {columns, rows: 24}, undefined, {
    rules,
    starter: {text: '', checks: [{name: 'test', command: 'npm test'}]} as never,
  });
}

test('words do not break around a key, at 80 columns and others', () => {
  for (const columns of [60, 66, 70, 78, 90, 96]) {
    const rows = paintRows(<RepositoryFacts />, {fixture: withStarter(columns), columns});
    const row = rows.find((one) => one.includes('use it')) ?? '';
    assert.match(row, /^ *(?:○ checks .*npm test exists +)?Esc I use it$/, `${columns}: ${row}`);
  }

  const text = paintText(<RepositoryFacts />, {fixture: withStarter(78), columns: 78});
  assert.match(text, /nothing proves that a task is done; npm test exists$/m);
});

test('each fact of the repository has its sign', () => {
  const text = paintText(<RepositoryFacts />, {fixture: atStart(), columns: 90});
  assert.match(text, /^\nThis repository\n✓ git +ready/);
  assert.match(text, /✓ rules +7 in \.rulesfile\.md, 6 of them enforced/);
  assert.match(text, /✓ checks +test: npm test {3}build: npm run build/);
  assert.match(
    rowsOf(<RepositoryFacts />, {fixture: withStarter(90), isScreenReader: true}).join('\n'),
    /not there: +rules/,
  );
});

function withNotes(notes: readonly string[]): Fixture {
  const fixture = atStart();
  fixture.model = {...fixture.model, answers: {...fixture.model.answers, repository: notes}};
  return fixture;
}

test('a note of many rows ends with a sign in its third; more notes are counted', () => {
  const fixture = withNotes(Array.from({length: 5}, () => 'word '.repeat(80)));
  const rows = paintRows(<RepositoryFacts />, {fixture, columns: 60});
  const first = rows.findIndex((row) => row.startsWith('▲ '));
  assert.match(rows[first + 2] ?? '', /^ {2}word.*…$/);
  assert.match(rows[first + 3] ?? '', /^▲ /);
  assert.match(rows.join('\n'), /and more: 5 notes/);
});

test('notes are foreign', () => {
  assertSafe(<RepositoryFacts />, {fixture: withNotes([hostile]), columns: 70});
  assertFits(<RepositoryFacts />, {fixture: withNotes([hostile]), widths: [40, 60, 100]});
  assertAscii(<RepositoryFacts />, {fixture: withStarter(80)});
});

test('says who acts when, beside or below each other', () => {
  const wide = paintText(<HowItGoes />, {columns: 96});
  assert.match(wide, /1 you +2 a planner +3 you +4 workers +5 you/);
  const small = atStart({columns: 60, rows: 15});
  assert.match(paintText(<HowItGoes />, {fixture: small, columns: 60}), /1 you\n {2}say what/);
  assertFits(<HowItGoes />, {widths: [40, 60, 100]});
});

function ended(objective = 'Page through orders'): Fixture {
  const harness = done();
  const run = selectRun(harness.state, 'r1')!;
  const state = {
    ...harness.state,
    runs: withLedgerEntry(harness.state.runs, 1, {
      ...run,
      request: {...run.request, objective},
      stage: {...run.stage, at: 'accepted'} as typeof run.stage,
    }),
  };
  return open(state, harness.time + 30_000, {columns: 96, rows: 35});
}

test('the last runs have their end, when they were asked, and their tasks', () => {
  assert.match(
    paintText(<Lately />, {fixture: ended(), columns: 96}),
    /Lately\n✓ Page through orders +accepted, asked (?:<1|\d+) min ago, 1 task/,
  );
  assert.equal(
    rowsOf(<Lately />)
      .join('')
      .trim(),
    '',
  );
  assertSafe(<Lately />, {fixture: ended(hostile), columns: 90});
  assertFits(<Lately />, {fixture: ended(hostile), widths: [60, 100]});
});

test('the last four objectives, the chosen one with its mark', () => {
  const fixture = atStart();
  const objectives = ['one', 'two', 'three', 'four', 'five'];
  fixture.model = {...fixture.model, objectives};
  const rows = rowsOf(<EarlierObjectives />, {fixture, columns: 60});
  assert.deepEqual(rows.slice(2), ['  five', '  four', '  three', '  two']);
  assert.match(rows[1] ?? '', /^Earlier, with \S+$/);
  assert.equal(
    rowsOf(<EarlierObjectives />)
      .join('')
      .trim(),
    '',
  );
  fixture.model = {...fixture.model, objectives: [hostile]};
  assertSafe(<EarlierObjectives />, {fixture, columns: 60});
});

test('who acts is not drawn again when a pane rings', async () => {
  assert.equal(await rendersAfter(<HowItGoes />, aBell, {fixture: atStart()}), 0);
  assert.equal(await rendersAfter(<EarlierObjectives />, aBell, {fixture: atStart()}), 0);
});
