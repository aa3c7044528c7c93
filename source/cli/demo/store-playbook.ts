export const storeObjective =
  'Stop charging expired cards, and make webhooks survive a subscriber that is down';

/** The one question of the demo, and the number that the demo answers by itself. */
export const storeAnswer = {number: '2', text: 'every 4xx but 408 and 429'};

/**
 * The script of the built-in agent: six tasks in three waves. One task asks a question, one fails
 * its check and repairs itself. `pace` multiplies every pause: 1 is made for people to watch.
 */
export function storePlaybook(pace: number): string {
  const pause = (milliseconds: number): string =>
    `- wait: ${Math.max(1, Math.round(milliseconds * pace))}ms`;
  return `${plan}
planning:
  - print: I look for what happens to an expired card, and to a webhook that fails.
  ${pause(900)}
  - print: |-
      ● Read src/api/checkout.js ✓ 8 lines
      ● Read src/api/webhooks.js ✓ 8 lines
  ${pause(700)}
  - print: |-
      ● Grep expired ✓ no matches
      ● Read src/lib/prices.js ✓ 11 lines
      Nothing looks at the card before the charge, and deliver() tries once.
  ${pause(900)}
  - use: {input: 48210, output: 3120, cost: 0.19}
tasks:
${validateCards(pause)}
${retryWebhooks(pause)}
${cachePrices(pause)}
${exportOrders(pause)}
${signWebhooks(pause)}
${describeAll(pause)}
repairs:
${repairPrices(pause)}
`;
}

type Pause = (milliseconds: number) => string;

const plan = `plan:
  problem: Checkout charges expired cards; webhooks are lost when a subscriber is down; every lookup reads the whole price table.
  rootCause: Nothing validates the card before the charge, and deliver() tries once.
  assumptions: [The gateway answers within 2 s., Subscribers deduplicate by the id of the order.]
  invariants: [The shape of an order., 'test/prices.test.js as it is, and passing.']
  risks: ['A retry storm, capped at five tries.', A price that is up to one second old.]
  rejected:
    - {alternative: A queue in Redis., reason: A new service for three deliveries a minute.}
  tasks:
    - {id: t1, title: Validate card expiry before charging, brief: 'Reject a card whose month is over, with the code card-expired.', files: [src/api/checkout.js, src/lib/card.js, test/card.test.js], after: []}
    - {id: t2, title: Retry webhooks with backoff, brief: 'Five tries, doubling from 200 ms, jittered. Ask what is final.', files: [src/api/webhooks.js, src/lib/backoff.js, test/webhooks.test.js], after: []}
    - {id: t3, title: Cache price lookups for one second, brief: 'cachedPriceOf beside priceOf, with the clock passed in.', files: [src/lib/prices.js], after: []}
    - {id: t4, title: Export orders as CSV, brief: 'GET /orders.csv, RFC 4180.', files: [src/api/orders.js, src/lib/csv.js, test/csv.test.js], after: [], services: [web]}
    - {id: t5, title: Sign webhooks with a shared secret, brief: HMAC-SHA256 over the body in x-signature., files: [src/lib/sign.js, test/sign.test.js], after: [t2]}
    - {id: t6, title: 'Describe retries, signatures and the CSV', brief: One section each., files: [docs/api.md], after: [t4, t5]}
  validation: []`;

const validateCards = (pause: Pause): string => `  t1:
    - print: |-
        ● Read src/api/checkout.js ✓ 8 lines
        ● Grep card ✓ 3 matches
    ${pause(900)}
    - print: I check it before the charge, in a module of its own.
    ${pause(700)}
    - write:
        path: src/lib/card.js
        text: |
          /** Throws if the last day of the card's month is over. */
          export function assertNotExpired({year, month}, now = Date.now()) {
            if (Date.UTC(year, month, 1) > now) return;
            throw Object.assign(new Error('The card has expired.'), {code: 'card-expired'});
          }
    ${pause(900)}
    - replace:
        path: src/api/checkout.js
        find: "import {priceOf} from '../lib/prices.js';"
        with: "import {assertNotExpired} from '../lib/card.js';\\nimport {priceOf} from '../lib/prices.js';"
    - replace:
        path: src/api/checkout.js
        find: "  const amount = cart"
        with: "  assertNotExpired(card);\\n  const amount = cart"
    ${pause(800)}
    - write:
        path: test/card.test.js
        text: |
          import assert from 'node:assert/strict';
          import {test} from 'node:test';
          import {checkout} from '../src/api/checkout.js';
          import {assertNotExpired} from '../src/lib/card.js';

          const card = {year: 2026, month: 2};

          test('a card is good until its month is over', () => {
            assertNotExpired(card, Date.UTC(2026, 1, 28, 23, 59));
            assert.throws(() => assertNotExpired(card, Date.UTC(2026, 2, 1)), {code: 'card-expired'});
          });

          test('a cart is charged once, and never to an expired card', async () => {
            const charged = [];
            const gateway = {charge: async (_, amount) => ({id: charged.push(amount)})};
            const cart = [{sku: 'mug', count: 2}, {sku: 'poster', count: 1}];
            await checkout(cart, {year: 2999, month: 12}, gateway);
            await assert.rejects(checkout(cart, {year: 1999, month: 12}, gateway), {code: 'card-expired'});
            assert.deepEqual(charged, [3300]);
          });
    - use: {input: 41500, output: 2600, cost: 0.18}
    ${pause(1300)}
    - print: The card is checked first, so nothing is charged when it has expired.
    - use: {input: 20400, output: 1500, cost: 0.09}
    - report: {rootCause: checkout() charged before anybody looked at the card., decisions: [A card is good until the end of its month.]}`;

