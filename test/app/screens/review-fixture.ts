import {createHash} from 'node:crypto';
import {plannedTask} from '../../domain/support/samples.ts';
import {mergeTask, validate, working} from '../../domain/support/stages.ts';
import type {Harness} from '../../domain/support/harness.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {type Fixture, happen, open, press} from './fixtures.ts';

/** A run of three merged tasks whose change is shown. */
export function reviewed(
  size: Size = {columns: 120, rows: 35},
  text: string = shopDiff,
  uiState?: unknown,
): Fixture {
  const harness = shop();
  const fixture = open(harness.state, harness.time + 60_000, size, uiState);
  press(fixture, 'r');
  answerDiff(fixture, text);
  return fixture;
}

/** The daemon's answer to the question for the diff in view. */
export function answerDiff(fixture: Fixture, text: string, to = 'merge-r1.t3'): void {
  fixture.effects.length = 0;
  happen(fixture, {
    type: 'answered',
    name: `diff/${fixture.model.subject ?? ''}`,
    value: {from: 'base', to, text, files: []},
  });
}

export function shop(): Harness {
  const harness = working([
    plannedTask('t1', {title: 'Validate card expiry', files: ['src/api/*', 'src/lib/card.js']}),
    plannedTask('t2', {title: 'Retry webhooks with backoff', files: ['src/lib/backoff.js']}),
    plannedTask('t3', {title: 'Describe it', files: ['docs/**']}),
  ]);
  for (const task of ['r1.t1', 'r1.t2', 'r1.t3'] as const) {
    validate(harness, task);
    mergeTask(harness, task);
  }

  return harness;
}

/** The lines of a file, all of them in one hunk. */
export function toDiff(
  path: string,
  lines: readonly string[],
  how: 'modified' | 'new' = 'modified',
): string {
  const count = (sign: string): number =>
    lines.filter((line) => line.startsWith(sign) || line.startsWith(' ')).length;
  return [
    `diff --git a/${path} b/${path}`,
    ...(how === 'new' ? ['new file mode 100644'] : []),
    `index 0000000..${createHash('sha1').update(lines.join('\n')).digest('hex')}`,
    how === 'new' ? '--- /dev/null' : `--- a/${path}`,
    `+++ b/${path}`,
    how === 'new' ? `@@ -0,0 +1,${count('+')} @@` : `@@ -1,${count('-')} +1,${count('+')} @@`,
    ...lines,
    '',
  ].join('\n');
}

/** A file of so many lines, each of which is changed. */
export function longDiff(lines: number): string {
  const texts = Array.from({length: lines}, (_, index) => `const value${index} = ${index} * 2;`);
  return toDiff('src/long.js', [
    ...texts.flatMap((text) => [`-${text}`, `+${text.replace('* 2', '* 3')} // more`]),
  ]);
}

const checkout = [
  " import {priceOf} from '../lib/prices.js';",
  "+import {assertNotExpired} from '../lib/card.js';",
  " import {log} from '../lib/log.js';",
  ' ',
  ' /** Charges a card and returns the order. */',
  ' export async function checkout(cart, card, gateway) {',
  '+  assertNotExpired(card);',
  '   const total = cart.reduce((sum, {sku, count}) => sum + priceOf(sku) * count, 0) * taxOf(cart);',
  "-  log('checkout', {items: cart.length, total});",
  "+  log('checkout', {items: cart.length, total, currency: 'EUR'});",
  '   const charge = await gateway.charge(card, total);',
  '   return {',
  '     id: charge.id,',
  ...Array.from({length: 9}, (_, index) => `     field${index}: charge.field${index},`),
  '   };',
  ' }',
];

export const shopDiff = [
  toDiff('src/api/checkout.js', checkout),
  toDiff('docs/api.md', ['+# Orders', '+', '+Cards are checked first.'], 'new'),
  toDiff('src/lib/backoff.js', ['+export const tries = 4;'], 'new'),
  toDiff('src/lib/card.js', ['+export function assertNotExpired() {}'], 'new'),
].join('');
