import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseCheckReport, toFailedNames, toFirstFailure} from '../../../source/failures/index.ts';

const size = 4 * 1024 * 1024;
const fill = (text: string): string => text.repeat(Math.ceil(size / text.length));

/** Each would take minutes if the parser were quadratic. */
const shapes: Readonly<Record<string, string>> = {
  'tags that never end': fill('<testcase name="a" '),
  'one tag of attributes without a value': `<testsuite ${fill('a ')}></testsuite>`,
  'one long name': `<${fill('a')}`,
  'one long attribute name': `<testsuite ${fill('a')}="x"/>`,
  'equals signs': `<testsuite ${fill('=')}/>`,
  'quotes that alternate': `<testsuite ${fill(`"'`)}/>`,
  'declarations without brackets': `<testsuite>${fill('<!a>')}`,
  'a DOCTYPE that is not closed': `<!DOCTYPE a [${fill('<!ENTITY b "c">')}`,
  'comments that are not closed': `<testsuite>${fill('<!-- ')}`,
  'CDATA that is not closed': `<testsuite><testcase><failure><![CDATA[${fill('x]]')}`,
  'deep elements': fill('<testsuite>'),
  'many failures in one test': `<testsuite><testcase>${fill('<failure>x</failure>')}</testcase></testsuite>`,
  ampersands: `<testsuite><testcase><failure>${fill('&amp')}</failure></testcase></testsuite>`,
  'deep lists': fill('['),
  'deep objects': fill('{"suites":['),
  'JSON lines that are cut': fill('{"Action":"fail","Package":"a"\n'),
  'JSON lines without an end': fill('{"Action":"fail","Package":"a"}\n'),
  'annotations without a message': fill('::error file=a,'),
  'many annotations': fill('::error file=a,line=1::b\n'),
  'TAP of failures': `TAP version 13\n${fill('not ok 1 - a\n')}`,
  'a TAP name without an end': `not ok 1 - ${fill('# ')}`,
  blanks: fill(' \n'),
};

describe('hostile reports are read in linear time, without an exception:', () => {
  for (const [name, text] of Object.entries(shapes))
    test(name, {timeout: 60_000}, () => {
      const report = parseCheckReport(text);
      if (report === undefined) return;
      assert.ok(report.failures.length <= 300);
      toFailedNames([report], {root: '/work'});
      for (const failure of report.failures.slice(0, 3))
        assert.ok(toFirstFailure(failure, {root: '/work'}).text.length < 5000);
    });
});

test('every cut of a report is read without an exception', () => {
  const xml =
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><testsuite a=\'1\'><testcase name="&#x41;"><failure message="m"><![CDATA[x\n at a.js:1:2]]></failure></testcase></testsuite>';
  const json = JSON.stringify({
    numFailedTests: 1,
    testResults: [{name: 'a', assertionResults: [{status: 'failed', failureMessages: ['x']}]}],
  });
  for (const text of [xml, json])
    for (let end = 0; end <= text.length; end += 1) {
      const report = parseCheckReport(text.slice(0, end));
      for (const failure of report?.failures ?? []) toFirstFailure(failure, {root: '/'});
    }
});

test('values of other types than expected are left out', () => {
  const odd: readonly unknown[] = [null, 1, 'x', [], {}, [[]], {a: null}, true];
  for (const value of odd)
    for (const report of [
      {
        numFailedTests: value,
        testResults: [value, {assertionResults: [value, {status: 'failed'}]}],
      },
      {stats: value, passes: value, failures: [value, {err: value}]},
      {exitcode: 1, summary: value, tests: [value, {outcome: 'failed', call: value}]},
      {version: value, runs: [value, {results: [value, {message: value, locations: [value]}]}]},
      {generalDiagnostics: [value, {range: value}]},
      {config: {}, suites: [value, {specs: [value, {ok: false, tests: [value]}], suites: value}]},
      [{filePath: value, messages: [value]}, value],
      [{filename: value, location: value, message: value}, value],
    ]) {
      const parsed = parseCheckReport(JSON.stringify(report));
      for (const failure of parsed?.failures ?? []) toFirstFailure(failure);
    }
});