const retryWebhooks = (pause: Pause): string => `  t2:
    - print: '● Read src/api/webhooks.js ✓ 8 lines'
    ${pause(800)}
    - print: A 5xx and a network error are worth another try; of the 4xx I am not sure.
    - use: {input: 30100, output: 1200, cost: 0.11}
    ${pause(1500)}
    - ask: {question: 'Which answers are final, so that no retry follows?', options: [every 4xx, every 4xx but 408 and 429, only 410 Gone]}
    - print: 'Good: \${answer}.'
    - write:
        path: src/lib/backoff.js
        text: |
          const policies = {
            'every 4xx': (status) => status >= 400 && status < 500,
            'every 4xx but 408 and 429': (status) =>
              status >= 400 && status < 500 && status !== 408 && status !== 429,
            'only 410 Gone': (status) => status === 410,
          };

          /** Whether an answer is final, so that no retry follows. */
          export const isFinal = policies['\${answer}'];

          /** The pauses between five tries, in ms: doubling from 200, jittered by a quarter. */
          export function pauses(random = Math.random) {
            return [200, 400, 800, 1600].map((ms) => ms * (0.75 + random() / 2));
          }
    ${pause(700)}
    - replace:
        path: src/api/webhooks.js
        find: "import {headersFor}"
        with: "import {setTimeout as pause} from 'node:timers/promises';\\nimport {isFinal, pauses} from '../lib/backoff.js';\\nimport {headersFor}"
    - replace:
        path: src/api/webhooks.js
        find: |2
            const answer = await send(url, {method: 'POST', headers: headersFor(body), body});
            return answer.ok;
        with: |2
            for (const ms of [...pauses(), 0]) {
              const answer = await send(url, {method: 'POST', headers: headersFor(body), body}).catch(() => undefined);
              if (answer?.ok || isFinal(answer?.status)) return answer.ok;
              await wait(ms);
            }

            return false;
    - replace:
        path: src/api/webhooks.js
        find: "{send = fetch} = {}"
        with: "{send = fetch, wait = pause} = {}"
    ${pause(600)}
    - write:
        path: test/webhooks.test.js
        text: |
          import assert from 'node:assert/strict';
          import {test} from 'node:test';
          import {deliver} from '../src/api/webhooks.js';

          const tell = async (...statuses) => {
            const waited = [];
            const send = async () => ({ok: statuses[0] < 300, status: statuses.shift()});
            return [await deliver('/', {id: 1}, {send, wait: async (ms) => waited.push(ms)}), waited.length];
          };

          test('a subscriber that is down for a moment gets the order', async () => {
            assert.deepEqual(await tell(503, 503, 200), [true, 2]);
          });

          test('a final answer is not tried again', async () => {
            assert.deepEqual(await tell(410, 200), [false, 0]);
          });
    ${pause(500)}
    - use: {input: 15800, output: 2100, cost: 0.1}
    - report: {rootCause: deliver() tried once., decisions: ['Final is: \${answer}.'], rejected: [{alternative: Retry every answer., reason: A subscriber that is gone would be asked five times for ever.}]}`;

const cachePrices = (pause: Pause): string => `  t3:
    - print: |-
        … A map with the time beside the value
        ● Read src/lib/prices.js ✓ 11 lines
    ${pause(1200)}
    - print: priceOf is called everywhere, so I put the cache right into it.
    ${pause(700)}
    - replace:
        path: src/lib/prices.js
        find: |
          /** The price of an article in cents. Reads the whole table. */
          export function priceOf(sku) {
        with: |
          const known = new Map();

          /** The price of an article in cents, up to one second old. */
          export function priceOf(sku, now = Date.now) {
            const {price, at} = known.get(sku) ?? {at: -Infinity};
            if (now() - at < 1000) return price;
            known.set(sku, {price: readPrice(sku), at: now()});
            return known.get(sku).price;
          }

          function readPrice(sku) {
    ${pause(1100)}
    - print: Callers need not change.
    - use: {input: 38400, output: 1900, cost: 0.15}
    ${pause(3000)}`;

