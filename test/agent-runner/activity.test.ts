import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {type Activity, parseActivityFile} from '../../source/agents/index.ts';
import {eventually} from '../support/eventually.ts';
import {
  createDaemonFixture,
  type DaemonFixture,
  description,
  ends,
  init,
  show,
} from './support/pretend.ts';

function activityIn({outcomeFile}: DaemonFixture): Activity | undefined {
  const file = path.join(path.dirname(outcomeFile), 'activity.json');
  return existsSync(file) ? parseActivityFile(readFileSync(file, 'utf8')) : undefined;
}

const line = (record: object): string => `${JSON.stringify(record)}\n`;
const event = (inner: object): string =>
  line({type: 'stream_event', event: inner, parent_tool_use_id: null});
const begins = (id: string, input: number): string =>
  event({type: 'message_start', message: {id, usage: {input_tokens: input, output_tokens: 1}}});
const delta = (index: number, inner: object): string =>
  event({type: 'content_block_delta', index, delta: inner});

/** A message in parts, and whole. */
function writes(id: string, text: string, {input = 100, output = 20} = {}): string[] {
  const half = Math.ceil(text.length / 2);
  return [
    begins(id, input),
    event({type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}}),
    ...[text.slice(0, half), text.slice(half)].map((piece) =>
      delta(0, {type: 'text_delta', text: piece}),
    ),
    line({
      type: 'assistant',
      message: {
        id,
        model: 'm',
        content: [{type: 'text', text}],
        usage: {input_tokens: input, output_tokens: 1},
      },
      parent_tool_use_id: null,
    }),
    event({type: 'content_block_stop', index: 0}),
    event({type: 'message_delta', delta: {}, usage: {output_tokens: output}}),
    event({type: 'message_stop'}),
  ];
}

function calls(id: string, command: string, result: string, isError: boolean): string[] {
  return [
    line({
      type: 'assistant',
      message: {
        id: `m-${id}`,
        model: 'm',
        content: [{type: 'tool_use', id, name: 'Bash', input: {command, description: `try ${id}`}}],
        usage: {input_tokens: 1, output_tokens: 1},
      },
      parent_tool_use_id: null,
    }),
    line({
      type: 'user',
      message: {
        content: [{type: 'tool_result', tool_use_id: id, is_error: isError, content: result}],
      },
      parent_tool_use_id: null,
    }),
  ];
}

