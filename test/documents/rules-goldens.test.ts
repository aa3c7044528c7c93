import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkRules, readRules, rulesJson, rulesReport} from '../../source/documents/index.ts';
import {assertGolden, readGoldenInput} from './golden.ts';

for (const name of ['design', 'titled', 'messy', 'findings']) {
  test(`the rules file ${name}.md reads as the files beside it say`, () => {
    const check = checkRules(`${name}.md`, readGoldenInput(`rules/${name}.md`));
    assertGolden(`rules/${name}.json`, rulesJson(check));
    assertGolden(`rules/${name}.txt`, rulesReport(check));
  });

  test(`${name}.md is the same file with CRLF, with CR, with a byte order mark and with trailing white space`, () => {
    const text = readGoldenInput(`rules/${name}.md`).toString();
    const expected = readRules(text);
    for (const variant of [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\uFEFF${text}`,
      text.replaceAll('\n', ' \t\n'),
      `${text}\n \n`,
      text.normalize('NFD'),
    ]) {
      assert.deepEqual(readRules(variant), expected);
      assert.deepEqual(readRules(new TextEncoder().encode(variant)), expected);
    }
  });
}