const repairPrices = (pause: Pause): string => `  t3:
    - print: |-
        ● Read test/prices.test.js ✓ 8 lines
        A price that changes must be seen at once by those who call priceOf.
    ${pause(900)}
    - print: The cache gets a function of its own.
    - replace:
        path: src/lib/prices.js
        find: "/** The price of an article in cents, up to one second old. */\\nexport function priceOf(sku"
        with: "/** The price of an article in cents, up to one second old. */\\nexport function cachedPriceOf(sku"
    ${pause(700)}
    - replace:
        path: src/lib/prices.js
        find: "function readPrice(sku) {"
        with: "/** The price of an article in cents. Reads the whole table. */\\nexport function priceOf(sku) {"
    - replace: {path: src/lib/prices.js, find: "readPrice(sku)", with: "priceOf(sku)"}
    ${pause(600)}
    - run: node --test test/prices.test.js | grep -E ' (pass|fail) [0-9]'
    - use: {input: 37200, output: 1700, cost: 0.15}
    - report: {rootCause: The cache was in priceOf itself., decisions: [cachedPriceOf is beside priceOf.], rejected: [{alternative: Cache in priceOf., reason: A changed price would be seen a second late.}]}`;

const exportOrders = (pause: Pause): string => `  t4:
    - print: '● Read src/api/orders.js ✓ 11 lines'
    ${pause(1000)}
    - run: node bin/get.js /orders
    ${pause(900)}
    - print: A note may hold quotes and commas, so the fields need quoting.
    ${pause(900)}
    - write:
        path: src/lib/csv.js
        text: |
          /** Rows as CSV by RFC 4180, with the names of the fields first. */
          export function toCsv(rows) {
            const names = Object.keys(rows[0] ?? {});
            return [names, ...rows.map((row) => names.map((name) => row[name]))]
              .map((fields) => fields.map(quote).join(',') + '\\r\\n')
              .join('');
          }

          function quote(field) {
            const text = String(field);
            return /[",\\r\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
          }
    ${pause(1400)}
    - replace:
        path: src/api/orders.js
        find: "const orders = ["
        with: "import {toCsv} from '../lib/csv.js';\\n\\nconst orders = ["
    - replace:
        path: src/api/orders.js
        find: "  return {status: 404"
        with: "  if (path === '/orders.csv') return {status: 200, type: 'text/csv', body: toCsv(orders)};\\n  return {status: 404"
    - use: {input: 61000, output: 3400, cost: 0.29}
    ${pause(1600)}
    - write:
        path: test/csv.test.js
        text: |
          import assert from 'node:assert/strict';
          import {test} from 'node:test';
          import {answerOrders} from '../src/api/orders.js';

          test('the orders are exported with quotes where they are needed', () => {
            const {status, body} = answerOrders('/orders.csv');
            assert.deepEqual([status, body.split('\\r\\n')], [
              200,
              ['id,sku,note', '1,mug,as a gift', '2,poster,"size ""A2"", rolled"', ''],
            ]);
          });
    ${pause(1500)}
    - print: |-
        ● Read test/csv.test.js ✓ 11 lines
        Quotes are doubled, lines end with CR LF.
    ${pause(1200)}
    - use: {input: 60200, output: 2900, cost: 0.28}
    ${pause(900)}
    - report: {decisions: [Quote only the fields that need it.], rejected: [{alternative: A package for CSV., reason: The rules allow none.}]}`;

const signWebhooks = (pause: Pause): string => `  t5:
    - print: |-
        ● Read src/lib/sign.js ✓ 4 lines
        The secret comes from the environment; without one nothing is signed.
    ${pause(1100)}
    - replace:
        path: src/lib/sign.js
        find: |
          /** The headers of a webhook. */
          export function headersFor(body) {
            return {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
          }
        with: |
          import {createHmac} from 'node:crypto';

          /** The headers of a webhook, with an HMAC-SHA256 of the body if there is a secret. */
          export function headersFor(body, secret = process.env.WEBHOOK_SECRET) {
            const headers = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
            if (secret === undefined) return headers;
            return {...headers, 'x-signature': createHmac('sha256', secret).update(body).digest('hex')};
          }
    ${pause(900)}
    - write:
        path: test/sign.test.js
        text: |
          import assert from 'node:assert/strict';
          import {test} from 'node:test';
          import {headersFor} from '../src/lib/sign.js';

          test('the signature depends on body and secret', () => {
            const sign = (body, secret) => headersFor(body, secret)['x-signature'];
            assert.match(sign('a', 'one'), /^[0-9a-f]{64}$/);
            assert.equal(new Set([sign('a', 'one'), sign('b', 'one'), sign('a', 'two')]).size, 3);
            assert.equal(sign('a'), undefined);
          });
    ${pause(900)}
    - use: {input: 39100, output: 1800, cost: 0.17}
    - report: {decisions: [The secret is read from WEBHOOK_SECRET.]}`;

const describeAll = (pause: Pause): string => `  t6:
    - print: |-
        ● Read docs/api.md ✓ 4 lines
        ● Read src/lib/backoff.js ✓ 14 lines
    ${pause(900)}
    - append:
        path: docs/api.md
        text: |

          ## Retries

          A webhook is tried five times, with pauses that double from 200 ms. Some answers are final; see src/lib/backoff.js.

          ## Signatures

          With WEBHOOK_SECRET set, x-signature is the HMAC-SHA256 of the body in hex.

          ## CSV

          GET /orders.csv exports the orders by RFC 4180.
    ${pause(800)}
    - use: {input: 21300, output: 900, cost: 0.08}`;
