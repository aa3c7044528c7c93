import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {drivers} from '../../source/agents/index.ts';
import {codexHookSettings} from '../../source/agents/codex-interactive.ts';

const goldens = path.join(import.meta.dirname, 'goldens/interactive');
const readGolden = (name: string): string => readFileSync(path.join(goldens, name), 'utf8');
const interactive = drivers.flatMap(({name, interactive: one}) =>
  one === undefined ? [] : [{name, ...one}],
);

describe('a record that is continued in another folder', () => {
  const moved = (name: string, path: string, text: string): {path: string; text: string} => {
    const {transcript} = interactive.find((one) => one.name === name) ?? assert.fail(name);
    return transcript?.moveTo({path, text}, '/w/app.worktrees/r1-t1') ?? assert.fail(name);
  };

  test('is where its agent looks for it', () => {
    assert.equal(moved('claude', '-w-app/ID.jsonl', '').path, '-w-app-worktrees-r1-t1/ID.jsonl');
    assert.equal(
      moved('pi', '--w-app--/1_ID.jsonl', '').path,
      '--w-app.worktrees-r1-t1--/1_ID.jsonl',
    );
    assert.equal(moved('gemini', 'app/chats/s-1.jsonl', '').path, 'r1-t1/chats/s-1.jsonl');
    assert.equal(moved('codex', '2026/11/r-ID.jsonl', '').path, '2026/11/r-ID.jsonl');
  });

  test('names the other folder as its own, and its texts are as they were', () => {
    const from = '/w/a "b"';
    const lines = (cwd: string): string =>
      [
        {type: 'session', cwd},
        {payload: {cwd, roots: [cwd, '/else'], [from]: 1, text: `in ${from}, not "${from}"`}},
        {text: JSON.stringify({cwd: from}), nested: JSON.stringify(JSON.stringify(from))},
      ]
        .map((line) => JSON.stringify(line))
        .join('\n');
    for (const name of ['codex', 'pi'])
      assert.equal(moved(name, 'x', lines(from)).text, lines('/w/app.worktrees/r1-t1'));
  });

  for (const text of ['', '\n', 'no json', '[]', '{"cwd":3}', '{"cwd":""}', '{"payload":null}'])
    test(`is left alone if it says nothing: ${JSON.stringify(text)}`, () => {
      for (const {name, transcript} of interactive)
        if (transcript !== undefined) assert.equal(moved(name, 'x', text).text, text);
    });
});

describe('signals of an agent in its own interface', () => {
  for (const name of ['claude', 'codex', 'gemini', 'opencode', 'pi'])
    test(`${name}: three turns of one conversation, as recorded`, () => {
      const {parseSignal} = interactive.find((one) => one.name === name) ?? assert.fail(name);
      const signals = readGolden(`${name}.signals.jsonl`)
        .split('\n')
        .flatMap((line) => parseSignal(line) ?? []);
      const ends = signals.filter(({kind}) => kind === 'turn-ended');
      // Gemini's own record has the text.
      if (name !== 'gemini')
        assert.deepEqual(
          ends.map(({words}) => words),
          ['There it is.', 'The word was swordfish.', 'On I go.'],
        );
      assert.equal(ends.length, 3);
      assert.equal(new Set(ends.map(({conversation}) => conversation)).size, 1);
      assert.equal(signals.filter(({kind}) => kind === 'turn-began').length, 3);
    });

  for (const name of ['claude', 'codex', 'gemini', 'pi'])
    test(`${name}: usage and last text of its record`, () => {
      const {transcript} = interactive.find((one) => one.name === name) ?? assert.fail(name);
      const {usage, words, error} = transcript?.parse(readGolden(`${name}.transcript.jsonl`)) ?? {};
      assert.deepEqual(
        [usage?.input, usage?.output, words, error],
        [400, 80, 'On I go.', undefined],
      );
    });

  const failures = [
    {
      name: 'codex',
      line: '{"type":"event_msg","payload":{"type":"task_complete","turn_id":"1","last_agent_message":null,"error":{"message":"unexpected status 401 Unauthorized: no 401","codex_error_info":{"http_connection_failed":{"http_status_code":401}}}}}',
      next: '{"type":"event_msg","payload":{"type":"task_started","turn_id":"2"}}',
      error: 'unexpected status 401 Unauthorized: no 401',
    },
    {
      name: 'gemini',
      line: '{"id":"1","timestamp":"2026-11-18T20:08:17.282Z","type":"error","content":"[API Error: {\\"error\\":{\\"message\\":\\"no 401\\"}}]"}\n{"id":"2","type":"info","content":"This request failed."}',
      next: '{"id":"3","type":"user","content":[{"text":"Go on."}]}',
      error: '[API Error: {"error":{"message":"no 401"}}]',
    },
  ];
  for (const {name, line, next, error} of failures)
    test(`${name}: its record says why its last turn failed, until the next begins`, () => {
      const {transcript} = interactive.find((one) => one.name === name) ?? assert.fail(name);
      const before = readGolden(`${name}.transcript.jsonl`);
      assert.equal(transcript?.parse(`${before}${line}\n`).error, error);
      assert.equal(transcript.parse(`${before}${line}\n${next}\n`).error, undefined);
    });

  test('claude: a turn that failed has the message and the code', () => {
    const {parseSignal} = interactive.find((one) => one.name === 'claude') ?? assert.fail();
    const parse = (fields: object): string | undefined =>
      parseSignal(JSON.stringify({hook_event_name: 'StopFailure', ...fields}))?.error;
    assert.equal(
      parse({error: 'server_error', last_assistant_message: 'API Error: 500 no 500.'}),
      'API Error: 500 no 500. (server_error)',
    );
    assert.deepEqual(
      [parse({error: 'rate_limit'}), parse({error_details: 'no'}), parse({})],
      ['rate_limit', 'no', 'unknown'],
    );
  });

  test('codex: a thread that it does not record is not the conversation', () => {
    const {parseSignal} = interactive.find((one) => one.name === 'codex') ?? assert.fail();
    const stop = {hook_event_name: 'Stop', session_id: '00000000-0000-4000-8000-000000000001'};
    assert.equal(parseSignal(JSON.stringify({...stop, transcript_path: null})), undefined);
    assert.equal(parseSignal(JSON.stringify({...stop, transcript_path: '/x'}))?.kind, 'turn-ended');
  });

  test('codex: each of our hooks is trusted by the digest that codex compares, and nothing else', () => {
    const settings = codexHookSettings('/x/signals.jsonl');
    assert.equal(settings.length, 5);
    assert.match(
      settings.at(-1) ?? '',
      /"\/<session-flags>\/config\.toml:stop:0:0"=\{trusted_hash="sha256:[0-9a-f]{64}"\}/,
    );
    assert.deepEqual(codexHookSettings(undefined), []);
  });

  for (const {name, parseSignal, transcript} of interactive)
    test(`${name}: hostile lines mean nothing and never throw`, () => {
      for (const line of ['', '{', '[]', 'null', '1', '{"signal":{}}', '{"hook_event_name":[]}'])
        assert.equal(parseSignal(line), undefined, line);
      for (const text of ['', '{', '[]\nnull\n{"type":"assistant","message":[]}', '\0'])
        assert.doesNotThrow(() => transcript?.parse(text), text);
    });
});
