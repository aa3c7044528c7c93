import assert from 'node:assert/strict';
import {test} from 'node:test';
import {textOfLine} from '../../../source/app/model/line.ts';
import type {ContextAudit} from '../../../source/reports/index.ts';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {tokenChart, toolLines} from '../../../source/app/screens/audit-charts.ts';
import {assertShown} from '../../support/shown.ts';
import {audit, auditOfTools, type Fixture, happen, open, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function fixtureWith(answer: ContextAudit): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, {columns: 120, rows: 60});
  press(fixture, 'enter', 'u');
  happen(fixture, {type: 'answered', name: 'audit', value: answer});
  return fixture;
}

function toTexts({model, state, now}: Fixture): string[] {
  return renderChrome({model, state, size: model.size, now}).flatMap(({lines}) =>
    lines.map((line) => textOfLine(line).trimEnd()),
  );
}

test('what each agent used is summed up where there are several, and each of its models is one', () => {
  const [first] = audit.contexts;
  const with9 = {...first!, session: 's9', model: 'opus-9', used: {input: 50, output: 50}};
  const several = toTexts(
    fixtureWith({...audit, contexts: [first!, {...first!, session: 's8'}, with9, with9]}),
  );
  assert.deepEqual(
    several.flatMap((text) => /^ (claude.*?) +█+ (.*)$/.exec(text)?.slice(1).join(': ') ?? []),
    ['claude: 45,600 in 2 sessions', 'claude opus-9: 200 in 2 sessions'],
  );
  assert.ok(
    !toTexts(fixtureWith({...audit, contexts: [first!]})).some((text) =>
      text.includes('Used by each agent'),
    ),
  );
});

test('what tools cost is told before any agent was started as well', () => {
  const texts = toTexts(
    fixtureWith({...auditOfTools(tokenStory().now), contexts: [], spent: 0, validated: 0}),
  );
  assert.ok(texts.some((text) => text.includes('No agent has been given a context yet.')));
  assert.ok(
    texts.some((text) =>
      /^ github +12,480 +█+ +41 tools, dearest create_pull_request_with_copilot \(912\)$/.test(
        text,
      ),
    ),
  );
});

test('nobody has asked for the cost of tools: it is said how', () => {
  assert.deepEqual(toolLines(undefined, 80, 0).map(textOfLine), [
    '',
    '  What tools cost in every prompt: orchestra audit --tools',
  ]);
});

test('whatever a server says of itself is text and stays in its place', () => {
  const evil = 'a\u001B]52;c;ZXZpbA==\u0007\u202Eb\r\nnew line 数数数';
  const fixture = fixtureWith({
    ...audit,
    tools: {
      at: 0,
      servers: [
        {
          name: evil,
          tokens: 7,
          tools: [{name: evil.repeat(9), tokens: 7}],
          problems: [evil.repeat(200), evil, evil, evil],
        },
      ],
    },
  });
  const texts = toTexts(fixture);
  for (const text of texts) assertShown(text);
  assert.ok(texts.some((text) => text.trim() === 'and 2 more'));
});

test('the plot rises to the sum, from left to right, and its names do not run into each other', () => {
  const texts = tokenChart(
    [
      {name: 's1', tokens: 100},
      {name: 's2', tokens: 0},
      {name: 's3', tokens: 300},
    ],
    40,
  ).map(textOfLine);
  assert.deepEqual(texts, [
    '',
    ' Tokens over time, session by session',
    '         400             █████ ',
    '                         █████ ',
    '                         █████ ',
    '           0 █████ █████ █████ ',
    '             s1    s2    s3    ',
  ]);
  const many = tokenChart(
    Array.from({length: 30}, (_, index) => ({name: `s${index + 98}`, tokens: 1})),
    80,
  ).map(textOfLine);
  assert.equal(many.at(-1)?.trim(), 's98   s101  s104  s107  s110  s113  s116  s119  s122  s125');
  assert.deepEqual(tokenChart([{name: 's1', tokens: 0}], 80), []);
  const latest = tokenChart(
    Array.from({length: 300}, (_, index) => ({name: `s${index}`, tokens: 1})),
    60,
  ).map(textOfLine);
  assert.ok(latest.every((text) => text.length <= 60));
});
