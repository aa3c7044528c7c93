import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nextRefresh, refresh} from '../../../source/app/model/refresh.ts';
import {assertShown} from '../../support/shown.ts';
import {drawCells} from './draw.tsx';
import {needing} from './need-fixtures.ts';
import {type Fixture, happen, open, press} from './fixtures.ts';

function fixtureWith(session: 's0' | 's1'): Fixture {
  const state = needing('intrusion');
  const fixture = open(
    {
      ...state,
      intrusions: [
        {
          number: 1,
          session,
          intent: 'approve-plan',
          at: 5000,
          isSeen: false,
          words: 'pid 7 (node): it is in doubt',
        },
      ],
    },
    6000,
    {columns: 100, rows: 40},
  );
  press(fixture, 'enter', 'n');
  return fixture;
}

function toTexts({model, state, now}: Fixture): string[] {
  // Row 0 and 1, the inbox and its wall are left out.
  return drawCells(model, state, now)
    .rows.slice(2)
    .map((row) => row.slice(32).trimEnd());
}

const asksForCodes = ({effects}: Pick<Fixture, 'effects'>): number =>
  effects.filter((effect) => effect.type === 'ask' && effect.name === 'codes').length;

test("who asked in the person's name is shown with the code for it, and how to refuse", () => {
  const fixture = fixtureWith('s0');
  assert.equal(asksForCodes(fixture), 1);
  const code = {
    number: 1,
    code: '4F7K-9QXM',
    intent: 'approve-plan',
    what: 'approve-plan r1\u001B[2J',
    words: 'pid 7 (node\u202E): x',
    at: 6000,
    until: fixture.now + 120_000,
    asked: 1,
  };
  happen(fixture, {
    type: 'answered',
    name: 'codes',
    value: {
      codes: [
        code,
        {...code, code: 'AAAA-AAAA', intent: 'discard'},
        {...code, code: 'BBBB-BBBB', until: 1},
      ],
    },
  });
  const texts = toTexts(fixture);
  for (const text of texts) assertShown(text);
  assert.match(
    texts.join(' ').replaceAll(/\s+/g, ' '),
    /Somebody asks in your name: pid 7 \(node\): it is in doubt tried to approve a plan\. Refused: only you can\./,
  );
  assert.ok(
    texts.some((text) => /^ *4F7K-9QXM {2}approve-plan r1.*, for 2m more$/.test(text)),
    texts.join('\n'),
  );
  assert.equal(
    texts.some((text) => /AAAA|BBBB/.test(text)),
    false,
    'neither of another command nor too old',
  );
  assert.ok(
    texts.join(' ').replaceAll(/\s+/g, ' ').includes('If not: X, and the code is worth nothing'),
    texts.join('\n'),
  );
  press(fixture, 'X');
  assert.match(JSON.stringify(fixture.commands), /"type":"acknowledge-intrusion","number":1/);
});

test('the code is asked for again while it is looked at, and not elsewhere', () => {
  const fixture = fixtureWith('s0');
  const first = refresh(fixture.model, fixture.state, fixture.now);
  const codesIn = ({effects}: ReturnType<typeof refresh>): number =>
    asksForCodes({effects: [...effects]});
  assert.equal(nextRefresh(first.model, fixture.state, fixture.now + 1000), 4000);
  assert.equal(codesIn(refresh(first.model, fixture.state, fixture.now + 4999)), 0);
  assert.equal(codesIn(refresh(first.model, fixture.state, fixture.now + 5000)), 1);
  const proved = fixtureWith('s1');
  assert.equal(asksForCodes(proved), 0, 'an agent that is known gets none');
  assert.equal(codesIn(refresh(proved.model, proved.state, proved.now + 60_000)), 0);
});
