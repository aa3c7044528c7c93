import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseResetTime} from '../../../source/agents/index.ts';
import {useTimeZone} from './support/use-time-zone.ts';

/** Noon in London, seven in New York. */
const now = Date.UTC(2026, 10, 16, 12, 0);
const hour = 3_600_000;

describe('when a service serves again:', () => {
  useTimeZone('America/New_York');
  const cases: readonly (readonly [message: string, until: number | undefined])[] = [
    ['Claude AI usage limit reached|1794837600', 1_794_837_600_000],
    ['limit|1794837600123', 1_794_837_600_123],
    ["You've hit your session limit · resets 3pm (Europe/London)", Date.UTC(2026, 10, 16, 15, 0)],
    [
      "You've hit your weekly limit · resets Nov 20, 9:30am (Asia/Tokyo)",
      Date.UTC(2026, 10, 20, 0, 30),
    ],
    ["You've hit your limit · resets Jan 2, 3pm (UTC)", Date.UTC(2027, 0, 2, 15, 0)],
    ['resets 11am (Europe/London)', Date.UTC(2026, 10, 17, 11, 0)],
    ['resets 3pm (Nowhere/AtAll)', undefined],
    [
      'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 1:50 PM.',
      Date.UTC(2026, 10, 16, 18, 50),
    ],
    ['try again at Nov 20th, 2026 1:50 PM.', Date.UTC(2026, 10, 20, 18, 50)],
    ['try again at Nov 2nd, 2026 1:50 PM.', undefined],
    ['try again at 12:30 AM', Date.UTC(2026, 10, 17, 5, 30)],
    ['Please try again in 3 days 2 hours 5 minutes.', now + 74 * hour + 300_000],
    ['Your quota will reset after 2h3m4s.', now + 2 * hour + 184_000],
    ['Please retry in 34.5s', now + 34_500],
    ['try again in 1 hour and 30 minutes', now + 1.5 * hour],
    ['resets at 2026-11-16T13:00:00Z', now + hour],
    ['resets at 2026-11-16T13:00:00+01:00', undefined],
    ['Rate limited, try later', undefined],
    ['in 5 models and 3 tests', undefined],
    ['try again in 900 days', undefined],
    ['try again in 0s', undefined],
    ['', undefined],
  ];
  for (const [text, until] of cases) {
    test(text === '' ? 'nothing is said' : text, () => {
      assert.equal(parseResetTime(text, now), until);
    });
  }

  test('a megabyte of digits takes no time', () => {
    for (const text of [
      '1'.repeat(1_000_000),
      'in 1d '.repeat(200_000),
      'at Nov '.repeat(150_000),
      `in ${'1 h, '.repeat(200_000)}`,
    ])
      assert.ok(
        [undefined, 'number'].includes(
          typeof parseResetTime(text, now) === 'number' ? 'number' : undefined,
        ),
      );
  });
});
