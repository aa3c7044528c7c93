import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {needs} from '../support/needs.ts';
import {people} from '../sandbox/support/people.ts';
import {attacks} from './attacks.ts';
import {openTarget, runAttack} from './run-attack.ts';

test('there are enough of them, each by another name', () => {
  assert.ok(attacks.length >= 25);
  assert.equal(new Set(attacks.map(({name}) => name)).size, attacks.length);
});

for (const person of people) {
  for (const under of ['none', 'allow'] as const) {
    describe(`as ${person.name}, with the network ${under}, an agent`, needs('bubblewrap'), () => {
      test('gets nothing that it may not have', async (t) => {
        const target = await openTarget(t, person, under);
        for (const attack of attacks.filter((one) => one.under === under))
          await t.test(attack.name, () => runAttack(attack, target));
      });
    });
  }

  test(
    `as ${person.name}: the secret can be had without the restriction, so that the attacks prove something`,
    needs('bubblewrap'),
    async (t) => {
      const {confined, reached} = await openTarget(t, person, 'allow');
      const {stdout} = await confined.sh(
        '$REACH tcp 127.0.0.1 $LISTED; $REACH tcp localhost $LOCAL; $REACH tcp 127.0.0.1 61080 "GET http://127.0.0.1:$LISTED/ HTTP/1.1\\r\\nHost: 127.0.0.1:$LISTED\\r\\n\\r\\n"',
      );
      assert.equal(stdout.match(/hello/g)?.length, 2, stdout);
      assert.match(stdout, /said the secret/);
      assert.deepEqual(reached, ['localhost']);
      const open = await confined.fixture.run([
        '/bin/bash',
        '-c',
        `for a in 127.0.0.1/${confined.env['SECRET'] ?? ''} ::1/${confined.env['SECRET'] ?? ''}; do exec 5<>/dev/tcp/$a && cat <&5; done`,
      ]);
      assert.equal(open.stdout.match(/said the secret/g)?.length, 2, open.stderr);
    },
  );
}
