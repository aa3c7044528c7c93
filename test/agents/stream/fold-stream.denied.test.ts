import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  emptyStream,
  foldStream,
  parseOutcomeFile,
  type StreamEvent,
} from '../../../source/agents/index.ts';
import {outcomeOfStream} from '../../../source/agents/stream/outcome-of-stream.ts';

const end = {agent: 'claude', account: 'Log in.', code: 0, now: 0};
const write: StreamEvent = {
  type: 'tool-started',
  id: '1',
  name: 'Write',
  about: 'src/a.ts',
  files: ['src/a.ts'],
};
const command: StreamEvent = {type: 'tool-started', id: '1', name: 'Bash', about: 'touch src/a.ts'};
const ended = (isOk: boolean, text: string): StreamEvent => ({
  type: 'tool-ended',
  id: '1',
  isOk,
  text,
});

function deniedIn(...events: readonly StreamEvent[]): readonly string[] | undefined {
  const outcome = outcomeOfStream(
    [{type: 'session', id: 'c1'} as const, ...events, {type: 'done'} as const].reduce(
      foldStream,
      emptyStream,
    ),
    end,
  );
  assert.equal(outcome.at, 'finished');
  return outcome.denied;
}

describe('what an agent was not allowed to do', () => {
  const cases: readonly (readonly [
    string,
    readonly StreamEvent[],
    readonly string[] | undefined,
  ])[] = [
    [
      'a write that needs a permission',
      [
        write,
        ended(
          false,
          "Claude requested permissions to write to src/a.ts, but you haven't granted it yet.\nmore",
        ),
      ],
      [
        "Write src/a.ts: Claude requested permissions to write to src/a.ts, but you haven't granted it yet.",
      ],
    ],
    ['a write that failed without a word', [write, ended(false, '')], ['Write src/a.ts']],
    [
      'a command that may not write',
      [command, ended(false, "touch: cannot touch 'src/a.ts': Read-only file system")],
      ["Bash touch src/a.ts: touch: cannot touch 'src/a.ts': Read-only file system"],
    ],
    ['a write that went well', [write, ended(true, 'permission')], undefined],
    [
      'a command that failed for another reason',
      [command, ended(false, '3 tests failed')],
      undefined,
    ],
    ['an end without a beginning', [ended(false, 'permission denied')], undefined],
  ];
  for (const [name, events, denied] of cases)
    test(name, () => {
      assert.deepEqual(deniedIn(...events), denied);
    });

  test('no more than three are told, each in one short line', () => {
    const many = Array.from({length: 9}, (_, index): StreamEvent[] => [
      {
        type: 'tool-started',
        id: String(index),
        name: 'Write',
        about: 'x'.repeat(1000),
        files: ['x'],
      },
      {type: 'tool-ended', id: String(index), isOk: false, text: 'y'.repeat(1000)},
    ]).flat();
    const denied = deniedIn(...many) ?? [];
    assert.deepEqual(
      [denied.length, denied.every((text) => text.length <= 502 && !text.includes('\n'))],
      [3, true],
    );
  });

  test('is read from an outcome file, whatever stands there', () => {
    const read = (denied: unknown): unknown =>
      parseOutcomeFile(JSON.stringify({at: 'finished', words: 'x', denied}));
    assert.deepEqual(read(['a', 7, '', 'b', 'c', 'd']), {
      at: 'finished',
      words: 'x',
      denied: ['a', 'b', 'c'],
    });
    assert.deepEqual([read('a'), read({}), read([])], Array(3).fill({at: 'finished', words: 'x'}));
  });
});
