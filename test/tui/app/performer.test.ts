import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Wish} from '../../../source/domain/index.ts';
import {createPerformer} from '../../../source/tui/app/create-performer.ts';
import type {LoopOptions, Question, UiEvent} from '../../../source/tui/seam.ts';
import {eventually} from '../../support/eventually.ts';

test('wishes that belong together are asked one after the other, also when one is refused', async () => {
  const asked: {
    readonly question: Question;
    readonly answer: (value: unknown) => void;
    readonly refuse: (error: Error) => void;
  }[] = [];
  const happened: UiEvent[] = [];
  const performer = createPerformer({
    options: {} as LoopOptions,
    panes: {} as never,
    quit: () => undefined,
    redraw: () => undefined,
    letGo: async (use) => use(),
    ask: (question) => new Promise((answer, refuse) => asked.push({question, answer, refuse})),
    happen: (event) => happened.push(event),
  });
  const wishes: readonly Wish[] = [
    {type: 'comment-plan', run: 'r1', line: 4, text: 'Why?'},
    {type: 'comment-plan', run: 'r1', line: 5, text: 'How?'},
    {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: ''},
  ];
  performer.wish(wishes);
  assert.equal(asked.length, 1);
  asked[0]!.answer({events: []});
  await eventually('the second wish', () => asked.length === 2);
  asked[1]!.refuse(new Error('not now'));
  await eventually('the third wish', () => asked.length === 3);
  asked[2]!.answer({events: []});
  await eventually('the last answer', () => happened.length === 3);
  assert.deepEqual(
    asked.map(({question}) => question),
    wishes.map((wish) => ({about: 'wish', wish})),
  );
  assert.deepEqual(
    happened.map((event) => [event.type, 'wish' in event ? event.wish : undefined]),
    [
      ['wish-granted', wishes[0]],
      ['wish-refused', wishes[1]],
      ['wish-granted', wishes[2]],
    ],
  );
});

test("a command of the person's own has the variables of their shell and the size that they look at", () => {
  const asked: Question[] = [];
  const options = {
    env: {HOME: '/home/ada', UNSET: undefined},
    terminal: {size: () => ({columns: 90, rows: 30})},
  } as unknown as LoopOptions;
  const performer = createPerformer({
    options,
    panes: {} as never,
    quit: () => undefined,
    redraw: () => undefined,
    letGo: async (use) => use(),
    ask: (question) => new Promise(() => asked.push(question)),
    happen: () => undefined,
  });
  const wish: Wish = {
    type: 'start-session',
    name: 'bash',
    command: ['/bin/bash'],
    directory: '/work',
  };
  performer.wish([wish]);
  assert.deepEqual(asked, [
    {about: 'wish', wish, env: {HOME: '/home/ada'}, size: {columns: 90, rows: 30}},
  ]);
});

test('a pull request is told by where it is, or by why there is none', async () => {
  const happened: UiEvent[] = [];
  const performerFor = (options: Partial<LoopOptions>): ReturnType<typeof createPerformer> =>
    createPerformer({
      options: options as LoopOptions,
      panes: {} as never,
      quit: () => undefined,
      redraw: () => undefined,
      letGo: async (use) => use(),
      ask: () => Promise.resolve(),
      happen: (event) => happened.push(event),
    });
  for (const options of [
    {propose: () => Promise.resolve('https://example.test/1')},
    {propose: () => Promise.reject(new Error('gh is not installed'))},
    {},
  ])
    performerFor(options).perform({type: 'propose', run: 'r1'}, true);
  await eventually('three outcomes', () => happened.length === 3);
  const outcomes = happened.map((event) => (event.type === 'proposed' ? event.outcome : event));
  assert.deepEqual(
    new Set(outcomes.map((one) => JSON.stringify(one))),
    new Set(
      [
        {url: 'https://example.test/1'},
        {refused: 'gh is not installed'},
        {refused: 'it cannot be done from here'},
      ].map((one) => JSON.stringify(one)),
    ),
  );
});
