import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {compareGolden} from './compare-golden.ts';
import {
  answer,
  auditOfMany,
  auditOfTools,
  busy,
  conflicted,
  done,
  type Fixture,
  happen,
  modelProject,
  nothingYet,
  open,
  planned,
  planning,
  press,
  type,
  violated,
} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {type Harness, userCommand} from '../../domain/support/harness.ts';

const sizes: readonly Size[] = [
  {columns: 80, rows: 24},
  {columns: 120, rows: 40},
  {columns: 160, rows: 45},
];

/** Each screen as a person comes to it: by keys. */
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
      rules: {exists: false, rules: 0, problems: 0},
    }),
  'start-without-rules': (size) =>
    open(nothingYet().state, nothingYet().now, size, undefined, {
      rules: {exists: false, rules: 0, problems: 0},
    }),
  brief: (size) => notified(size),
  planning: (size) => {
    const harness = planning();
    const fixture = open(harness.state, harness.time + 90_000, size);
    press(fixture, 'enter');
    return fixture;
  },
  plan: (size) => reviewing(size),
  'plan-end': (size) => {
    const fixture = reviewing(size);
    press(fixture, 'G');
    return fixture;
  },
  'plan-commenting': (size) => {
    const fixture = reviewing(size);
    press(fixture, 'down', 'down', 'down', 'c');
    type(fixture, 'Is this so for service accounts as well?');
    return fixture;
  },
  workers: (size) => {
    const fixture = notified(size);
    press(fixture, 'enter');
    answer(fixture, tokenStory().harness);
    return fixture;
  },
  'workers-grid': (size) => {
    const fixture = crowd(size);
    press(fixture, 'tab');
    return fixture;
  },
  'workers-zoomed-typing': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'z', 'i');
    return fixture;
  },
  'workers-card': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'G', 'k');
    return fixture;
  },
  'need-question': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'n', 'n');
    return fixture;
  },
  'need-stopped': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'n');
    answer(fixture, tokenStory().harness);
    return fixture;
  },
  'need-stopped-hint': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'n', 'G');
    type(fixture, 'the link is in docs/index.md');
    return fixture;
  },
  'need-discard': (size) => {
    const fixture = notified(size);
    press(fixture, 'enter', 'n', 'D');
    return fixture;
  },
  'need-secret': (size) => {
    const fixture = crowd(size);
    press(fixture, 'n');
    return fixture;
  },
  'need-plan': (size) => {
    const harness = planned();
    const fixture = open(harness.state, harness.time + 60_000, size);
    press(fixture, 'n');
    return fixture;
  },
  'need-accept': (size) => {
    const harness = done();
    const fixture = open(harness.state, harness.time + 60_000, size);
    press(fixture, 'n');
    return fixture;
  },
  'need-rule-broken': (size) => getNeed(violated(), size),
  'need-conflict': (size) => getNeed(conflicted(), size),
  'need-settled': (size) => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now, size);
    press(fixture, 'n');
    userCommand(harness, {type: 'grant-attempt', task: 'r1.t2'});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    return fixture;
  },
  review: (size) => reviewed(size),
  'review-comment': (size) => {
    const fixture = reviewed(size);
    press(fixture, ...Array.from({length: 9}, () => 'down'), 'c');
    type(fixture, 'What happens when the refresh fails?');
    press(fixture, 'enter');
    return fixture;
  },
  'review-files': (size) => {
    const fixture = reviewed(size);
    press(fixture, 'tab', 'down');
    return fixture;
  },
  accept: (size) => {
    const fixture = reviewed(size);
    press(fixture, 'A');
    return fixture;
  },
  services: (size) => screen(size, 's'),
  timeline: (size) => {
    const fixture = screen(size, 't');
    press(fixture, 'G', 'k', 'k');
    return fixture;
  },
  audit: (size) => screen(size, 'u'),
  'audit-tools': (size) => audited(size, auditOfTools),
  'audit-tools-end': (size) => {
    const fixture = audited(size, auditOfTools);
    press(fixture, 'G');
    return fixture;
  },
  'audit-many-end': (size) => {
    const fixture = audited(size, auditOfMany);
    press(fixture, 'G');
    return fixture;
  },
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
  'need-stopped-own': (size) => {
    const fixture = notified(size, ownKeys);
    press(fixture, 'enter', 'f7');
    answer(fixture, tokenStory().harness);
    return fixture;
  },
  lost: (size) => {
    const fixture = notified(size);
    press(fixture, 'enter');
    happen(fixture, {type: 'disconnected', text: 'connection refused'});
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

function notified(size: Size, settings?: object): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, size, settings === undefined ? undefined : {settings});
  answer(fixture, harness, left);
  return fixture;
}

function getNeed(harness: Harness, size: Size): Fixture {
  const fixture = open(harness.state, harness.time + 60_000, size);
  press(fixture, 'n');
  answer(fixture, harness);
  return fixture;
}

function reviewing(size: Size): Fixture {
  const harness = planned();
  const fixture = open(harness.state, harness.time + 60_000, size);
  press(fixture, 'enter', 'p');
  assert.equal(selectRun(fixture.state, 'r1')?.stage.at, 'reviewing');
  return fixture;
}

function crowd(size: Size): Fixture {
  const harness = busy();
  const fixture = open(harness.state, harness.time + 240_000, size);
  answer(fixture, harness);
  press(fixture, 'enter');
  return fixture;
}

function reviewed(size: Size): Fixture {
  const harness = done();
  const fixture = open(harness.state, harness.time + 60_000, size);
  press(fixture, 'enter', 'r');
  answer(fixture, harness);
  return fixture;
}

function audited(size: Size, answered: (now: number) => unknown): Fixture {
  const fixture = screen(size, 'u');
  happen(fixture, {type: 'answered', name: 'audit', value: answered(fixture.now)});
  return fixture;
}

function screen(size: Size, key: string, settings?: object): Fixture {
  const {harness, left} = tokenStory();
  const fixture = notified(size, settings);
  press(fixture, 'enter', key);
  answer(fixture, harness, left);
  return fixture;
}
