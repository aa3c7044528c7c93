import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {UserCommand} from '../../../source/domain/index.ts';
import {createEffectRunner} from '../../../source/app/runtime/create-effect-runner.ts';
import type {LoopOptions, Question, UiEvent} from '../../../source/app/app-contract.ts';
import {eventually} from '../../support/eventually.ts';

test('wishes that belong together are asked one after the other, also when one is refused', async () => {
  const asked: {
    readonly question: Question;
    readonly answer: (value: unknown) => void;
    readonly refuse: (error: Error) => void;
  }[] = [];
  const happened: UiEvent[] = [];
  const effectRunner = createEffectRunner({
    options: {} as LoopOptions,
    panes: {} as never,
    quit: () => undefined,
    redraw: () => undefined,
    pasteImage: () => undefined,
    suspendTerminal: async (use) => use(),
    ask: (question) => new Promise((answer, refuse) => asked.push({question, answer, refuse})),
    happen: (event) => happened.push(event),
  });
  const commands: readonly UserCommand[] = [
    {type: 'comment-plan', run: 'r1', line: 4, text: 'Why?'},
    {type: 'comment-plan', run: 'r1', line: 5, text: 'How?'},
    {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: ''},
  ];
  effectRunner.submit(commands);
  assert.equal(asked.length, 1);
  asked[0]!.answer({events: []});
  await eventually('the second wish', () => asked.length === 2);
  asked[1]!.refuse(new Error('not now'));
  await eventually('the third wish', () => asked.length === 3);
  asked[2]!.answer({events: []});
  await eventually('the last answer', () => happened.length === 3);
  assert.deepEqual(
    asked.map(({question}) => question),
    commands.map((command) => ({about: 'wish', wish: command})),
  );
  assert.deepEqual(
    happened.map((event) => [event.type, 'wish' in event ? event.wish : undefined]),
    [
      ['wish-granted', commands[0]],
      ['wish-refused', commands[1]],
      ['wish-granted', commands[2]],
    ],
  );
});

test("a command of the person's own has the variables of their shell and the size that they look at", () => {
  const asked: Question[] = [];
  const options = {
    env: {HOME: '/home/ada', UNSET: undefined},
    terminal: {size: () => ({columns: 90, rows: 30})},
  } as unknown as LoopOptions;
  const effectRunner = createEffectRunner({
    options,
    panes: {} as never,
    quit: () => undefined,
    redraw: () => undefined,
    pasteImage: () => undefined,
    suspendTerminal: async (use) => use(),
    ask: (question) => new Promise(() => asked.push(question)),
    happen: () => undefined,
  });
  const command: UserCommand = {
    type: 'start-session',
    name: 'bash',
    command: ['/bin/bash'],
    directory: '/work',
  };
  effectRunner.submit([command]);
  assert.deepEqual(asked, [
    {about: 'wish', wish: command, env: {HOME: '/home/ada'}, size: {columns: 90, rows: 30}},
  ]);
});

test('a pull request is told by where it is, or by why there is none', async () => {
  const happened: UiEvent[] = [];
  const createRunnerFor = (options: Partial<LoopOptions>): ReturnType<typeof createEffectRunner> =>
    createEffectRunner({
      options: options as LoopOptions,
      panes: {} as never,
      quit: () => undefined,
      redraw: () => undefined,
      pasteImage: () => undefined,
      suspendTerminal: async (use) => use(),
      ask: () => Promise.resolve(),
      happen: (event) => happened.push(event),
    });
  for (const options of [
    {propose: () => Promise.resolve('https://example.test/1')},
    {propose: () => Promise.reject(new Error('gh is not installed'))},
    {},
  ])
    createRunnerFor(options).perform({type: 'propose', run: 'r1'}, true);
  await eventually('three outcomes', () => happened.length === 3);
  const outcomes = happened.map((event) => (event.type === 'proposed' ? event.outcome : event));
  assert.deepEqual(
    new Set(outcomes.map((one) => JSON.stringify(one))),
    new Set(
      [
        {url: 'https://example.test/1'},
        {rejected: 'gh is not installed'},
        {rejected: 'it cannot be done from here'},
      ].map((one) => JSON.stringify(one)),
    ),
  );
});

test('a secret is typed into its pane with Enter, only by the person, and sent nowhere else', () => {
  const written: string[] = [];
  const asked: Question[] = [];
  const pane = {write: (bytes: Uint8Array) => written.push(new TextDecoder().decode(bytes))};
  const effectRunner = createEffectRunner({
    options: {} as LoopOptions,
    panes: {get: (session: string) => (session === 's3' ? pane : undefined)} as never,
    quit: () => undefined,
    redraw: () => undefined,
    pasteImage: () => undefined,
    suspendTerminal: async (use) => use(),
    ask: (question) => {
      asked.push(question);
      return Promise.resolve();
    },
    happen: () => undefined,
  });
  effectRunner.perform({type: 'type-text', session: 's3', text: 'hunter2'}, false);
  assert.deepEqual(written, []);
  effectRunner.perform({type: 'type-text', session: 's3', text: 'hunter2'}, true);
  assert.deepEqual(written, ['hunter2\r']);
  assert.deepEqual(asked, []);
});

test('the demo is made once however often it is asked for; then the app ends, or says why not', async () => {
  const made: {readonly done: () => void; readonly fail: (error: Error) => void}[] = [];
  const happened: UiEvent[] = [];
  const codes: number[] = [];
  const effectRunner = createEffectRunner({
    options: {
      prepareDemo: () =>
        new Promise<void>((done, fail) => {
          made.push({done, fail});
        }),
    } as unknown as LoopOptions,
    panes: {} as never,
    quit: (code) => codes.push(code),
    redraw: () => undefined,
    pasteImage: () => undefined,
    suspendTerminal: async (use) => use(),
    ask: () => Promise.resolve(undefined),
    happen: (event) => happened.push(event),
  });
  const open = (): void => {
    effectRunner.perform({type: 'open-demo'}, true);
  };

  open();
  open();
  assert.equal(made.length, 1);
  made[0]!.fail(new Error('no space left'));
  await eventually('why not', () => happened.length === 1);
  assert.deepEqual([happened, codes], [[{type: 'demo-failed', text: 'no space left'}], []]);
  open();
  assert.equal(made.length, 2);
  made[1]!.done();
  await eventually('the end of the app', () => codes.length === 1);
  assert.deepEqual(codes, [0]);
});
