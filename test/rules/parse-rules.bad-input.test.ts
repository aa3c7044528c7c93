import assert from 'node:assert/strict';
import {test} from 'node:test';
import {lintRules, parseRules} from '../../source/rules/index.ts';

const checks = '\n# Validation\n- Test. `test: npm test`\n';

type Case = {
  readonly input: string | Uint8Array;
  /** `number text`, without the rules of the validation section above. */
  readonly rules: readonly string[];
  /** `line name` of what is found. */
  readonly found: readonly string[];
};

const cases: Readonly<Record<string, Case>> = {
  'an empty file': {input: '', rules: [], found: ['1 no-rules']},
  'only white space': {input: ' \n\t\n\r\n', rules: [], found: ['1 no-rules']},
  'only a heading': {input: '# 1. Rules', rules: [], found: ['1 no-rules']},
  'only prose': {input: 'Be good.\n\nBe kind.', rules: [], found: ['1 no-rules']},
  'no headings at all': {
    input: '- a\n- b',
    rules: ['1.1 a', '1.2 b'],
    found: ['1 rules-before-heading', '1 no-checks'],
  },
  'items before the first heading': {
    input: `\n- a\n# 2. Rest\n- b${checks}`,
    rules: ['1.1 a', '2.1 b'],
    found: ['2 rules-before-heading'],
  },
  'a byte order mark': {input: `\uFEFF# A\n- a${checks}`, rules: ['1.1 a'], found: []},
  'a byte order mark in bytes': {
    input: bytes(0xef, 0xbb, 0xbf, `# A\n- a${checks}`),
    rules: ['1.1 a'],
    found: [],
  },
  'a second byte order mark': {
    input: `\uFEFF\uFEFF# A\n- a${checks}`,
    rules: ['1.1 a'],
    found: ['1 hidden-character'],
  },
  'line ends of Windows': {
    input: `# A\r\n- a\r\n- b${checks}`,
    rules: ['1.1 a', '1.2 b'],
    found: [],
  },
  'line ends of the first Macs': {
    input: `# A\r- a\r- b\r${checks}`,
    rules: ['1.1 a', '1.2 b'],
    found: [],
  },
  'mixed line ends': {input: `# A\r- a\r\n- b\n${checks}`, rules: ['1.1 a', '1.2 b'], found: []},
  'the same title twice': {
    input: `# Safety\n- a\n# SAFETY.\n- b${checks}`,
    rules: ['1.1 a', '2.1 b'],
    found: ['3 duplicate-section'],
  },
  'nested lists': {
    input: `# A\n- a\n  - b\n    1. c\n- d${checks}`,
    rules: ['1.1 a', '1.2 b', '1.3 c', '1.4 d'],
    found: [],
  },
  'a code fence with headings and items': {
    input: `# A\n- a\n\n\`\`\`\n# B\n- b\n\`\`\`\n${checks}`,
    rules: ['1.1 a'],
    found: ['4 prose-ignored'],
  },
  'a code fence with another fence inside': {
    input: `# A\n- a\n~~~~\n~~~\n# B\n~~~~\n${checks}`,
    rules: ['1.1 a'],
    found: ['3 prose-ignored'],
  },
  'a code fence that is never closed': {
    input: `# A\n- a\n\`\`\`\n- b${checks}`,
    rules: ['1.1 a'],
    found: ['1 no-checks', '3 unclosed-block', '3 prose-ignored'],
  },
  'a code fence in the last item that is never closed': {
    input: '# Validation\n- Test. `test: npm test`\n# A\n- a\n  ~~~\n  - b',
    rules: ['1.1 Test.', '2.1 a'],
    found: ['5 prose-ignored'],
  },
  'a comment that is never closed': {
    input: `# A\n- a\n<!-- b\n- c${checks}`,
    rules: ['1.1 a'],
    found: ['1 no-checks', '3 unclosed-block'],
  },
  'a comment over several items': {
    input: `# A\n- a\n<!--\n- b\n# C\n-->\n- d${checks}`,
    rules: ['1.1 a', '1.2 d'],
    found: [],
  },
  'a comment inside an item': {
    input: `# A\n- a <!-- b --> c <!-- \`max-files: 1\` -->${checks}`,
    rules: ['1.1 a  c'],
    found: [],
  },
  'a comment mark inside code': {
    input: `# A\n- a \`<!--\` b \`-->\`${checks}`,
    rules: ['1.1 a `<!--` b `-->`'],
    found: [],
  },
  'a table': {
    input: `# A\n| - a | b |\n|---|---|\n- c${checks}`,
    rules: ['1.1 c'],
    found: ['2 prose-ignored'],
  },
  'a quotation': {input: `# A\n> - a\n- b${checks}`, rules: ['1.1 b'], found: ['2 prose-ignored']},
  'a rule over three lines': {
    input: `# A\n- a\n  b\nc \`max-files: 3\`${checks}`,
    rules: ['1.1 a b c'],
    found: [],
  },
  'NUL bytes': {input: `# A\n- a\0b${checks}`, rules: ['1.1 a\0b'], found: ['2 hidden-character']},
  'escape sequences': {
    input: `# A\n- a\u001B[31m${checks}`,
    rules: ['1.1 a\u001B[31m'],
    found: ['2 hidden-character'],
  },
  'bidi controls': {
    input: `# A\n- a \u202Eb\u202C${checks}`,
    rules: ['1.1 a \u202Eb\u202C'],
    found: ['2 hidden-character'],
  },
  'zero-width characters in a directive': {
    input: `# A\n- a \`protect: src/\u200B**\`${checks}`,
    rules: ['1.1 a `protect: src/\u200B**`'],
    found: ['2 hidden-character', '2 hidden-in-tooth'],
  },
  'tag characters in a check': {
    input: `# Validation\n- a \`test: npm\u{E0041} test\``,
    rules: ['1.1 a `test: npm\u{E0041} test`'],
    found: ['2 hidden-character', '2 hidden-in-tooth', '2 empty-validation'],
  },
  'a lone surrogate': {
    input: `# A\n- a\uD800${checks}`,
    rules: ['1.1 a\uD800'],
    found: ['2 hidden-character'],
  },
  'bytes that are not UTF-8': {
    input: bytes('# A\n- a\n- b', 0xff, 0xc3, checks),
    rules: ['1.1 a', '1.2 b\uFFFD\uFFFD'],
    found: ['3 not-utf8'],
  },
  'an overlong encoding': {
    input: bytes('# A\n- ', 0xc0, 0xaf, checks),
    rules: ['1.1 \uFFFD\uFFFD'],
    found: ['2 not-utf8'],
  },
  'UTF-16': {input: bytes(0xff, 0xfe, '#', 0, ' ', 0, 'A', 0), rules: [], found: ['1 not-utf8']},
  'exactly 256 kB': {input: `# A\n- a${checks}`.padEnd(262_144, '\n'), rules: ['1.1 a'], found: []},
  'one byte more': {
    input: `# A\n- a${checks}`.padEnd(262_145, '\n'),
    rules: [],
    found: ['1 too-large'],
  },
  '256 kB of characters that are more bytes': {
    input: `# A\n- ${'é'.repeat(200_000)}`,
    rules: [],
    found: ['1 too-large'],
  },
  '1 MB in one line': {input: 'x'.repeat(1_000_000), rules: [], found: ['1 too-large']},
  '50 MB of bytes': {input: new Uint8Array(50_000_000), rules: [], found: ['1 too-large']},
  'ten thousand nested items in one line': {
    input: `# A\n${'- '.repeat(10_000)}a${checks}`,
    rules: ['1.1 a'],
    found: [],
  },
  'ten thousand nested quotations': {
    input: `# A\n${'>'.repeat(10_000)}\n- a${checks}`,
    rules: ['1.1 a'],
    found: ['2 prose-ignored'],
  },
  'a directive in place of a word': {
    input: `# A\n- \`max-files: 3\`${checks}`,
    rules: ['1.1 max-files: 3'],
    found: [],
  },
  'an item that holds nothing': {input: `# A\n-\n- a\n*\n${checks}`, rules: ['1.1 a'], found: []},
  'an item whose words come after a blank line': {
    input: `# A\n-\n\n  a\n- b${checks}`,
    rules: ['1.1 b'],
    found: ['4 prose-ignored'],
  },
  'a span that is not closed': {
    input: `# A\n- a \`max-files: 3${checks}`,
    rules: ['1.1 a `max-files: 3'],
    found: [],
  },
  'a heading without words': {
    input: `#\n- a${checks}`,
    rules: ['1.1 a'],
    found: ['2 rules-before-heading'],
  },
};

