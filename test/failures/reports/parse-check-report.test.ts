import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseCheckReport, toFailedNames, toFirstFailure} from '../../../source/failures/index.ts';

const root = '/work/shop';

type Case = {
  readonly name: string;
  readonly report: string;
  readonly failed: number;
  readonly isWhole?: boolean;
  /** The first failure for an agent. A pattern where the log reader words it. */
  readonly text: string | RegExp;
  readonly names?: readonly string[];
};

const json = (value: unknown): string => JSON.stringify(value);

const cases: readonly Case[] = [
  {
    name: 'JUnit XML of jest-junit',
    report: `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="3" failures="1">
  <testsuite name="prices" errors="0" failures="1">
    <testcase classname="prices adds tax" name="prices adds tax" time="0.003"></testcase>
    <testcase classname="prices" name="rounds &lt;up&gt;" time="0.004" file="test/prices.test.js">
      <failure>Error: expect(received).toBe(expected) // Object.is equality

Expected: 450
Received: null
    at Object.toBe (/work/shop/test/prices.test.js:5:19)
    at run (/work/shop/node_modules/jest-circus/build/run.js:1:2)</failure>
    </testcase>
  </testsuite>
</testsuites>`,
    failed: 1,
    names: ['prices > rounds <up>'],
    text: `junit-xml: prices > rounds <up>
at test/prices.test.js:5:19
Error: expect(received).toBe(expected) // Object.is equality

Expected: 450
Received: null`,
  },
  {
    name: 'JUnit XML of Surefire: an error in CDATA, a flaky test that passed, a skipped one',
    report: `<testsuite name="com.acme.CartTest" tests="3" errors="1">
<!-- <failure>not this</failure> -->
<testcase name="flaky" classname="com.acme.CartTest"><flakyFailure message="once"/></testcase>
<testcase name="later" classname="com.acme.CartTest"><skipped/></testcase>
<testcase name="total" classname="com.acme.CartTest">
<error message="cart is null" type="java.lang.NullPointerException"><![CDATA[java.lang.NullPointerException: cart is null
	at com.acme.Cart.total(Cart.java:12)
	at com.acme.CartTest.total(CartTest.java:9)
]]></error></testcase></testsuite>`,
    failed: 1,
    names: ['com.acme.CartTest > total'],
    text: `junit-xml: com.acme.CartTest > total
at com/acme/Cart.java:12
cart is null

java.lang.NullPointerException: cart is null
at com.acme.CartTest.total(CartTest.java:9)`,
  },
  {
    name: 'JUnit XML that ends in the middle of the second test',
    report:
      '<testsuite><testcase name="a"><failure message="one is not two"/></testcase><testcase name="b"><fail',
    failed: 1,
    isWhole: false,
    text: 'junit-xml: a\none is not two',
  },
  {
    name: 'NUnit 3',
    report: `<test-run result="Failed"><test-suite><test-case fullname="Shop.CartTests.Total" result="Failed">
<failure><message><![CDATA[Expected: 3  But was: 2]]></message><stack-trace>at Shop.CartTests.Total() in /work/shop/CartTests.cs:line 14</stack-trace></failure></test-case>
<test-case fullname="Shop.CartTests.Empty" result="Passed"/></test-suite></test-run>`,
    failed: 1,
    names: ['Shop.CartTests.Total'],
    text: `junit-xml: Shop.CartTests.Total
Expected: 3  But was: 2`,
  },
  {
    name: 'TRX of dotnet test',
    report: `<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult testName="Shop.Adds" outcome="Failed"><Output><ErrorInfo><Message>Assert.Equal() Failure</Message><StackTrace>   at Shop.Adds()</StackTrace></ErrorInfo></Output></UnitTestResult>
</Results></TestRun>`,
    failed: 1,
    names: ['Shop.Adds'],
    text: 'junit-xml: Shop.Adds\nAssert.Equal() Failure',
  },
  {
    name: 'Checkstyle: an error before warnings',
    report: `<checkstyle version="8"><file name="/work/shop/src/A.java"><error line="3" severity="warning" message="later"/>
<error line="7" column="2" severity="error" message="Missing a Javadoc comment." source="JavadocCheck"/></file></checkstyle>`,
    failed: 1,
    names: ['src/A.java JavadocCheck Missing a Javadoc comment.'],
    text: 'checkstyle: JavadocCheck\nat src/A.java:7:2\nMissing a Javadoc comment.',
  },
  {
    name: 'vitest --reporter=json',
    report: json({
      numFailedTests: 1,
      testResults: [
        {
          name: '/work/shop/test/a.test.ts',
          status: 'failed',
          assertionResults: [
            {status: 'passed', title: 'one', ancestorTitles: []},
            {
              status: 'failed',
              title: 'two',
              ancestorTitles: ['sums'],
              failureMessages: [
                'AssertionError: expected 3 to be 4\n    at /work/shop/test/a.test.ts:9:21',
              ],
              location: {line: 8, column: 3},
            },
          ],
        },
      ],
    }),
    failed: 1,
    names: ['test/a.test.ts > sums > two'],
    text: `vitest: test/a.test.ts > sums > two
at test/a.test.ts:9:21
AssertionError: expected 3 to be 4`,
  },
  {
    name: 'jest --json: a file that could not be loaded',
    report: json({
      numFailedTests: 0,
      numRuntimeErrorTestSuites: 1,
      testResults: [
        {
          name: '/work/shop/test/b.test.js',
          status: 'failed',
          message: "Cannot find module './cart' from 'test/b.test.js'",
          assertionResults: [],
        },
      ],
    }),
    failed: 1,
    names: ['test/b.test.js'],
    text: `jest: test/b.test.js
at test/b.test.js
Cannot find module './cart' from 'test/b.test.js'`,
  },
  {
    name: 'mocha --reporter json',
    report: json({
      stats: {failures: 1},
      passes: [],
      failures: [
        {
          title: 'adds',
          fullTitle: 'Cart adds',
          file: '/work/shop/test/cart.js',
          err: {
            message: 'expected 1 to equal 2',
            stack:
              'AssertionError: expected 1 to equal 2\n    at Context.<anonymous> (test/cart.js:7:12)',
          },
        },
      ],
    }),
    failed: 1,
    names: ['Cart adds'],
    text: 'mocha: Cart adds\nat test/cart.js:7:12\nAssertionError: expected 1 to equal 2',
  },
  {
    name: 'pytest --json-report',
    report: json({
      exitcode: 1,
      summary: {failed: 1},
      collectors: [{nodeid: '', outcome: 'passed'}],
      tests: [
        {nodeid: 'test_a.py::test_ok', outcome: 'passed'},
        {
          nodeid: 'test_a.py::test_sum',
          outcome: 'failed',
          setup: {outcome: 'passed'},
          call: {
            outcome: 'failed',
            crash: {path: '/work/shop/test_a.py', lineno: 5, message: 'assert 3 == 4'},
          },
        },
      ],
    }),
    failed: 1,
    names: ['test_a.py::test_sum'],
    text: 'pytest: test_a.py::test_sum\nat test_a.py:5\nassert 3 == 4',
  },
  {
    name: 'pytest-reportlog',
    report: [
      {$report_type: 'SessionStart', pytest_version: '8'},
      {
        $report_type: 'TestReport',
        nodeid: 'test_a.py::test_sum',
        outcome: 'failed',
        longrepr: {
          reprcrash: {path: '/work/shop/test_a.py', lineno: 5, message: 'assert 3 == 4'},
        },
      },
      {$report_type: 'SessionFinish', exitstatus: 1},
    ]
      .map(json)
      .join('\n'),
    failed: 1,
    names: ['test_a.py::test_sum'],
    text: 'pytest: test_a.py::test_sum\nat test_a.py:5\nassert 3 == 4',
  },
  {
    name: 'rspec --format json',
    report: json({
      summary: {failure_count: 1},
      examples: [
        {
          full_description: 'Cart totals',
          status: 'failed',
          file_path: './spec/cart_spec.rb',
          line_number: 4,
          exception: {
            class: 'RSpec::Expectations::ExpectationNotMetError',
            message: '\nexpected: 3\n     got: 2\n',
            backtrace: ['/work/shop/spec/cart_spec.rb:6:in `block`'],
          },
        },
      ],
    }),
    failed: 1,
    names: ['Cart totals'],
    text: `rspec: Cart totals
at spec/cart_spec.rb:6
RSpec::Expectations::ExpectationNotMetError: expected: 3
     got: 2`,
  },
  {
    name: 'Playwright: the first failing spec in the order of the file',
    report: json({
      config: {},
      errors: [],
      suites: [
        {
          title: 'login.spec.ts',
          specs: [],
          suites: [
            {
              title: 'form',
              specs: [
                {
                  title: 'submits',
                  ok: false,
                  file: 'login.spec.ts',
                  line: 3,
                  tests: [
                    {
                      results: [
                        {
                          status: 'failed',
                          error: {
                            message: 'Timed out',
                            stack: 'Error: Timed out\n    at /work/shop/login.spec.ts:5:9',
                            location: {file: '/work/shop/login.spec.ts', line: 5, column: 9},
                          },
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    }),
    failed: 1,
    names: ['login.spec.ts > form > submits'],
    text: `playwright: login.spec.ts > form > submits
at login.spec.ts:5:9
Error: Timed out`,
  },
  {
    name: 'go test -json',
    report: [
      {Action: 'run', Package: 'shop', Test: 'TestSum'},
      ...[
        '=== RUN   TestSum\n',
        '    sum_test.go:8: got 3, want 4\n',
        '--- FAIL: TestSum (0.00s)\n',
        'FAIL\n',
        'FAIL\tshop\t0.002s\n',
      ].map((Output) => ({Action: 'output', Package: 'shop', Test: 'TestSum', Output})),
      {Action: 'fail', Package: 'shop', Test: 'TestSum'},
      {Action: 'fail', Package: 'shop'},
    ]
      .map(json)
      .join('\n'),
    failed: 2,
    isWhole: false,
    text: /^go test: shop TestSum\nat sum_test\.go:8\n.*got 3, want 4/,
  },
  {
    name: 'TAP',
    report:
      'TAP version 13\nok 1 - one\nnot ok 2 - two\n  ---\n  message: 1 is not 2\n  at: test/a.js:3:1\n  ...\nnot ok 3 - later # TODO\n1..3\n',
    failed: 1,
    names: ['two'],
    text: /^tap: two\nat test\/a\.js:3:1\n.*1 is not 2/,
  },
  {
    name: 'eslint --format json: errors before warnings',
    report: json([
      {
        filePath: '/work/shop/a.js',
        messages: [{ruleId: 'semi', severity: 1, message: 'w', line: 1}],
      },
      {
        filePath: '/work/shop/b.js',
        messages: [
          {ruleId: 'no-undef', severity: 2, message: "'x' is not defined.", line: 3, column: 5},
        ],
      },
    ]),
    failed: 1,
    names: ["b.js no-undef 'x' is not defined."],
    text: "eslint: no-undef\nat b.js:3:5\n'x' is not defined.",
  },
  {
    name: 'eslint with warnings only, which --max-warnings made fail',
    report: json([
      {
        filePath: '/work/shop/a.js',
        messages: [{ruleId: 'semi', severity: 1, message: 'w', line: 1}],
      },
    ]),
    failed: 1,
    names: ['a.js semi w'],
    text: 'eslint: semi\nat a.js:1\nw',
  },
  {
    name: 'ruff --output-format json',
    report: json([
      {
        code: 'F401',
        message: '`os` imported but unused',
        filename: '/work/shop/a.py',
        location: {row: 1, column: 8},
      },
    ]),
    failed: 1,
    names: ['a.py F401 `os` imported but unused'],
    text: 'ruff: F401\nat a.py:1:8\n`os` imported but unused',
  },
  {
    name: 'SARIF: notes, suppressed and known results do not count',
    report: json({
      version: '2.1.0',
      runs: [
        {
          tool: {driver: {name: 'Semgrep'}},
          results: [
            {ruleId: 'a', level: 'note', message: {text: 'n'}},
            {ruleId: 'b', level: 'error', message: {text: 's'}, suppressions: [{kind: 'inSource'}]},
            {ruleId: 'c', level: 'error', message: {text: 'k'}, baselineState: 'unchanged'},
            {
              ruleId: 'eval',
              level: 'error',
              message: {text: 'Do not use eval'},
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: {uri: 'file:///work/shop/src/my%20file.js'},
                    region: {startLine: 4, startColumn: 2},
                  },
                },
              ],
            },
          ],
        },
      ],
    }),
    failed: 1,
    names: ['src/my file.js Semgrep eval Do not use eval'],
    text: 'sarif: Semgrep eval\nat src/my file.js:4:2\nDo not use eval',
  },
  {
    name: 'GitHub annotations',
    report:
      'checking…\n::warning file=a.ts::later\n::error file=src/a.ts,line=3,col=7,title=Type error::Expected%0Anumber, 100%25\n::notice::x\n',
    failed: 1,
    names: ['src/a.ts Type error Expected'],
    text: 'annotation: Type error\nat src/a.ts:3:7\nExpected\nnumber, 100%',
  },
  {
    name: 'mypy -O json',
    report: `${json({file: 'a.py', line: 2, column: 4, message: 'Incompatible types', code: 'assignment', severity: 'error', hint: null})}\n`,
    failed: 1,
    names: ['a.py assignment Incompatible types'],
    text: 'mypy: assignment\nat a.py:2:4\nIncompatible types',
  },
  {
    name: 'cargo --message-format=json',
    report: [
      {reason: 'compiler-artifact'},
      {
        reason: 'compiler-message',
        message: {
          level: 'error',
          message: 'mismatched types',
          code: {code: 'E0308'},
          spans: [{file_name: 'src/lib.rs', line_start: 3, column_start: 5, is_primary: true}],
        },
      },
      {reason: 'build-finished', success: false},
    ]
      .map(json)
      .join('\n'),
    failed: 1,
    names: ['src/lib.rs E0308 mismatched types'],
    text: 'rustc: E0308\nat src/lib.rs:3:5\nmismatched types',
  },
  {
    name: 'pyright --outputjson counts lines from 0',
    report: json({
      generalDiagnostics: [
        {severity: 'information', message: 'x', file: 'a.py'},
        {
          severity: 'error',
          message: 'not assignable',
          file: '/work/shop/a.py',
          rule: 'reportArgumentType',
          range: {start: {line: 1, character: 4}},
        },
      ],
    }),
    failed: 1,
    names: ['a.py reportArgumentType not assignable'],
    text: 'pyright: reportArgumentType\nat a.py:2:5\nnot assignable',
  },
];

describe('the first failure of a report:', () => {
  for (const {name, report, failed, isWhole = true, text, names} of cases)
    test(name, () => {
      const parsed = parseCheckReport(report);
      assert.ok(parsed !== undefined, 'the format is known');
      assert.equal(parsed.failed, failed);
      assert.equal(parsed.isWhole, isWhole);
      const first = toFirstFailure(parsed.failures[0]!, {root});
      if (typeof text === 'string') assert.equal(first.text, text);
      else assert.match(first.text, text);
      assert.equal(first.confidence, 'found');
      assert.deepEqual(toFailedNames([parsed], {root}), names);
    });
});

describe('a green report has no failure:', () => {
  const green: Readonly<Record<string, string>> = {
    'JUnit XML': '<testsuites><testsuite><testcase name="a"/></testsuite></testsuites>',
    vitest: json({numFailedTests: 0, testResults: []}),
    eslint: json([{filePath: '/a.js', messages: []}]),
    'a linter that found nothing': '[]\n',
    TAP: 'TAP version 13\nok 1 - a\n1..1\n',
    SARIF: json({version: '2.1.0', runs: [{results: []}]}),
  };
  for (const [name, report] of Object.entries(green))
    test(name, () => {
      assert.deepEqual(parseCheckReport(report), {failures: [], failed: 0, isWhole: true});
    });
});

describe('anything else is no report:', () => {
  const others: readonly string[] = [
    '',
    '<html><body><error>x</error></body></html>',
    '<',
    '{"name": "shop", "version": "1.0.0"}',
    '{"half": ',
    'hello',
    'error: something failed',
    '[1, 2, 3]',
  ];
  for (const text of others)
    test(JSON.stringify(text), () => {
      assert.equal(parseCheckReport(text), undefined);
    });
});

test('a report with more failures than are kept names none of them for a comparison', () => {
  const tests = Array.from(
    {length: 400},
    (_, index) => `<testcase name="t${index}"><failure message="m"/></testcase>`,
  );
  const parsed = parseCheckReport(`<testsuite>${tests.join('')}</testsuite>`)!;
  assert.equal(parsed.failed, 400);
  assert.equal(parsed.failures.length, 300);
  assert.equal(toFailedNames([parsed]), undefined);
});

test('control characters and terminal sequences of a report do not reach the text', () => {
  const parsed = parseCheckReport(
    '<testsuite><testcase name="a\u001B[2J&#27;[31mb"><failure message="bad &#7; \u202E text"/></testcase></testsuite>',
  )!;
  const {text} = toFirstFailure(parsed.failures[0]!);
  assert.doesNotMatch(text, /[\u0000-\u0009\u000B-\u001F\u202E]/);
});
