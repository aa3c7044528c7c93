import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {test} from 'node:test';
import type {Event} from '../../../source/domain/index.ts';
import {createFixture} from '../../e2e/loop/support/loop-fixture.ts';

/** However it is wrapped. */
const notified = [
  'Work starts from the commit',
  '1 file that is changed or new',
  'No branch is checked out (HEAD is detached)',
  'orchestra accept RUN --into NAME',
  'orchestra accept RUN --sign',
].map(
  (text) => new RegExp(text.replaceAll(/[()]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`)),
);

test('what there is to know of the repository is told by run, plan show, status and explain, and is in the journal with the run', async (t) => {
  const fixture = createFixture(t);
  fixture.git('checkout', '--quiet', '--detach');
  fixture.git('config', 'commit.gpgSign', 'true');
  writeFileSync(path.join(fixture.root, '\u001B[2Jhostile\nname.txt'), 'not committed');
  const {code, out} = await fixture.objective();
  assert.equal(code, 3, out);
  for (const text of notified) {
    assert.match(out.slice(0, out.indexOf('Plan ')), text, 'before there is a plan');
    for (const argv of [['plan', 'show', 'r1'], ['status'], ['status', 'r1']])
      assert.match(fixture.run(...argv).out, text, argv.join(' '));
  }

  assert.match(
    fixture.run('explain', 'r1').out,
    /About the repository, when the run started[^]*Work starts from[^]*detached/,
  );
  for (const argv of [['plan', 'show', 'r1'], ['status'], ['explain', 'r1']])
    assert.ok(!fixture.run(...argv).out.includes('\u001B[2J'), argv.join(' '));

  const abouts = ['uncommitted', 'detached', 'signing'];
  assert.deepEqual(
    fixture.eventsOf('run-surveyed')[0]?.ground.notes?.map(({about}) => about),
    abouts,
  );
  assert.deepEqual(
    (
      fixture.json('plan', 'show', 'r1') as {readonly notes: readonly {readonly about: string}[]}
    ).notes.map(({about}) => about),
    abouts,
  );
  assert.equal(
    (fixture.json('status') as {readonly runs: readonly {readonly notes?: readonly string[]}[]})
      .runs[0]?.notes?.length,
    3,
  );
  const asJson = await fixture.launch('run', 'Another', '--json');
  const surveyed = asJson.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)
    .find((event) => event.type === 'run-surveyed');
  assert.deepEqual(
    surveyed?.ground.notes?.map(({about}) => about),
    abouts,
  );
  assert.match(
    fixture.run('status').out,
    /3 notes about the repository: orchestra status r1/,
    'with several runs a line for each',
  );
});

test('without notes nothing is printed', async (t) => {
  const fixture = createFixture(t);
  const {out} = await fixture.objective();
  assert.doesNotMatch(
    out +
      fixture.run('plan', 'show').out +
      fixture.run('status').out +
      fixture.run('explain', 'r1').out,
    /about the repository/i,
  );
  assert.equal(fixture.eventsOf('run-surveyed')[0]?.ground.notes, undefined);
  assert.deepEqual((fixture.json('plan', 'show') as {readonly notes: unknown}).notes, []);
  const none = fixture.run('plan', 'comment', 'r1', '999', 'why?');
  assert.equal(none.code, 2);
  assert.match(
    none.err,
    /expected one of the \d+ numbered lines of the plan of r1, got 999. To see them: orchestra plan show r1/,
  );
});