for (const [name, {input, rules, found}] of Object.entries(cases)) {
  test(`a rules file with ${name} is read`, () => {
    const reading = parseRules(input);
    const ours = reading.value.rules.filter(
      ({text, number}) => !(text === 'Test.' && number !== '1.1'),
    );
    assert.deepEqual(
      ours.map(({number, text}) => `${number} ${text}`),
      rules,
    );
    assert.deepEqual(
      lintRules(reading).map(({line, name: lintName}) => `${line} ${lintName}`),
      found,
    );
  });
}

test('a hundred thousand items are too large, and sixty thousand are read', () => {
  assert.equal(parseRules('- a\n'.repeat(100_000)).value.rules.length, 0);
  assert.equal(parseRules('- a\n'.repeat(60_000)).value.rules.length, 60_000);
});

test('the hash is of the text that was read, and of nothing else', () => {
  const {hash} = parseRules('# A\n- é\n').value;
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(parseRules('\uFEFF# A  \r\n- e\u0301\t\r\n\r\n').value.hash, hash);
  assert.notEqual(parseRules('# A\n- è\n').value.hash, hash);
  assert.notEqual(parseRules('# A\n\n- é\n').value.hash, hash);
  assert.equal(parseRules('x'.repeat(300_000)).value.hash, parseRules('').value.hash);
});

test('a pile of combining marks keeps its spelling, because putting it in order would take for ever', () => {
  const pile = `a${'\u0316\u0300'.repeat(40_000)}`;
  assert.equal(parseRules(`- ${pile}`).value.rules[0]?.text, pile);
});

function bytes(...parts: readonly (number | string)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)],
    ),
  );
}
