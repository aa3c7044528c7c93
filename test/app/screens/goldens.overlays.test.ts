import {describe, test} from 'node:test';
import type {Repository} from '../../../source/app/model/model.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {compareGolden} from './compare-golden.ts';
import {
  answer,
  done,
  type Fixture,
  modelProject,
  nothingYet,
  open,
  planned,
  press,
  type,
} from './fixtures.ts';

/** Dialogs, the palette, help, the start screen, and the screens around a run. */
const sizes: readonly Size[] = [
  {columns: 60, rows: 15},
  {columns: 80, rows: 24},
  {columns: 120, rows: 35},
  {columns: 160, rows: 45},
  {columns: 220, rows: 60},
];

const fixtures: Readonly<Record<string, (size: Size) => Fixture>> = {
  start: (size) => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, size, {
      objectives: ['Move the config to YAML', 'Make the tests run in parallel'],
    });
    type(fixture, 'Stop refreshing tokens twice');
    return fixture;
  },
  'start-models': (size) => {
    const {state, now} = nothingYet();
    const fixture = open({...state, project: modelProject}, now, size, {
      models: {
        mine: {chosen: 'large-2', written: ['large-2']},
        claude: {chosen: '', planning: 'fable-2', written: ['fable-2']},
      },
    });
    type(fixture, 'Stop refreshing tokens twice');
    return fixture;
  },
  'start-naming-model': (size) => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, size);
    type(fixture, 'Stop refreshing tokens twice');
    press(fixture, 'shift-tab');
    type(fixture, 'opus-9');
    return fixture;
  },
  'start-without-git': (size) =>
    open(nothingYet().state, nothingYet().now, size, undefined, {
      trouble: 'no-git',
      rules: {exists: false, rules: 0, enforced: 0, checks: [], problems: 0},
    }),
  'start-without-rules': (size) =>
    open(nothingYet().state, nothingYet().now, size, undefined, withoutRules),
  'start-writes-rules': (size) => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, size, undefined, {...withoutRules, agents: []});
    press(fixture, 'I');
    return fixture;
  },
  'hint-plan': (size) => {
    const {state, time} = planned();
    const fixture = open(state, time, size, {hints: []});
    press(fixture, 'p');
    return fixture;
  },
  'workers-card': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'G', 'k');
    return fixture;
  },
  'need-discard': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'n', 'D');
    return fixture;
  },
  accept: (size) => {
    const fixture = reviewed(size);
    press(fixture, 'A');
    return fixture;
  },
  services: (size) => screen(size, 's'),
  knowledge: (size) => {
    const fixture = screen(size, 'f');
    press(fixture, '/');
    type(fixture, 'refresh token');
    press(fixture, 'enter');
    answer(fixture, tokenStory().harness);
    return fixture;
  },
  help: (size) => screen(size, '?'),
  palette: (size) => {
    const fixture = screen(size, ':');
    type(fixture, 'pa');
    return fixture;
  },
  settings: (size) => {
    const fixture = screen(size, ',');
    press(fixture, 'down', 'down');
    return fixture;
  },
  'settings-own-keys': (size) => {
    const fixture = screen(size, ',', {
      keys: {approve: 'f5', aprove: 'f6', quit: 'none'},
      leave: 'ctrl-t',
    });
    press(fixture, 'end');
    return fixture;
  },
  keys: (size) => screen(size, 'm'),
  'keys-own': (size) => {
    const fixture = screen(size, 'm', ownKeys);
    press(fixture, 'down', 'down');
    return fixture;
  },
  'keys-pressing': (size) => {
    const fixture = screen(size, 'm', ownKeys);
    press(fixture, 'down', 'enter', 'tab');
    return fixture;
  },
  'help-own': (size) => screen(size, 'f1', {keys: {...ownKeys.keys, help: 'f1'}}),
  'start-without-agents': (size) =>
    open(nothingYet().state, nothingYet().now, size, undefined, {agents: []}),
  'help-all': (size) => {
    const fixture = screen(size, '?');
    press(fixture, '?');
    return fixture;
  },
};

for (const size of sizes) {
  describe(`at ${size.columns}×${size.rows}:`, () => {
    for (const [name, fixture] of Object.entries(fixtures))
      test(name, () => {
        compareGolden(name, fixture(size));
      });
  });
}

/** Keys as somebody likes them: other ones, none, and one that cannot be. */
const ownKeys = {
  keys: {
    'next-need': 'f7',
    'workers.discard': ['f8', 'alt-d'],
    'need-stopped.grant': 'none',
    'need-stopped.take-over': 'f9',
    'workers.attach': 'none',
    'screen-plan': 'z',
  },
};

const withoutRules: Partial<Repository> = {
  rules: {exists: false, rules: 0, enforced: 0, checks: [], problems: 0},
  starter: {
    text: '<!-- For every planner and worker, in this order. -->\n\n# 1. Hard constraints\n- Keep public interfaces as they are.\n\n# 3. Validation\n1. The tests pass. `test: npm test`\n',
    checks: [{name: 'test', command: 'npm test'}],
  },
};

function notified(size: Size, settings?: object): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, size, settings === undefined ? undefined : {settings});
  answer(fixture, harness, left);
  return fixture;
}

function reviewed(size: Size): Fixture {
  const harness = done();
  const fixture = open(harness.state, harness.time + 60_000, size);
  press(fixture, 'enter', 'r');
  answer(fixture, harness);
  return fixture;
}

function screen(size: Size, key: string, settings?: object): Fixture {
  const {harness, left} = tokenStory();
  const fixture = notified(size, settings);
  press(fixture, 'enter', key);
  answer(fixture, harness, left);
  return fixture;
}
