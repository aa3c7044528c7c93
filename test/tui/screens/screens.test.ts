import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {runOf} from '../../../source/domain/index.ts';
import type {Size} from '../../../source/tui/render/rect.ts';
import {compareGolden} from './compare-golden.ts';
import {
  answer,
  auditOfMany,
  auditOfTools,
  busy,
  conflicted,
  done,
  happen,
  modelProject,
  nothingYet,
  open,
  planned,
  planning,
  press,
  tokenStory,
  type,
  violated,
  type Stage,
} from './scenes.ts';
import {wish, type House} from '../../domain/support/house.ts';

const sizes: readonly Size[] = [
  {columns: 80, rows: 24},
  {columns: 120, rows: 40},
  {columns: 160, rows: 45},
];

/** Each screen as a person comes to it: by keys. */
const scenes: Readonly<Record<string, (size: Size) => Stage>> = {
  start: (size) => {
    const {state, now} = nothingYet();
    const stage = open(state, now, size, {
      objectives: ['Move the config to YAML', 'Make the tests run in parallel'],
    });
    type(stage, 'Stop refreshing tokens twice');
    return stage;
  },
  'start-models': (size) => {
    const {state, now} = nothingYet();
    const stage = open({...state, project: modelProject}, now, size, {
      models: {
        mine: {chosen: 'large-2', written: ['large-2']},
        claude: {chosen: '', planning: 'fable-2', written: ['fable-2']},
      },
    });
    type(stage, 'Stop refreshing tokens twice');
    return stage;
  },
  'start-naming-model': (size) => {
    const {state, now} = nothingYet();
    const stage = open(state, now, size);
    type(stage, 'Stop refreshing tokens twice');
    press(stage, 'shift-tab');
    type(stage, 'opus-9');
    return stage;
  },
  'start-without-git': (size) =>
    open(nothingYet().state, nothingYet().now, size, undefined, {
      trouble: 'no-git',
      rules: {exists: false, rules: 0, problems: 0},
    }),
  'start-without-rules': (size) =>
    open(nothingYet().state, nothingYet().now, size, undefined, {
      rules: {exists: false, rules: 0, problems: 0},
    }),
  brief: (size) => told(size),
  planning: (size) => {
    const house = planning();
    const stage = open(house.state, house.time + 90_000, size);
    press(stage, 'enter');
    return stage;
  },
  plan: (size) => reviewing(size),
  'plan-end': (size) => {
    const stage = reviewing(size);
    press(stage, 'G');
    return stage;
  },
  'plan-commenting': (size) => {
    const stage = reviewing(size);
    press(stage, 'down', 'down', 'down', 'c');
    type(stage, 'Is this so for service accounts as well?');
    return stage;
  },
  workers: (size) => {
    const stage = told(size);
    press(stage, 'enter');
    answer(stage, tokenStory().house);
    return stage;
  },
  'workers-grid': (size) => {
    const stage = crowd(size);
    press(stage, 'tab');
    return stage;
  },
  'workers-zoomed-typing': (size) => {
    const stage = told(size);
    press(stage, 'enter', 'z', 'i');
    return stage;
  },
  'workers-card': (size) => {
    const stage = told(size);
    press(stage, 'enter', 'G', 'k');
    return stage;
  },
  'need-question': (size) => {
    const stage = told(size);
    press(stage, 'enter', 'n', 'n');
    return stage;
  },
  'need-stopped': (size) => {
    const stage = told(size);
    press(stage, 'enter', 'n');
    answer(stage, tokenStory().house);
    return stage;
  },
  'need-stopped-hint': (size) => {
    const stage = told(size);
    press(stage, 'enter', 'n', 'G');
    type(stage, 'the link is in docs/index.md');
    return stage;
  },
  'need-discard': (size) => {
    const stage = told(size);
    press(stage, 'enter', 'n', 'D');
    return stage;
  },
  'need-secret': (size) => {
    const stage = crowd(size);
    press(stage, 'n');
    return stage;
  },
  'need-plan': (size) => {
    const house = planned();
    const stage = open(house.state, house.time + 60_000, size);
    press(stage, 'n');
    return stage;
  },
  'need-accept': (size) => {
    const house = done();
    const stage = open(house.state, house.time + 60_000, size);
    press(stage, 'n');
    return stage;
  },
  'need-rule-broken': (size) => needOf(violated(), size),
  'need-conflict': (size) => needOf(conflicted(), size),
  'need-settled': (size) => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now, size);
    press(stage, 'n');
    wish(house, {type: 'grant-attempt', task: 'r1.t2'});
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    return stage;
  },
  review: (size) => reviewed(size),
  'review-comment': (size) => {
    const stage = reviewed(size);
    press(stage, ...Array.from({length: 9}, () => 'down'), 'c');
    type(stage, 'What happens when the refresh fails?');
    press(stage, 'enter');
    return stage;
  },
  'review-files': (size) => {
    const stage = reviewed(size);
    press(stage, 'tab', 'down');
    return stage;
  },
  accept: (size) => {
    const stage = reviewed(size);
    press(stage, 'A');
    return stage;
  },
  services: (size) => screen(size, 's'),
  timeline: (size) => {
    const stage = screen(size, 't');
    press(stage, 'G', 'k', 'k');
    return stage;
  },
  audit: (size) => screen(size, 'u'),
  'audit-tools': (size) => audited(size, auditOfTools),
  'audit-tools-end': (size) => {
    const stage = audited(size, auditOfTools);
    press(stage, 'G');
    return stage;
  },
  'audit-many-end': (size) => {
    const stage = audited(size, auditOfMany);
    press(stage, 'G');
    return stage;
  },
  knowledge: (size) => {
    const stage = screen(size, 'f');
    press(stage, '/');
    type(stage, 'refresh token');
    press(stage, 'enter');
    answer(stage, tokenStory().house);
    return stage;
  },
  help: (size) => screen(size, '?'),
  palette: (size) => {
    const stage = screen(size, ':');
    type(stage, 'pa');
    return stage;
  },
  settings: (size) => {
    const stage = screen(size, ',');
    press(stage, 'down', 'down');
    return stage;
  },
  'settings-own-keys': (size) => {
    const stage = screen(size, ',', {
      keys: {approve: 'f5', aprove: 'f6', quit: 'none'},
      leave: 'ctrl-t',
    });
    press(stage, 'end');
    return stage;
  },
  keys: (size) => screen(size, 'm'),
  'keys-own': (size) => {
    const stage = screen(size, 'm', ownKeys);
    press(stage, 'down', 'down');
    return stage;
  },
  'keys-pressing': (size) => {
    const stage = screen(size, 'm', ownKeys);
    press(stage, 'down', 'enter', 'tab');
    return stage;
  },
  'help-own': (size) => screen(size, 'f1', {keys: {...ownKeys.keys, help: 'f1'}}),
  'need-stopped-own': (size) => {
    const stage = told(size, ownKeys);
    press(stage, 'enter', 'f7');
    answer(stage, tokenStory().house);
    return stage;
  },
  lost: (size) => {
    const stage = told(size);
    press(stage, 'enter');
    happen(stage, {type: 'disconnected', words: 'connection refused'});
    return stage;
  },
};

