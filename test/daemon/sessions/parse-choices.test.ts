import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseChoices} from '../../../source/daemon/sessions/parse-choices.ts';

/** The cursor is in the last row. */
function parse(...rows: readonly string[]): {question: string; choices: string[]} | undefined {
  const found = parseChoices(rows, rows.length - 1);
  return (
    found && {
      question: found.question,
      choices: found.choices.map(({key, label}) => `${key}=${label}`),
    }
  );
}

const yesOrNo: readonly (readonly [string, readonly string[]])[] = [
  ['Do you want to continue? [Y/n] ', ['y=yes', 'n=no']],
  ['Overwrite? (y/N)', ['y=yes', 'n=no']],
  ['Overwrite [y/n]?', ['y=yes', 'n=no']],
  ['Overwrite (y/n): ', ['y=yes', 'n=no']],
  ['Go on y/n?', ['y=yes', 'n=no']],
  ['Format the disk (Y/N)? ', ['Y=yes', 'N=no']],
  ['Are you sure (yes/no)? ', ['yes=yes', 'no=no']],
  ['Go on connecting (yes/no/[fingerprint])? ', ['yes=yes', 'no=no']],
  ['Proceed ([y]/n)? ', []],
  ['Stage this hunk [y,n,q,a,d,e,?]? ', []],
  ['Replace? [y/n/a] ', []],
  ['Replace? [Y/no] ', []],
  ['a heavy/nodes pair: ', []],
  ['Name: ', []],
];

describe('a yes-or-no question', () => {
  for (const [prompt, choices] of yesOrNo)
    test(prompt, () => {
      const expected = choices.length === 0 ? undefined : {question: prompt.trim(), choices};
      assert.deepEqual(parse('1 package will be installed.', prompt), expected);
    });
});

const lists: Readonly<Record<string, readonly [readonly string[], string, readonly string[]]>> = {
  'bash select': [['1) red', '2) green', '#? '], '#?', ['1=red', '2=green']],
  'asked once more': [
    ['1) red', '2) green', '#? 7', '1) red', '2) green', '#? '],
    '#?',
    ['1=red', '2=green'],
  ],
  'a question above the list': [
    ['I looked at it.', '', 'Which answers are final?', '  1) every 4xx', '  2) only 410', '> '],
    'Which answers are final?',
    ['1=every 4xx', '2=only 410'],
  ],
  'a question that goes over two rows': [
    [
      'I am not sure.',
      'Which answers are final, so that no',
      'retry follows?',
      ' 1) all',
      ' 2) none',
      '>',
    ],
    'Which answers are final, so that no retry follows?',
    ['1=all', '2=none'],
  ],
  'the question is the prompt': [
    ['  1) red', '  2) green', 'Which colour? '],
    'Which colour?',
    ['1=red', '2=green'],
  ],
  'the heading above the list is no question': [
    ['Colours', '1. red', '2. green', '', 'Enter a number [1-2]: '],
    'Enter a number [1-2]:',
    ['1=red', '2=green'],
  ],
  brackets: [['Pick one:', '[1] red', '[2] green', ': '], 'Pick one:', ['1=red', '2=green']],
  'in columns, as select prints long lists': [
    ['Which?', '1) red     3) blue', '2) green   4) dark  grey', '#? '],
    'Which?',
    ['1=red', '2=green', '3=blue', '4=dark grey'],
  ],
  'a label over two rows, and rows apart': [
    [
      'Which?',
      '',
      ' 1) red, which is',
      '    the default',
      '',
      ' 2) green, which is',
      '    not',
      '',
      '>',
    ],
    'Which?',
    ['1=red, which is the default', '2=green, which is not'],
  ],
  'a way out at the end': [
    ['Which?', '1) red', '2) green', '0) quit', '> '],
    'Which?',
    ['1=red', '2=green', '0=quit'],
  ],
  'the prompt is an empty row': [
    ['1) red', '2) green', 'Which colour?', ''],
    'Which colour?',
    ['1=red', '2=green'],
  ],
};

describe('a numbered list above the prompt', () => {
  for (const [what, [rows, question, choices]] of Object.entries(lists))
    test(what, () => {
      assert.deepEqual(parse(...rows), {question, choices});
    });
});

const none: Readonly<Record<string, readonly string[]>> = {
  'no list': ['hello', 'Name: '],
  'another question below a list of steps': ['Steps:', '1. install', '2. test', 'Your name: '],
  'a list that is too far above': ['1) a', '2) b', 'w', 'x', 'y', 'z', '> '],
  'one entry': ['1) a', '> '],
  'a gap': ['1) a', '3) c', '> '],
  'no first entry': ['2) b', '3) c', '> '],
  'from 0 on': ['0) a', '1) b', '> '],
  'text between entries': ['1) a', 'something else', '2) b', '> '],
  'the same number twice': ['1) a', '2) b', '2) c', '> '],
  'versions and times': ['1.2 old', '2.0 new', '> '],
  'an empty screen': ['', ''],
};

describe('no options', () => {
  for (const [what, rows] of Object.entries(none))
    test(what, () => {
      assert.equal(parse(...rows), undefined);
    });
});

describe('a hostile screen', () => {
  test('at most nine options, and a way out stays among them', () => {
    const many = Array.from({length: 30}, (_, index) => `${index + 1}) option ${index + 1}`);
    assert.deepEqual(parse(...many, '> ')?.choices.length, 9);
    const left = parse(...many, '0) quit', '> ')?.choices;
    assert.deepEqual([left?.length, left?.at(-1)], [9, '0=quit']);
  });

  test('labels and questions are cut, and nothing in them hides or reorders', () => {
    const found = parse(
      `Is \u202Ethis\u200B ${'long '.repeat(200)}?`,
      `1) \u001B[31mred\u0007 ${'x'.repeat(500)}`,
      '2) \u2066green',
      '> ',
    );
    assert.ok(found !== undefined && found.question.length <= 320, found?.question);
    assert.match(found.question, /^Is \\u\{202e\}this\\u\{200b\} long/);
    assert.ok((found.choices[0]?.length ?? 999) <= 140);
    assert.match(found.choices[0] ?? '', /^1=\\u\{1b\}\[31mred\\u\{7\} x+…$/);
    assert.equal(found.choices[1], '2=\\u{2066}green');
  });

  test('what is typed is a number, yes or no, whatever the screen says', () => {
    for (const rows of [
      ['1) rm -rf /', '2) $(reboot)', '> '],
      ['[1] a', '[2] b', '[3\r] c', '> '],
      ['really; y/n', 'y/n'],
      ['Y|N? [yes/no]'],
    ])
      for (const {key} of parseChoices(rows, rows.length - 1)?.choices ?? [])
        assert.match(key, /^(?:\d{1,2}|y|n|yes|no)$/i);
  });

  test('long rows are read in no time', () => {
    const row = `1) ${' 1) '.repeat(2000)}${'  2)'.repeat(2000)}`;
    const began = performance.now();
    parse(...Array.from({length: 40}, () => row), `${'y/n '.repeat(5000)}x`);
    parse(...Array.from({length: 40}, () => row), '> ');
    assert.ok(performance.now() - began < 2000);
  });
});
