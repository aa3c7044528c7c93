import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  checkRules,
  formatRulesJson,
  formatRulesReport,
  parseRules,
} from '../../source/rules/index.ts';
import {assertGolden, readGoldenInput} from '../support/golden.ts';

for (const name of ['design', 'titled', 'messy', 'findings']) {
  test(`the rules file ${name}.md reads as the files beside it say`, () => {
    const check = checkRules(`${name}.md`, readGoldenInput(`rules/${name}.md`));
    assertGolden(`rules/${name}.json`, formatRulesJson(check));
    assertGolden(`rules/${name}.txt`, formatRulesReport(check));
  });

  test(`${name}.md is the same file with CRLF, with CR, with a byte order mark and with trailing white space`, () => {
    const text = readGoldenInput(`rules/${name}.md`).toString();
    const expected = parseRules(text);
    for (const variant of [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\uFEFF${text}`,
      text.replaceAll('\n', ' \t\n'),
      `${text}\n \n`,
      text.normalize('NFD'),
    ]) {
      assert.deepEqual(parseRules(variant), expected);
      assert.deepEqual(parseRules(new TextEncoder().encode(variant)), expected);
    }
  });
}
