import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  isCi,
  type ModePlace,
  type ModeRequest,
  selectMode,
} from '../../source/project-config/index.ts';

const inApp: ModePlace = {from: 'app', hasTerminal: true, isCi: false, isQueued: false};
const typed = {name: 'mine', plan: ['m'], work: ['m'], prompt: 'typed'} as const;
const piped = {name: 'claude', plan: ['c'], work: ['c'], prompt: 'stdin'} as const;
const interfaces = {claude: ['worker'], gemini: []} as const;

type Row = readonly [string, Partial<ModeRequest>, string];

const rows: readonly Row[] = [
  ['the default in the app', {}, 'interactive: proven with claude'],
  ['queued', {place: {...inApp, isQueued: true}}, 'headless: it may start when nobody is there'],
  ['in CI', {place: {...inApp, isCi: true}}, 'headless: CI is set'],
  ['without a terminal', {place: {...inApp, hasTerminal: false}}, 'headless: there is no terminal'],
  [
    'on the command line',
    {place: {...inApp, from: 'command-line'}},
    'headless: the command line shows no panes',
  ],
  [
    'an agent without an interface',
    {agent: 'codex'},
    'headless: codex has no interface that orchestra can follow',
  ],
  ['an interface that is not proven', {agent: 'gemini'}, 'headless: not proven for work yet'],
  ['a role in which it is not proven', {role: 'planner'}, 'headless: not proven for planning yet'],
  [
    'a declared agent',
    {agent: 'mine', project: {agents: [typed]}},
    'headless: not proven for work yet',
  ],
  [
    'a declared agent replaces a built-in one',
    {project: {agents: [piped]}},
    'headless: claude has no interface that orchestra can follow',
  ],
  ['the project', {project: {workers: 'headless'}}, 'headless: workers of the project (chosen)'],
  [
    'the project, for planners',
    {role: 'planner', project: {workers: 'headless', planners: 'interactive'}},
    'interactive: planners of the project (chosen)',
  ],
  [
    'the project counts where nobody looks',
    {
      place: {...inApp, isCi: true, isQueued: true, hasTerminal: false},
      project: {workers: 'interactive'},
    },
    'interactive: workers of the project (chosen)',
  ],
  [
    'the project gives way where there is no interface',
    {agent: 'codex', project: {workers: 'interactive'}},
    'headless: codex has no interface that orchestra can follow',
  ],
  [
    "the agent's entry is before the project",
    {project: {workers: 'interactive', modes: {claude: {workers: 'headless'}}}},
    'headless: agents.claude.workers of the project (chosen)',
  ],
  [
    "another agent's entry says nothing",
    {project: {modes: {constructor: {}, gemini: {workers: 'headless'}}}},
    'interactive: proven with claude',
  ],
  [
    "an agent's entry names an interface that there is not",
    {agent: 'codex', project: {modes: {codex: {workers: 'interactive'}}}},
    'expected an agent with an interface of its own (claude, gemini), got codex. Choose one of them, or change agents.codex.workers of the project',
  ],
  [
    "the person's choice is before the entry",
    {remembered: 'headless', project: {modes: {claude: {workers: 'interactive'}}}},
    'headless: your choice (chosen)',
  ],
  [
    "the person's choice gives way where there is no interface",
    {agent: 'codex', remembered: 'interactive'},
    'headless: codex has no interface that orchestra can follow',
  ],
  [
    "the run's option is before everything",
    {asked: 'interactive', remembered: 'headless', place: {...inApp, isCi: true}},
    'interactive: as asked for (chosen)',
  ],
  [
    "the run's option asks for an interface that there is not",
    {
      asked: 'interactive',
      agent: 'codex',
      project: {agents: [typed]},
      place: {...inApp, from: 'command-line'},
    },
    'expected an agent with an interface of its own (claude, gemini, mine), got codex. Choose one of them, or change --interactive',
  ],
];

for (const [name, request, expected] of rows)
  test(`the mode: ${name}`, () => {
    const choice = selectMode({
      role: 'worker',
      agent: 'claude',
      project: {},
      interfaces,
      place: inApp,
      ...request,
    });
    assert.equal(
      'rejected' in choice
        ? choice.rejected
        : `${choice.mode}: ${choice.why}${choice.isDefault ? '' : ' (chosen)'}`,
      expected,
    );
  });

test('CI is set unless it says no', () => {
  assert.deepEqual(
    [undefined, '', '0', 'false', 'False', '1', 'true', 'yes'].map((CI) => isCi({CI})),
    [false, false, false, false, false, true, true, true],
  );
});
