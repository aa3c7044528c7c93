import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {awayMs, type Brief} from '../../../source/reports/index.ts';
import {
  arriving,
  readSeen,
  type Seen,
  staying,
  writeSeen,
} from '../../../source/daemon/server/person-seen.ts';
import {createFixture} from '../../e2e/loop/support/loop-fixture.ts';
import {createDaemonFixture, launcher} from '../support/daemon-fixture.ts';

const minute = 60_000;

describe('what a person has missed lies behind the moment at which they were here last:', () => {
  for (const [name, acts, since] of [
    ['never here before', [['come', 0]], undefined],
    [
      'an hour away',
      [
        ['come', 0],
        ['come', 60],
      ],
      0,
    ],
    [
      'at work for a whole day, then out and in again',
      [
        ['come', 0],
        ...Array.from({length: 480}, (_, index) => ['press', index + 1] as const),
        ['come', 481],
      ],
      480,
    ],
    [
      'killed and opened again at once',
      [
        ['come', 0],
        ['press', 5],
        ['come', 5],
      ],
      5,
    ],
    [
      'at work, and looks at the brief',
      [
        ['come', 0],
        ['come', 60],
        ['press', 61],
        ['look', 62],
        ['press', 65],
        ['look', 66],
      ],
      0,
    ],
    [
      'left the app open over lunch, then a key',
      [
        ['come', 0],
        ['press', 9],
        ['press', 70],
        ['look', 71],
      ],
      9,
    ],
    [
      'left the app open over lunch, and the first key asks for the brief',
      [
        ['come', 0],
        ['press', 9],
        ['look', 70],
      ],
      9,
    ],
    [
      'reads without a key for less than that',
      [
        ['come', 0],
        ['come', 20],
        ['press', 21],
        ['press', 30],
        ['look', 31],
      ],
      0,
    ],
    [
      'the clock is set back',
      [
        ['come', 1000],
        ['come', 60],
      ],
      60,
    ],
  ] as const satisfies readonly (readonly [
    string,
    readonly (readonly ['come' | 'press' | 'look', number])[],
    number | undefined,
  ])[]) {
    test(name, () => {
      let seen: Seen | undefined;
      for (const [act, at] of acts) seen = (act === 'come' ? arriving : staying)(seen, at * minute);
      assert.equal(seen?.before, since === undefined ? undefined : since * minute);
    });
  }

  test('away begins at its limit', () => {
    assert.deepEqual(staying({at: 1, before: 0}, awayMs), {at: awayMs, before: 0});
    assert.deepEqual(staying({at: 1, before: 0}, awayMs + 1), {
      at: awayMs + 1,
      came: awayMs + 1,
      before: 1,
    });
  });
});

test('it is kept whole, and what is no such note is none', (t) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-seen-'));
  t.after(() => {
    rmSync(directory, {recursive: true});
  });
  const file = path.join(directory, 'seen.json');
  for (const text of ['', '{', 'null', '[]', '{"at":"1"}', '{"before":1}']) {
    writeFileSync(file, text);
    assert.equal(readSeen(file), undefined, text);
  }

  // As releases before this one wrote it.
  writeFileSync(file, '{"at":7}');
  assert.deepEqual(readSeen(file), {at: 7});
  writeSeen(file, {at: 9, came: 8, before: 7});
  assert.deepEqual(
    [readSeen(file), readdirSync(directory)],
    [{at: 9, came: 8, before: 7}, ['seen.json']],
  );
});

test('the daemon tells what happened since: a stay is no absence, and another look at it is the same', async (t) => {
  const fixture = createDaemonFixture(t);
  const formatBrief = async (
    question: {readonly stay?: true; readonly since?: number} = {},
  ): Promise<Brief> => (await fixture.ask({about: 'brief', ...question})) as Brief;
  const first = await formatBrief();
  assert.equal(
    first.since,
    (await formatBrief({stay: true})).since,
    'before anybody was here: since the beginning',
  );
  await fixture.ask({about: 'seen'});
  const stayed = await formatBrief({stay: true});
  assert.equal(stayed.since, first.since);
  const back = await formatBrief();
  assert.ok(back.since >= stayed.at - 1 && back.since <= back.at, `${back.since}`);
  assert.equal((await formatBrief({since: 1})).since, 1);
  const {code, out, err} = fixture.run('brief', '--since', 'yesterdayish');
  assert.deepEqual(
    [code, out, err.trim()],
    [2, '', 'orchestra: expected a time such as 90m, 2h, 1d or 2026-11-16, got "yesterdayish"'],
  );
  assert.equal(
    (await formatBrief({stay: true})).since,
    back.since,
    'who names a moment has not come by that',
  );
});

test('the brief is told also where nothing can be remembered', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.ask({about: 'brief'});
  mkdirSync(path.join(fixture.current().stateDirectory, 'seen.json.tmp'));
  for (const question of [{about: 'brief'}, {about: 'seen'}] as const)
    assert.notEqual(await fixture.ask(question), undefined);
});

test('what an agent looks at, the person has not seen', async (t) => {
  const fixture = createFixture(t, {
    acts: {
      t1: `(cd "$HOME/repository" && '${process.execPath}' '${launcher}' brief > "$HOME/looked" && echo done) > t1.txt`,
    },
  });
  const seen = path.join(fixture.current().stateDirectory, 'seen.json');
  assert.equal((await fixture.objective('--approve')).code, 0);
  assert.match(readFileSync(path.join(fixture.home, 'looked'), 'utf8'), /the plan of r1/);
  assert.equal(readSeen(seen), undefined);
  assert.equal(fixture.run('brief').code, 0);
  assert.notEqual(readSeen(seen), undefined);
});