describe('what an agent writes in parts', () => {
  test('is shown once, and counted once', async (t) => {
    const fixture = createDaemonFixture(t);
    const {screen, outcome, stream} = await show(fixture, {
      chunks: [init, ...writes('m1', 'Hello there.'), ...writes('m2', 'And bye.\nReally.')],
      code: 1,
    });
    assert.equal(screen.split('Hello there.').length, 2, screen);
    assert.match(screen, /^Hello there\.\nAnd bye\.\nReally\.$/m);
    assert.deepEqual(outcome?.usage, {input: 200, output: 40});
    assert.deepEqual(activityIn(fixture)?.usage, {input: 200, output: 40});
    assert.doesNotMatch(stream, /stream_event/);
  });

  test('is on the screen while the rest is still written, and so is the name of a call', async (t) => {
    const fixture = createDaemonFixture(t);
    let shown = '';
    const running = show(
      fixture,
      {
        chunks: [
          init,
          ...writes('m1', 'Hello there.').slice(0, 3),
          event({
            type: 'content_block_start',
            index: 1,
            content_block: {type: 'tool_use', id: 't1', name: 'Write', input: {}},
          }),
        ],
        hangs: true,
      },
      {
        out: (text) => {
          shown += text;
        },
        argv: [
          process.execPath,
          '-e',
          `process.stdout.write(${JSON.stringify([init, ...writes('m1', 'Hello there.').slice(0, 3), event({type: 'content_block_start', index: 1, content_block: {type: 'tool_use', id: 't1', name: 'Write', input: {}}})].join(''))}); process.stdin.resume(); setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(path.join(fixture.directory, 'go'))})) process.exit(0); }, 20)`,
        ],
      },
    );
    await eventually(
      'the half of it is shown',
      () => shown.includes('Hello ') && shown.includes('● Write'),
    );
    assert.doesNotMatch(shown, /there\./);
    writeFileSync(path.join(fixture.directory, 'go'), '');
    await running;
  });

  test('whose whole differs from its parts is shown whole', async (t) => {
    const chunks = [
      init,
      begins('m1', 5),
      event({type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}}),
      delta(0, {type: 'text_delta', text: 'Lost'}),
      description('Hello.'),
      ends('Hello.'),
    ];
    assert.match((await show(createDaemonFixture(t), {chunks})).screen, /^Hello\.$/m);
  });

  test('what a helper of the agent writes is not its answer', async (t) => {
    const nested = (record: object): string => line({...record, parent_tool_use_id: 'task-1'});
    const chunks = [
      init,
      nested({
        type: 'stream_event',
        event: {type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
      }),
      nested({
        type: 'stream_event',
        event: {type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text: 'Inner.'}},
      }),
      ...writes('m1', 'Outer.'),
    ];
    const {screen} = await show(createDaemonFixture(t), {chunks});
    assert.doesNotMatch(screen, /Inner/);
    assert.match(screen, /^Outer\.$/m);
  });

  test('endless parts are not remembered without end, and hostile ones act on nothing', async (t) => {
    const evil = '\u001B]52;c;ZXZpbA==\u0007\u202E';
    const {screen} = await show(createDaemonFixture(t), {
      chunks: [
        init,
        ...writes('m1', `a${evil}b`),
        event({type: 'content_block_start', index: 9, content_block: {type: 'thinking'}}),
        delta(9, {type: 'thinking_delta', thinking: `${evil}${'x'.repeat(5000)}`}),
        event({
          type: 'content_block_start',
          content_block: {type: 'tool_use', id: 'x', name: `Bash${evil}`},
        }),
      ],
    });
    assert.doesNotMatch(screen, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
    assert.ok(screen.length < 1500, String(screen.length));
  });
});