for (const size of sizes) {
  describe(`at ${size.columns}×${size.rows}:`, () => {
    for (const [name, scene] of Object.entries(scenes))
      test(name, () => {
        compareGolden(name, scene(size));
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

function told(size: Size, settings?: object): Stage {
  const {house, left, now} = tokenStory();
  const stage = open(house.state, now, size, settings === undefined ? undefined : {settings});
  answer(stage, house, left);
  return stage;
}

function needOf(house: House, size: Size): Stage {
  const stage = open(house.state, house.time + 60_000, size);
  press(stage, 'n');
  answer(stage, house);
  return stage;
}

function reviewing(size: Size): Stage {
  const house = planned();
  const stage = open(house.state, house.time + 60_000, size);
  press(stage, 'enter', 'p');
  assert.equal(runOf(stage.state, 'r1')?.stage.at, 'reviewing');
  return stage;
}

function crowd(size: Size): Stage {
  const house = busy();
  const stage = open(house.state, house.time + 240_000, size);
  answer(stage, house);
  press(stage, 'enter');
  return stage;
}

function reviewed(size: Size): Stage {
  const house = done();
  const stage = open(house.state, house.time + 60_000, size);
  press(stage, 'enter', 'r');
  answer(stage, house);
  return stage;
}

function audited(size: Size, answered: (now: number) => unknown): Stage {
  const stage = screen(size, 'u');
  happen(stage, {type: 'answered', name: 'audit', value: answered(stage.now)});
  return stage;
}

function screen(size: Size, key: string, settings?: object): Stage {
  const {house, left} = tokenStory();
  const stage = told(size, settings);
  press(stage, 'enter', key);
  answer(stage, house, left);
  return stage;
}
