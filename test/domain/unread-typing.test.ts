import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type DeclaredAgent,
  type Purpose,
  selectSession,
  selectUnreadTyping,
  type Session,
  type State,
} from '../../source/domain/index.ts';
import {plannedTask} from './support/samples.ts';
import {working} from './support/stages.ts';

const {state: known} = working([plannedTask('t1')]);

/** The agent that the run works and plans with, as the project declares it, if it does. */
function stateWith(declared: Omit<DeclaredAgent, 'name' | 'plan' | 'work'> | undefined): State {
  const name = 'playbook';
  return {
    ...known,
    project: {
      ...known.project,
      ...(declared === undefined ? {} : {agents: [{name, plan: ['x'], work: ['x'], ...declared}]}),
    },
  };
}

function sessionFor(purpose: Purpose, more: Partial<Session> = {}): Session {
  const base = selectSession(known, 's1')!;
  return {...base, life: {at: 'running', since: 1}, purpose, ...more};
}

const attempt: Purpose = {for: 'attempt', task: 'r1.t1', attempt: 1};
const plan: Purpose = {for: 'plan', run: 'r1', round: 1, asking: 1};
const check: Purpose = {for: 'check', task: 'r1.t1', attempt: 1, check: 'test', on: 'change'};
const headless = {why: 'headless-agent', agent: 'playbook'};
const waiting = {proof: 'proven', secret: false, question: 'y?', since: 1} as const;

type Case = readonly [
  name: string,
  Purpose,
  declared: Omit<DeclaredAgent, 'name' | 'plan' | 'work'> | undefined,
  Partial<Session>,
  expected: unknown,
];

const cases: readonly Case[] = [
  ['an agent that is known', attempt, undefined, {}, headless],
  ['a planner that is known', plan, undefined, {}, headless],
  [
    'one that is declared and has its prompt as an argument',
    attempt,
    {prompt: 'argument'},
    {},
    headless,
  ],
  ['… in a file', attempt, {prompt: 'file'}, {}, headless],
  ['… by its standard input', plan, {prompt: 'stdin'}, {}, headless],
  ['… typed', attempt, {prompt: 'typed'}, {}, undefined],
  ['a planner whose prompt is typed', plan, {prompt: 'typed'}, {}, undefined],
  [
    'one of whose screen it is said how it asks',
    attempt,
    {prompt: 'argument', patterns: {question: '^May I'}},
    {},
    undefined,
  ],
  ['… or when it is ready', attempt, {prompt: 'file', patterns: {ready: '^>'}}, {}, undefined],
  [
    '… but what it says at its end is no screen',
    attempt,
    {prompt: 'file', patterns: {gaveUp: 'cannot'}},
    {},
    headless,
  ],
  ['a check', check, undefined, {}, {why: 'command'}],
  ['a check after merging', {...check, on: 'merge'}, {prompt: 'typed'}, {}, {why: 'command'}],
  ['a set-up', {for: 'setup', task: 'r1.t1'}, undefined, {}, {why: 'command'}],
  ["a task in a person's hands", {for: 'takeover', task: 'r1.t1'}, undefined, {}, undefined],
  ['a shell of an agent', {for: 'shell', task: 'r1.t1', name: 'x'}, undefined, {}, undefined],
  ['a service', {for: 'service', service: 'web'}, undefined, {}, undefined],
  [
    "a person's own",
    {for: 'person', name: 'x', command: ['bash'], directory: '/'},
    undefined,
    {},
    undefined,
  ],
  ['a check that asks', check, undefined, {waiting}, undefined],
  [
    'a check that asks for a secret',
    check,
    undefined,
    {waiting: {...waiting, secret: true}},
    undefined,
  ],
  [
    'an agent that seems to ask',
    attempt,
    undefined,
    {waiting: {...waiting, proof: 'inferred'}},
    undefined,
  ],
  ['a planner that asks', plan, undefined, {waiting}, undefined],
  [
    'one that asked, and has ended',
    check,
    undefined,
    {waiting, life: {at: 'exited', when: 2, code: 0, signal: null}},
    {why: 'ended'},
  ],
  [
    "a person's own that has ended",
    {for: 'person', name: 'x', command: ['bash'], directory: '/'},
    undefined,
    {life: {at: 'lost', when: 2, why: 'x'}},
    {why: 'ended'},
  ],
];

for (const [name, purpose, declared, more, expected] of cases) {
  test(`${name}: ${expected === undefined ? 'what is typed is read' : 'nobody reads what is typed'}`, () => {
    assert.deepEqual(selectUnreadTyping(stateWith(declared), sessionFor(purpose, more)), expected);
  });
}
