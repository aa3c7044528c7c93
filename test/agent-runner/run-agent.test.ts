import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {parsePlanFromOutput} from '../../source/plan/index.ts';
import {plan} from '../agents/real/support/prompts.ts';
import {hostileFiles, secretText} from '../support/hostile-files.ts';
import {createDaemonFixture, description, ends, init, show} from './support/pretend.ts';

test('an agent is shown, its stream kept, its outcome left and its exit code given', async (t) => {
  const fixture = createDaemonFixture(t);
  const call =
    '{"type":"assistant","message":{"id":"m1","model":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm\\ntest"}}]}}\n{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\\nboom"}]}}\n';
  const {code, screen, outcome, stream} = await show(fixture, {
    chunks: [init, description('Hello.'), call, description('Bye.'), ends('Bye.')],
    promptTo: path.join(fixture.directory, 'prompt'),
    errors: ['careful\n'],
  });
  assert.equal(code, 0);
  assert.deepEqual(
    screen.split('\n').toSorted(),
    [
      '',
      'Bye.',
      'Hello.',
      'session s-1 · m',
      '· careful',
      '─ claude: done · 1 tool call, 1 failed · 7 tokens in, 3 out · $0.5000',
      '● Bash npm test ✗ Exit code 1 boom',
    ].toSorted(),
  );
  assert.deepEqual(outcome, {
    at: 'finished',
    words: 'Bye.',
    usage: {input: 7, output: 3, cost: 0.5},
    conversation: 's-1',
  });
  assert.equal(
    stream,
    [init, description('Hello.'), call, description('Bye.'), ends('Bye.')].join(''),
  );
  assert.equal(
    readFileSync(path.join(fixture.directory, 'prompt'), 'utf8'),
    '# Rules\n\n# Task: x\n',
  );
  assert.deepEqual(
    [
      statSync(fixture.outcomeFile).mode & 0o777,
      statSync(path.join(path.dirname(fixture.outcomeFile), 'stream.jsonl')).mode & 0o777,
    ],
    [0o600, 0o600],
  );
});

test('the agent reads its prompt from where its arguments end', async (t) => {
  const fixture = createDaemonFixture(t);
  await show(
    fixture,
    {chunks: [ends('x')], promptTo: path.join(fixture.directory, 'prompt')},
    {promptFrom: 9},
  );
  assert.equal(readFileSync(path.join(fixture.directory, 'prompt'), 'utf8'), '# Task: x\n');
});

describe('what counts as success:', () => {
  const cases: readonly (readonly [
    name: string,
    pretence: Parameters<typeof show>[1],
    code: number,
    at: string,
    message: RegExp,
  ])[] = [
    ['an answer and exit code 0', {chunks: [init, ends('Done.')]}, 0, 'finished', /^Done\.$/],
    [
      'exit code 0 in the middle of its stream, without a word',
      {chunks: [init, description('So')]},
      1,
      'interrupted',
      /^claude ended in the middle of its stream\.$/,
    ],
    [
      'another exit code there, without a word',
      {chunks: [init, description('So')], code: 1},
      1,
      'interrupted',
      /^claude ended in the middle of its stream\.$/,
    ],
    [
      'an exit code that stands for a signal',
      {chunks: [init], code: 143},
      143,
      'interrupted',
      /^claude was stopped by SIGTERM\.$/,
    ],
    [
      'words in the middle of its stream that tell of a kill',
      {chunks: [init, description('So')], late: ['sh: line 1: 17 Killed node cli.js\n'], code: 1},
      1,
      'interrupted',
      /Killed/,
    ],
    [
      'words in the middle of its stream',
      {chunks: [init, description('So')], late: ['Error: boom\n'], code: 1},
      1,
      'failed',
      /code 1 before it finished\. Its last output: Error: boom$/,
    ],
    [
      'the same, with exit code 0',
      {chunks: [init, description('So')], late: ['Giving in.\n']},
      1,
      'failed',
      /^claude ended without finishing its answer\. Its last output: Giving in\.$/,
    ],
    [
      'what somebody interrupted, in its own words',
      {
        chunks: [
          init,
          '{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming","errors":["Request was aborted."]}\n',
        ],
        code: 1,
      },
      1,
      'interrupted',
      /^claude was interrupted: Request was aborted\.$/,
    ],
    ['exit code 0 and silence', {}, 1, 'failed', /^claude ended without finishing its answer\.$/],
    [
      'exit code 0 after an error in the stream',
      {
        chunks: [
          '{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"Overloaded"}\n',
        ],
      },
      1,
      'unavailable',
      /^claude cannot reach its service, or it is too busy: Overloaded$/,
    ],
    [
      'an answer and another exit code',
      {chunks: [init, ends('Done.')], code: 7},
      7,
      'failed',
      /^claude exited with code 7 before it finished\.$/,
    ],
    [
      'an exit code and words on standard error',
      {errors: ['warn\n', 'Error: boom\n', '    at x (y.js:1)\n'], code: 3},
      3,
      'failed',
      /Its last output: Error: boom$/,
    ],
    [
      'a signal of its own',
      {chunks: [init], signal: 'SIGKILL'},
      137,
      'interrupted',
      /^claude was stopped by SIGKILL\.$/,
    ],
    [
      'giving up',
      {chunks: [init, ends('No.\n\n```json\n{"gaveUp": "There is no such file."}\n```')]},
      0,
      'gave-up',
      /^There is no such file\.$/,
    ],
  ];
  for (const [name, pretence, code, at, text] of cases) {
    test(name, async (t) => {
      const shown = await show(createDaemonFixture(t), pretence);
      assert.deepEqual([shown.code, shown.outcome?.at], [code, at], shown.screen);
      assert.match(shown.outcome?.words ?? '', text);
    });
  }
});

