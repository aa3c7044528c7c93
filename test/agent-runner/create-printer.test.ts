import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {StreamEvent} from '../../source/agents/index.ts';
import {createPrinter} from '../../source/agent-runner/create-printer.ts';

function shown(events: readonly StreamEvent[], color = false): string {
  let screen = '';
  const printer = createPrinter({
    color,
    directory: '/w',
    out: (text) => {
      screen += text;
    },
  });
  for (const event of events) printer.show(event);
  printer.end('done', 'dim');
  return screen;
}

const call = (id: string, about: string, diff?: string): StreamEvent => ({
  type: 'tool-started',
  id,
  name: 'Tool',
  about,
  ...(diff !== undefined && {diff}),
});
const over = (id: string, isOk = true, text = ''): StreamEvent => ({
  type: 'tool-ended',
  id,
  isOk,
  text,
});

test('a call and its end are one line, also when they come at once or twice', () => {
  assert.equal(
    shown([
      call('1', '/w/a.txt'),
      over('1'),
      call('2', 'b'),
      call('2', 'b'),
      over('2', false, 'no\nway'),
    ]),
    '● Tool a.txt ✓\n● Tool b ✗ no way\n─ done\n',
  );
});

test('calls that run beside each other end by name', () => {
  assert.equal(
    shown([call('1', 'a'), call('2', 'b'), over('1'), over('2'), over('3', false, 'lost')]),
    '● Tool a\n● Tool b\n✓ Tool a\n✓ Tool b\n✗ tool lost\n─ done\n',
  );
});

test('parts of a text go on; whatever comes between begins a line', () => {
  assert.equal(
    shown([
      {type: 'text', text: 'He', isPart: true},
      {type: 'text', text: 'llo\n', isPart: true},
      {type: 'text', text: 'you', isPart: true},
      call('1', 'a'),
      over('1'),
      {type: 'text', text: '!', isPart: true},
    ]),
    'Hello\nyou\n● Tool a ✓\n!\n─ done\n',
  );
});

test('a text is whole, a thought and a notice are one line', () => {
  const long = 'word '.repeat(1000).trim();
  const screen = shown([
    {type: 'text', text: `${long}\n\n\n`},
    {type: 'thought', text: `${long}\n${long}`},
    {type: 'notice', text: long},
    {type: 'thought', text: ' '},
  ]);
  const lines = screen.split('\n');
  assert.equal(lines[0], long);
  assert.deepEqual(
    lines.slice(1, 3).map((line) => [line.charAt(0), Array.from(line).length <= 162]),
    [
      ['…', true],
      ['·', true],
    ],
  );
  assert.deepEqual(lines.slice(3), ['─ done', '']);
});

test('a change is shown short', () => {
  assert.equal(
    shown([
      call(
        '1',
        'a',
        ['-old', ...Array.from({length: 8}, (_, index) => `+line ${index}`)].join('\n'),
      ),
      over('1'),
    ]),
    '● Tool a ✓\n    - old\n    + line 0\n    + line 1\n    + line 2\n    + line 3\n    + line 4\n    … 3 more lines\n─ done\n',
  );
});

test('a diff of few, very long lines has no count of more lines', () => {
  const long = 'x'.repeat(60_000);
  assert.equal(
    shown([call('1', 'a', `-${long}\n+${long}`), over('1')]),
    `● Tool a ✓\n    - ${'x'.repeat(119)}…\n    + ${'x'.repeat(119)}…\n─ done\n`,
  );
});

test('all lines of a diff are counted, however long it is', () => {
  const diff = Array.from({length: 40_007}, () => '+abc').join('\n');
  assert.match(shown([call('1', 'a', diff), over('1')]), /\n {4}… 40001 more lines\n/);
  assert.match(
    shown([call('1', 'a', '+1\n+2\n+3\n+4\n+5\n+6\n+7'), over('1')]),
    /\n {4}… 1 more line\n/,
  );
});

test('colours say nothing that signs do not', () => {
  const events = [call('1', 'a'), over('1', false, 'no'), {type: 'text', text: 'Hi'} as const];
  assert.equal(shown(events, true).replaceAll(/\u001B\[\d+m/g, ''), shown(events));
});

test('a session is named once', () => {
  assert.equal(
    shown([
      {type: 'session', id: 'a', model: 'm'},
      {type: 'session', id: 'a'},
      {type: 'session', id: ''},
    ]),
    'session a · m\n─ done\n',
  );
});
