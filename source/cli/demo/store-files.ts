/**
 * A small web store with a real bug: it charges cards that have expired. Its webhooks are lost when
 * a subscriber is down. File → text.
 */
export const storeFiles: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({name: 'store', private: true, type: 'module', scripts: {test: 'node --test', start: 'node src/server.js'}}, undefined, 2)}\n`,
  'README.md': '# Store\n\nTakes orders, charges cards and tells subscribers. See docs/api.md.\n',
  'docs/api.md': `# API

- \`GET /orders\` lists the orders as JSON.
- A webhook posts each order to its subscriber.
`,
  'bin/get.js': `// Prints what the running store answers: node bin/get.js /orders
const store = process.env.ORCHESTRA_SERVICE_WEB_URL ?? 'http://127.0.0.1:4310';
const answer = await fetch(store + process.argv[2]);
console.log('  ' + answer.status + ' ' + (await answer.text()).slice(0, 60));
`,
  'src/server.js': `import {createServer} from 'node:http';
import {answerOrders} from './api/orders.js';

const port = Number(process.env.PORT ?? 4310);
const server = createServer((request, response) => {
  const {status, type, body} = answerOrders(request.url);
  response.writeHead(status, {'content-type': type}).end(body);
});
server.listen(port, '127.0.0.1', () => console.log('the store listens'));
`,
  'src/api/checkout.js': `import {priceOf} from '../lib/prices.js';

/** Charges a card for a cart. */
export async function checkout(cart, card, gateway) {
  const amount = cart.reduce((sum, {sku, count}) => sum + priceOf(sku) * count, 0);
  const charge = await gateway.charge(card, amount);
  return {id: charge.id, amount};
}
`,
  'src/api/orders.js': `const orders = [
  {id: 1, sku: 'mug', note: 'as a gift'},
  {id: 2, sku: 'poster', note: 'size "A2", rolled'},
];

/** Answers a request for the orders. */
export function answerOrders(path) {
  if (path === '/orders')
    return {status: 200, type: 'application/json', body: JSON.stringify(orders)};
  return {status: 404, type: 'text/plain', body: 'Not found'};
}
`,
  'src/api/webhooks.js': `import {headersFor} from '../lib/sign.js';

/** Tells a subscriber about an order. */
export async function deliver(url, order, {send = fetch} = {}) {
  const body = JSON.stringify(order);
  const answer = await send(url, {method: 'POST', headers: headersFor(body), body});
  return answer.ok;
}
`,
  'src/lib/prices.js': `let table = 'mug=900\\nshirt=2400\\nposter=1500';

export function setPrices(text) {
  table = text;
}

/** The price of an article in cents. Reads the whole table. */
export function priceOf(sku) {
  const row = table.split('\\n').find((line) => line.startsWith(sku + '='));
  return Number(row?.split('=')[1]);
}
`,
  'src/lib/sign.js': `/** The headers of a webhook. */
export function headersFor(body) {
  return {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
}
`,
  'test/prices.test.js': `import assert from 'node:assert/strict';
import {test} from 'node:test';
import {priceOf, setPrices} from '../src/lib/prices.js';

test('a price that changes is seen at once', () => {
  assert.equal(priceOf('mug'), 900);
  setPrices('mug=950');
  assert.equal(priceOf('mug'), 950);
});
`,
  '.rulesfile.md': `# 1. Hard constraints
- Public API contracts stay as they are. \`protect: test/prices.test.js\`
- No new packages. \`forbid-path: node_modules/**\`

# 2. Changes
- Edit the minimum of files. \`max-files: 6\`
- Leave no debugging behind. \`forbid: /console\\.log\\('debug/\`
- Prefer small pure functions.

# 3. Validation
1. The tests pass. \`test: node --test\`
2. Every file parses. \`build: node --check src/server.js\`
`,
  '.gitignore': '.orchestra/knowledge/\n',
};

/** The project file: one service, four workers. The checks are known to pass on the base. */
export function storeProject(port: number): string {
  return (
    `baseline: false\nservices:\n  web:\n    command: PORT=${port} node src/server.js\n    ` +
    `port: ${port}\nlimits:\n  workers: 4\n`
  );
}