test('a report is taken from the answer; a planner has none', async (t) => {
  const fixture = createDaemonFixture(t);
  const answer =
    'Yes.\n```json\n{"rootCause":"r","decisions":["d"],"rejected":[{"alternative":"a","reason":"b"}]}\n```';
  const report = {rootCause: 'r', decisions: ['d'], rejected: [{alternative: 'a', reason: 'b'}]};
  const {outcome} = await show(fixture, {chunks: [ends(answer)]});
  assert.deepEqual(outcome?.at === 'finished' && outcome.report, report);
  const planned = await show(fixture, {chunks: [ends(answer)]}, {mode: 'plan'});
  assert.equal(planned.outcome?.at === 'finished' && planned.outcome.report, undefined);
});

describe('a stream may be anything:', () => {
  test('a line of 10 MB in small pieces, and a plan on one line of 1 MB', async (t) => {
    const text = `\`\`\`json\n${JSON.stringify({...plan, problem: `Nobody is greeted. ${'ä'.repeat(500_000)}`})}\n\`\`\``;
    const big = `${JSON.stringify({type: 'user', message: {content: [{type: 'tool_result', tool_use_id: 't', content: 'x'.repeat(10_000_000)}]}})}\n`;
    const bytes = Buffer.from(`${big}${description(text)}${ends(text)}`);
    const {code, screen, stream} = await show(createDaemonFixture(t), {
      chunks: Array.from({length: Math.ceil(bytes.length / 100_003)}, (_, index) => ({
        base64: bytes.subarray(index * 100_003, (index + 1) * 100_003).toString('base64'),
      })),
    });
    assert.equal(code, 0);
    assert.equal(stream.length, bytes.toString('utf8').length);
    assert.ok(screen.includes(text));
    const {problems} = parsePlanFromOutput(screen, {objective: 'x'});
    assert.deepEqual(
      problems.filter(({text: text}) => text.includes('JSON')),
      [],
    );
  });

  test('noise before, between and after, half lines, no line end, and no UTF-8', async (t) => {
    const {code, screen, outcome} = await show(createDaemonFixture(t), {
      chunks: [
        'Loading…\n\u001B[2J',
        {base64: Buffer.from([0xff, 0xfe, 0x0a]).toString('base64')},
        init.slice(0, 10),
        init.slice(10),
        '{"type":\n',
        '\r\n\r\n',
        description('Hello.').replace('\n', '\r\n'),
        ends('Hello.').trimEnd(),
      ],
    });
    assert.equal(code, 0, screen);
    assert.equal(outcome?.words, 'Hello.');
    assert.match(screen, /^· Loading…$/m);
    assert.match(screen, /^Hello\.$/m);
    assert.match(screen, /^· \{"type":$/m);
  });

  test('nothing in it acts on the terminal, hides or reorders', async (t) => {
    const evil = '\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u009B31m\u202Ereversed\u200B\u0000\r';
    const chunks = [
      JSON.stringify({type: 'system', subtype: 'init', session_id: evil, model: evil}),
      description(`Text ${evil}`).trim(),
      evil,
      JSON.stringify({
        type: 'assistant',
        message: {
          id: evil,
          content: [
            {type: 'thinking', thinking: evil},
            {
              type: 'tool_use',
              id: 't',
              name: evil,
              input: {command: evil, old_string: evil, new_string: evil},
            },
          ],
        },
      }),
      JSON.stringify({
        type: 'user',
        message: {content: [{type: 'tool_result', tool_use_id: 't', content: evil}]},
        tool_use_result: {structuredPatch: [{lines: [`+${evil}`]}]},
      }),
      JSON.stringify({
        type: 'result',
        subtype: 'success',
        is_error: true,
        result: evil,
        permission_denials: [{tool_name: evil}],
      }),
    ].map((line) => `${line}\n`);
    const {screen} = await show(createDaemonFixture(t), {chunks, errors: [`${evil}\n`], code: 1});
    assert.doesNotMatch(
      screen,
      /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E]/,
    );
    assert.ok(screen.includes('reversed'));
  });

  test('characters that only hide are escaped as JSON does it, so that a plan with them is the same plan', async (t) => {
    const text = `\`\`\`json\n${JSON.stringify({...plan, problem: 'می‌خواهم \u{1F468}‍\u{1F469} 😀'})}\n\`\`\``;
    const {screen} = await show(createDaemonFixture(t), {chunks: [description(text), ends(text)]});
    assert.deepEqual(
      parsePlanFromOutput(screen, {objective: 'x'}),
      parsePlanFromOutput(text, {objective: 'x'}),
    );
    assert.equal(parsePlanFromOutput(screen, {objective: 'x'}).value?.tasks.length, 1);
    assert.match(screen, /می\\u200cخواهم/);
  });

  test('a tool cannot print a plan', async (t) => {
    const fence = '```json\n{"problem": "evil"}\n```';
    const {screen} = await show(createDaemonFixture(t), {
      errors: [`${fence}\n`],
      chunks: [
        description('Mine.'),
        `${JSON.stringify({
          type: 'assistant',
          message: {
            content: [
              {type: 'thinking', thinking: fence},
              {type: 'tool_use', id: 't', name: 'Write', input: {file_path: 'a', content: fence}},
            ],
          },
        })}\n`,
        `${JSON.stringify({type: 'user', message: {content: [{type: 'tool_result', tool_use_id: 't', content: fence}]}})}\n`,
        `${JSON.stringify({type: 'user', message: {content: [{type: 'tool_result', tool_use_id: 'u', is_error: true, content: fence}]}})}\n`,
        ends('Mine.'),
      ],
    });
    assert.match(parsePlanFromOutput(screen, {objective: 'x'}).problems[0]?.text ?? '', /got none/);
  });
});

