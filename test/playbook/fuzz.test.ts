// Whatever the bytes, reading gives a playbook and problems with lines; it never throws.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parsePlaybook} from '../../source/playbook/index.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

const word = fc.oneof(
  fc.string({maxLength: 8, unit: 'binary'}),
  fc.constantFrom(
    'a',
    '../a',
    '.git/x',
    '${answer}',
    '',
    '2s',
    'npm test',
    '\u202E',
    '__proto__',
    't1',
  ),
);
const value = fc.oneof(word, fc.integer(), fc.jsonValue({maxDepth: 3}));
const file = fc.record(
  {
    path: value,
    text: value,
    find: value,
    with: value,
    command: value,
    mayFail: fc.oneof(fc.boolean(), value),
    question: value,
    options: fc.oneof(fc.array(word), value),
  },
  {requiredKeys: []},
);
const kind = fc.constantFrom(
  'print',
  'replace',
  'write',
  'append',
  'delete',
  'run',
  'ask',
  'wait',
  'fail',
  'report',
  '__proto__',
  'wirte',
);
const step = fc.oneof(fc.dictionary(kind, fc.oneof(value, file), {maxKeys: 2}), value);
const lists = fc.oneof(
  fc.dictionary(
    fc.constantFrom('t1', 't2', 't0', '__proto__', '<<'),
    fc.oneof(fc.array(step, {maxLength: 4}), value),
    {maxKeys: 3},
  ),
  value,
);
const document = fc.record(
  {plan: value, tasks: lists, repairs: lists, other: value},
  {requiredKeys: []},
);

function assertReading(text: string | Uint8Array): void {
  const {value: playbook, problems} = parsePlaybook(text);
  const lines = (typeof text === 'string' ? text : new TextDecoder().decode(text)).split(
    /\r\n?|\n/,
  ).length;
  for (const {line, text: text} of problems) {
    assert.ok(line >= 1 && line <= lines, `line ${line} of ${lines}: ${text}`);
    assert.match(text, /[.?]$/);
  }

  for (const {task, steps} of [...playbook.tasks, ...playbook.repairs]) {
    assert.match(task, /^t[1-9]\d{0,2}$/);
    for (const one of steps)
      if ('path' in one)
        assert.doesNotMatch(one.path, /^\/|^~|(?:^|\/)\.\.(?:\/|$)|\0|(?:^|\/)\.git(?:\/|$)/i);
  }
}

test('4,000 documents that resemble a playbook are read', () => {
  fc.assert(
    fc.property(
      document.map((one) => JSON.stringify(one, undefined, 1)),
      assertReading,
    ),
    {numRuns: scaled(4000)},
  );
});

test('2,000 arrays of bytes are read', () => {
  fc.assert(fc.property(fc.uint8Array({maxLength: 200}), assertReading), {numRuns: scaled(2000)});
});

test('4,000 texts of pieces that mean something are read', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        'tasks:',
        'plan:',
        'repairs: ',
        't1:',
        '\n',
        '\n  ',
        '\n    - ',
        'print: a',
        'write: ',
        '{path: a, text: b}',
        'ask: x',
        '${answer}',
        '&a ',
        '*a',
        '!t ',
        '"',
        "'",
        '|\n',
        '- ',
        '{',
        '}',
        '[',
        ']',
        '\t',
        '\u0000',
        '\uD800',
      ),
      fc.string({maxLength: 4}),
    ),
    {maxLength: 20},
  );
  fc.assert(
    fc.property(
      pieces.map((all) => all.join('').replaceAll('\r', '')),
      assertReading,
    ),
    {numRuns: scaled(4000)},
  );
});
