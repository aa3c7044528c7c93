import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createFixture} from './support/loop-fixture.ts';

const rules = '# 1. Validation\n1. It holds. `test: sh check.sh`\n';

describe('reports of checks', () => {
  it('are read instead of the log when the check has written them, without secrets; the repair prompt names the log', async (t) => {
    const token = 'canary-0123456789abcdef';
    const fixture = createFixture(t, {
      rules,
      env: {CANARY_TOKEN: token},
      project: 'environment: [CANARY_TOKEN]\nchecks:\n  test: {report: out/*.xml}\n',
      files: {
        '.gitignore': 'out/\n',
        // The second run of the check leaves the report of the first one as it is.
        'check.sh': `if ! test -e out/junit.xml; then mkdir -p out; printf '<testsuite><testcase classname="cart" name="adds"><failure message="expected 3, token %s">at src/cart.js:7:3</failure></testcase></testsuite>' "$CANARY_TOKEN" > out/junit.xml; fi\necho "src/log.ts(3,7): error TS2322: the log of $CANARY_TOKEN"\nexit 1\n`,
      },
      acts: {
        t1: `echo red > t1.txt; log=$(grep -o '/[^ ]*check[.]log' "$1" | head -n 1); if test -n "$log"; then cat "$log" > t1.txt; fi`,
      },
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    const [first, second] = fixture.eventsOf('check-finished').map(({result}) => result);
    assert.deepEqual(
      {text: first?.firstFailure, sure: first?.confidence, from: first?.source},
      {
        text: 'junit-xml: cart > adds\nat src/cart.js:7:3\nexpected 3, token [redacted]',
        sure: 'found',
        from: 'from the report out/junit.xml',
      },
    );
    assert.deepEqual(first?.failures, ['cart > adds']);
    assert.match(second?.firstFailure ?? '', /src\/log\.ts:3:7[^]*TS2322/);
    assert.equal(second?.source, 'out/junit.xml is from before this check');
    // The repair could read the log of the check, in its sandbox as well.
    const copied = readFileSync(path.join(fixture.worktree('r1.t1'), 't1.txt'), 'utf8');
    assert.match(copied, /^src\/log\.ts\(3,7\): error TS2322: the log of \[redacted\]\n/);
    const explained = fixture.run('explain', 'r1.t1').out;
    assert.match(explained, /from the check `test` \(found; from the report out\/junit\.xml\):/);
    assert.match(explained, /The whole log of the last failure: `orchestra logs s\d+`/);
    assert.ok(!JSON.stringify(fixture.events()).includes(token));
  });

  it('that show no failure, or are links, lose to the log, and that is said', async (t) => {
    const fixture = createFixture(t, {
      rules,
      files: {
        '.gitignore': 'junit.xml\n',
        'check.sh': `if grep -q again t1.txt; then ln -sf "$HOME/elsewhere.xml" junit.xml; printf '<testsuite><testcase name="x"><failure message="from outside"/></testcase></testsuite>' > "$HOME/elsewhere.xml"; else echo '<testsuite><testcase name="a"/></testsuite>' > junit.xml; fi\necho "src/log.ts(3,7): error TS2322: no"\nexit 1\n`,
      },
      acts: {t1: 'if test -e t1.txt; then echo again >> t1.txt; else echo red > t1.txt; fi'},
    });
    assert.equal((await fixture.objective('--approve')).code, 3);
    const results = fixture.eventsOf('check-finished').map(({result}) => result);
    assert.equal(results.length, 2);
    for (const {firstFailure = ''} of results) assert.match(firstFailure, /TS2322/);
    assert.equal(
      results[0]?.source,
      'from the log: junit.xml shows no failure, but the check failed',
    );
    assert.equal(results[1]?.source, undefined);
  });
});

describe('what reaches the reader', () => {
  it('has a failure at the beginning of 20 MB of output', async (t) => {
    const fixture = createFixture(t, {
      rules,
      files: {
        'check.sh': `echo "src/early.ts(3,7): error TS2322: early"\nyes "a line of output that says nothing about anything" | head -c 20000000\necho\nexit 1\n`,
      },
    });
    assert.equal((await fixture.objective('--approve')).code, 3);
    const [result] = fixture.eventsOf('check-finished').map((event) => event.result);
    assert.match(result?.firstFailure ?? '', /src\/early\.ts:3:7[^]*TS2322/);
    assert.equal(result?.source, 'the middle of the log was too long to read');
    assert.equal(result.failures, undefined);
  });

  it('has the output of require: in the order in which it was printed', async (t) => {
    const fixture = createFixture(t, {
      rules: '# 1. Constraints\n- Required. `require: sh require.sh`\n',
      files: {
        'require.sh': 'for n in 1 2 3; do echo "one $n"; echo "two $n" >&2; done; exit 1\n',
      },
    });
    assert.equal((await fixture.objective('--approve')).code, 3);
    const [failure] = fixture.eventsOf('attempt-failed').map((event) => event.failure);
    assert.ok(failure?.kind === 'rule');
    assert.match(failure.detail, /one 1.+two 1.+one 2.+two 2.+one 3.+two 3/s);
  });
});