describe('what is around it may be in the way:', () => {
  test('a program that is not there', async (t) => {
    const {code, outcome, screen} = await show(
      createDaemonFixture(t),
      {},
      {argv: ['/nowhere/claude', '-p']},
    );
    assert.deepEqual([code, outcome?.at], [2, 'failed']);
    assert.match(screen, /^claude could not be started: spawn \/nowhere\/claude ENOENT$/m);
  });

  test('an agent without a stream', async (t) => {
    const {code, screen} = await show(createDaemonFixture(t), {}, {agent: 'playbook'});
    assert.equal(code, 2);
    assert.match(
      screen,
      /^expected the name of an agent with a stream, got playbook\. There are: claude, codex, gemini, opencode, pi\.$/m,
    );
  });

  test('no prompt', async (t) => {
    const {code, outcome} = await show(
      createDaemonFixture(t),
      {},
      {promptFile: '/nowhere/prompt.md'},
    );
    assert.equal(code, 2);
    assert.match(
      outcome?.words ?? '',
      /^the prompt \/nowhere\/prompt\.md could not be read: it is not there/,
    );
  });

  test('an agent that does not read a prompt of 5 MB', async (t) => {
    const fixture = createDaemonFixture(t);
    writeFileSync(fixture.prompt, 'x'.repeat(5_000_000));
    assert.equal((await show(fixture, {chunks: [ends('Done.')]})).code, 0);
  });

  test('an outcome of an earlier start, which is not taken for this one', async (t) => {
    const fixture = createDaemonFixture(t);
    writeFileSync(fixture.outcomeFile, '{"at":"finished","words":"Old."}');
    const {outcome} = await show(fixture, {signal: 'SIGKILL'});
    assert.equal(outcome?.at, 'interrupted');
  });

  for (const hostile of hostileFiles.filter(({name}) => name !== 'a directory')) {
    test(`${hostile.name} where the stream and the outcome go, which is replaced`, async (t) => {
      const fixture = createDaemonFixture(t);
      const [base, outside] = [path.dirname(fixture.outcomeFile), fixture.directory];
      for (const name of ['stream.jsonl', 'outcome.json', '.outcome.json.tmp'])
        await hostile.make(path.join(base, name), {t, outside});
      const {code, outcome} = await show(fixture, {chunks: [ends('Done.')]});
      assert.deepEqual([code, outcome?.at], [0, 'finished']);
      assert.match(readFileSync(path.join(base, 'stream.jsonl'), 'utf8'), /Done\./);
      if (existsSync(path.join(outside, 'secret')))
        assert.equal(readFileSync(path.join(outside, 'secret'), 'utf8'), secretText);
    });
  }

  for (const hostile of hostileFiles.filter(({isReadableByRoot}) => !isReadableByRoot)) {
    test(`${hostile.name} instead of the prompt, which is said`, async (t) => {
      const fixture = createDaemonFixture(t);
      await hostile.make(fixture.prompt, {t, outside: fixture.directory});
      const {code, outcome} = await show(fixture, {chunks: [ends('Done.')]});
      assert.equal(code, 2);
      assert.match(
        outcome?.words ?? '',
        /^the prompt .* could not be read: it (?:is not a regular file|is a link|is larger than)/,
      );
    });
  }

  test('nowhere to leave the outcome', async (t) => {
    const fixture = createDaemonFixture(t);
    const {code, screen} = await show(
      fixture,
      {chunks: [description('Hello.'), ends('Hello.')]},
      {outcomeFile: '/proc/nowhere/outcome.json'},
    );
    assert.equal(code, 0);
    assert.match(screen, /^Hello\.$/m);
    assert.match(screen, /^The outcome could not be written: ENOENT/m);
  });

  test('a process that it left behind and that holds its pipes', async (t) => {
    const fixture = createDaemonFixture(t);
    const file = path.join(fixture.directory, 'leave.sh');
    writeFileSync(
      file,
      `#!/bin/sh\nsleep 30 &\necho $! > ${fixture.directory}/pid\nprintf '%s' '${ends('Done.').trim()}'\n`,
    );
    chmodSync(file, 0o755);
    const {code, outcome} = await show(fixture, {}, {argv: [file]});
    process.kill(Number(readFileSync(path.join(fixture.directory, 'pid'), 'utf8')), 'SIGKILL');
    assert.deepEqual([code, outcome?.at], [0, 'finished']);
  });

  test('a conversation that was counted before', async (t) => {
    const fixture = createDaemonFixture(t);
    const sessions = path.join(fixture.directory, 'codex', 'sessions', '2026', '11');
    mkdirSync(sessions, {recursive: true});
    const count = (input: number, output: number): string =>
      JSON.stringify({
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: {total_token_usage: {input_tokens: input, output_tokens: output}},
        },
      });
    writeFileSync(
      path.join(sessions, 'rollout-2026-c-7.jsonl'),
      ['{"type":"session_meta"}', count(5, 1), count(100, 20), '{"broken'].join('\n'),
    );
    const turn =
      '{"type":"thread.started","thread_id":"c-7"}\n{"type":"item.completed","item":{"type":"agent_message","text":"Yes."}}\n{"type":"turn.completed","usage":{"input_tokens":130,"output_tokens":25}}\n';
    const {outcome} = await show(
      fixture,
      {chunks: [turn]},
      {
        agent: 'codex',
        conversation: 'c-7',
        env: {PATH: process.env['PATH'], CODEX_HOME: path.join(fixture.directory, 'codex')},
      },
    );
    assert.deepEqual(outcome, {
      at: 'finished',
      words: 'Yes.',
      usage: {input: 30, output: 5},
      conversation: 'c-7',
    });
    assert.ok(existsSync(fixture.outcomeFile));
  });
});