describe('an agent of an older version', () => {
  test('that does not know how to write in parts is started without', async (t) => {
    const fixture = createDaemonFixture(t);
    const file = path.join(fixture.directory, 'claude');
    writeFileSync(
      file,
      `#!/bin/sh\ncase "$*" in *--include-partial-messages*) echo "error: unknown option '--include-partial-messages'" >&2; exit 1;; esac\ncat > ${fixture.directory}/prompt\nprintf '%s' '${description('Hello.').trim()}\n${ends('Hello.').trim()}\n'\n`,
    );
    chmodSync(file, 0o755);
    const {code, outcome, screen} = await show(
      fixture,
      {},
      {argv: [file, '-p', '--include-partial-messages', '--verbose']},
    );
    assert.deepEqual([code, outcome?.at], [0, 'finished'], screen);
    assert.match(
      screen,
      /This claude does not support --include-partial-messages; orchestra starts it without\./,
    );
    assert.match(readFileSync(path.join(fixture.directory, 'prompt'), 'utf8'), /# Task/);
  });

  test('that fails for another reason is not started twice', async (t) => {
    const fixture = createDaemonFixture(t);
    const file = path.join(fixture.directory, 'claude');
    writeFileSync(
      file,
      `#!/bin/sh\necho x >> ${fixture.directory}/starts\necho "no such model" >&2\nexit 1\n`,
    );
    chmodSync(file, 0o755);
    await show(fixture, {}, {argv: [file, '--include-partial-messages']});
    assert.equal(readFileSync(path.join(fixture.directory, 'starts'), 'utf8'), 'x\n');
  });
});

describe('the limit of tokens', () => {
  test('ends the agent with the message that passes it, and says so', async (t) => {
    const fixture = createDaemonFixture(t);
    const {code, outcome, screen} = await show(
      fixture,
      {
        chunks: [
          init,
          ...writes('m1', 'One.', {input: 400}),
          ...writes('m2', 'Two.', {input: 700}),
        ],
        hangs: true,
      },
      {tokenLimit: 1000},
    );
    assert.equal(code, 1);
    assert.equal(outcome?.at, 'failed');
    assert.match(
      outcome.words,
      /^claude was stopped: it has used 1\d\d\d tokens, and 1000 were left\.$/,
    );
    assert.ok((outcome.usage?.input ?? 0) >= 1000 && (outcome.usage?.input ?? 0) <= 1100);
    assert.equal(outcome.conversation, 's-1');
    assert.match(screen, /was stopped/);
  });

  test('ends also one that does not want to', async (t) => {
    const {code} = await show(
      createDaemonFixture(t),
      {chunks: [init, ...writes('m1', 'One.', {input: 4000})], hangs: true, ignores: ['SIGTERM']},
      {tokenLimit: 1000},
    );
    assert.equal(code, 1);
  });

  for (const [agent, directory, name, records] of [
    [
      'codex',
      'sessions/2026/11',
      'rollout-x-c-7.jsonl',
      [
        line({
          payload: {
            type: 'token_count',
            info: {total_token_usage: {input_tokens: 5000, output_tokens: 10}},
          },
        }),
      ],
    ],
    [
      'gemini',
      '.gemini/tmp/p/chats',
      'session-2026-c-700000.jsonl',
      [
        line({id: 'a', type: 'gemini', tokens: {input: 2000, output: 5}}),
        line({id: 'b', type: 'gemini', tokens: {input: 1, output: 1}}),
        line({id: 'b', type: 'gemini', tokens: {input: 3000, output: 5}}),
      ],
    ],
  ] as const) {
    test(`holds for ${agent}, which counts at its end, by its own record`, async (t) => {
      const fixture = createDaemonFixture(t);
      const home = path.join(fixture.directory, 'home');
      mkdirSync(path.join(home, directory), {recursive: true});
      writeFileSync(path.join(home, directory, name), records.join(''));
      const first =
        agent === 'codex'
          ? {type: 'thread.started', thread_id: 'c-7'}
          : {type: 'init', session_id: 'c-700000-1'};
      const {code, outcome} = await show(
        fixture,
        {chunks: [line(first)], hangs: true},
        {agent, tokenLimit: 1000, env: {PATH: process.env['PATH'], HOME: home, CODEX_HOME: home}},
      );
      assert.deepEqual(
        [code, outcome?.at, outcome?.usage],
        [1, 'failed', {input: 5000, output: 10}],
      );
    });
  }
});

describe('what an agent is doing is left for whoever watches it:', () => {
  test('that its service is asked again, how often and since when; until it answers', async (t) => {
    const retry = (attempt: number): string =>
      line({
        type: 'system',
        subtype: 'api_retry',
        attempt,
        max_retries: 10,
        retry_delay_ms: 500,
        error_status: 529,
        error: 'overloaded',
      });
    const failing = createDaemonFixture(t);
    const {screen} = await show(failing, {
      chunks: [init, ...writes('m1', 'One.'), retry(1), retry(2), retry(3)],
      code: 1,
    });
    assert.deepEqual(activityIn(failing)?.retry, {
      since: 1000,
      times: 3,
      said: 'overloaded',
      status: 529,
    });
    assert.match(
      screen,
      /^· The service failed: HTTP 529, overloaded; trying again \(3 of 10\)\.$/m,
    );
    const progress = activityIn(failing)?.progress;
    const more = createDaemonFixture(t);
    await show(more, {
      chunks: [
        init,
        ...writes('m1', 'One.'),
        ...Array.from({length: 50}, (_, index) => retry(index + 1)),
      ],
      code: 1,
    });
    assert.equal(activityIn(more)?.progress, progress, 'retries are no progress');
    const served = createDaemonFixture(t);
    await show(served, {chunks: [init, retry(1), ...writes('m1', 'One.')], code: 1});
    assert.equal(activityIn(served)?.retry, undefined);
  });

  for (const [agent, text, expected] of [
    [
      'codex',
      line({
        type: 'error',
        message: 'Reconnecting... 2/5 (unexpected status 503 Service Unavailable)',
      }),
      {times: 2, status: 503},
    ],
    [
      'pi',
      line({
        type: 'auto_retry_start',
        attempt: 2,
        maxAttempts: 3,
        delayMs: 4000,
        errorMessage: '500 Internal server error',
      }),
      {times: 2, status: 500},
    ],
    [
      'gemini',
      'Attempt 3 failed with status 429. Retrying with backoff...\n',
      {times: 3, status: 429},
    ],
  ] as const) {
    test(`${agent} says it in its own way`, async (t) => {
      const fixture = createDaemonFixture(t);
      await show(fixture, {chunks: [text], code: 1}, {agent});
      const {times, status} = activityIn(fixture)?.retry ?? {};
      assert.deepEqual({times, status}, expected);
    });
  }

  test('a command that fails again and again, however it is described', async (t) => {
    const fixture = createDaemonFixture(t);
    await show(fixture, {
      chunks: [
        init,
        ...Array.from({length: 5}, (_, index) =>
          calls(`t${index}`, 'npm test', `boom in ${index} s`, true),
        ).flat(),
      ],
      code: 1,
    });
    const {kind, what, times} = activityIn(fixture)?.loops[0] ?? {};
    assert.deepEqual({kind, what, times}, {kind: 'same-failures', what: 'Bash npm test', times: 5});
  });

  test('edits that undo each other, by what is in the file', async (t) => {
    const fixture = createDaemonFixture(t);
    const file = path.join(fixture.directory, 'a.ts');
    const script = path.join(fixture.directory, 'edits.cjs');
    const use = (id: number): string =>
      JSON.stringify({
        type: 'assistant',
        message: {
          id: `m${id}`,
          model: 'm',
          content: [
            {
              type: 'tool_use',
              id: `t${id}`,
              name: 'Edit',
              input: {file_path: file, old_string: 'x', new_string: String(id)},
            },
          ],
        },
        parent_tool_use_id: null,
      });
    const result = (id: number): string =>
      JSON.stringify({
        type: 'user',
        message: {content: [{type: 'tool_result', tool_use_id: `t${id}`, content: 'edited'}]},
        parent_tool_use_id: null,
      });
    // It waits until what it wrote has been read: the screen says that the call is over.
    writeFileSync(
      script,
      `const fs = require('node:fs'); const lines = ${JSON.stringify([0, 1, 2, 3, 4].map((id) => [use(id), result(id)]))};
      let at = 0; const step = () => { if (at === lines.length) process.exit(0); fs.writeFileSync(${JSON.stringify(file)}, at % 2 === 0 ? 'A' : 'B'); process.stdout.write(lines[at].join('\\n') + '\\n'); at += 1; };
      step(); setInterval(() => { if (fs.existsSync(${JSON.stringify(`${script}.`)} + at)) step(); }, 10);`,
    );
    let ended = 0;
    await show(
      fixture,
      {},
      {
        argv: [process.execPath, script],
        out: (text) => {
          if (!text.includes('✓')) return;
          ended += 1;
          writeFileSync(`${script}.${ended}`, '');
        },
      },
    );
    assert.deepEqual(
      activityIn(fixture)
        ?.loops.filter(({kind}) => kind === 'undone-edits')
        .map(({what, times}) => [what, times]),
      [['a.ts', 3]],
    );
  });

  test('whatever was written in its place is read within bounds', () => {
    assert.equal(parseActivityFile('x'.repeat(100_000)), undefined);
    assert.equal(parseActivityFile('{'), undefined);
    assert.deepEqual(parseActivityFile('[]'), {progress: 0, loops: []});
    assert.deepEqual(
      parseActivityFile(
        JSON.stringify({
          progress: -1,
          usage: {input: 'x'},
          retry: {since: 1, times: 0},
          running: {},
          loops: [{kind: 'evil'}, null, {kind: 'same-calls', key: 'k', times: 1e300, since: 1}],
        }),
      ),
      {progress: 0, loops: []},
    );
    assert.equal(
      parseActivityFile(
        JSON.stringify({
          loops: Array.from({length: 50}, (_, index) => ({
            kind: 'same-calls',
            key: `${index}`,
            what: 'x'.repeat(900),
            times: 9,
            since: 1,
          })),
        }),
      )?.loops.length,
      8,
    );
  });
});
