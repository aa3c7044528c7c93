import os from 'node:os';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';

/** A small shop till with a real bug: it charges fractions of cents. File → text. */
export const demoFiles: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({name: 'till', private: true, type: 'module', scripts: {test: 'node --test', start: 'node src/server.js'}}, undefined, 2)}\n`,
  'README.md': '# Till\n\nAdds up a receipt.\n',
  'src/total.js': `/** What a receipt costs, in cents; the discount is in percent. */
export function totalOf(lines, discount = 0) {
  const sum = lines.reduce((total, {price, count}) => total + price * count, 0);
  return sum - (sum * discount) / 100;
}
`,
  'src/server.js': `import {createServer} from 'node:http';
import {totalOf} from './total.js';

const server = createServer((request, response) => response.end(String(totalOf([{price: 333, count: 1}], 10))));
server.listen(Number(process.env.TILL_PORT), '127.0.0.1', () => console.log('the till listens'));
`,
  'test/total.test.js': `import assert from 'node:assert/strict';
import {test} from 'node:test';
import {totalOf} from '../src/total.js';

test('a receipt is added up', () => {
  assert.equal(totalOf([{price: 250, count: 2}, {price: 99, count: 1}]), 599);
});

test('a discount leaves whole cents', () => {
  assert.equal(totalOf([{price: 333, count: 1}], 10), 300);
});
`,
  '.rulesfile.md': `# 1. Hard constraints
- What is tested stays tested. \`protect: test/total.test.js\`
- The till needs no packages. \`forbid-path: node_modules/**\`

# 2. Changes
- Touch as few files as possible. \`max-files: 3\`
- Leave no debugging behind. \`forbid: /console\\.log\\('debug/\`

# 3. Validation
1. The tests pass. \`test: node --test\`
2. Every file can be read. \`build: node --check src/total.js && node --check src/server.js\`
`,
  '.gitignore': '.orchestra/knowledge/\n',
};

/** Its test fails on purpose: the plan fixes it, so nobody is asked about the base. */
export function demoProject(port: number): string {
  return `baseline: false\nservices:\n  till:\n    command: TILL_PORT=${port} node src/server.js\n    port: ${port}\nlimits:\n  workers: 2\n`;
}

/** The script of the built-in agent: it makes one mistake and asks one question. */
export const demoPlaybook = `plan:
  problem: A discount leaves fractions of a cent, and nobody is told the currency.
  rootCause: The total is not rounded after the discount is taken off.
  assumptions: [Prices are whole cents.]
  invariants: ['test/total.test.js stays as it is and passes.']
  risks: [Rounding down would cheat the customer by up to a cent.]
  rejected:
    - {alternative: Round every line of the receipt., reason: The errors of the lines would add up.}
  tasks:
    - {id: t1, title: Round the total to whole cents, brief: Round what totalOf returns., files: [src/total.js], after: []}
    - {id: t2, title: Write prices with their currency, brief: Add formatPrice in src/format.js with a test., files: [src/format.js, test/format.test.js], after: [t1]}
    - {id: t3, title: Say in the readme how totals are rounded, brief: One sentence., files: [README.md], after: [t1]}
    - {id: t4, title: The server answers with a formatted price, brief: Use formatPrice in the server., files: [src/server.js], after: [t2], services: [till]}
  validation: []
tasks:
  t1:
    - print: Reading src/total.js
    - replace: {path: src/total.js, find: 'return sum - (sum * discount) / 100;', with: 'return Math.floor(sum - (sum * discount) / 100);'}
  t2:
    - ask: {question: 'Which sign shall stand behind a price?', options: [EUR, USD]}
    - write: {path: src/format.js, text: "/** 1234 -> '12.34 \${answer}' */\\nexport function formatPrice(cents) {\\n  return (cents / 100).toFixed(2) + ' \${answer}';\\n}\\n"}
    - write: {path: test/format.test.js, text: "import assert from 'node:assert/strict';\\nimport {test} from 'node:test';\\nimport {formatPrice} from '../src/format.js';\\n\\ntest('a price has two digits and a sign', () => {\\n  assert.equal(formatPrice(1234), '12.34 \${answer}');\\n});\\n"}
    - run: node --check src/format.js
  t3:
    - write: {path: README.md, text: "# Till\\n\\nAdds up a receipt. Totals are rounded to whole cents, half a cent up.\\n"}
  t4:
    - replace: {path: src/server.js, find: "import {totalOf} from './total.js';", with: "import {formatPrice} from './format.js';\\nimport {totalOf} from './total.js';"}
    - replace: {path: src/server.js, find: "String(totalOf([{price: 333, count: 1}], 10))", with: "formatPrice(totalOf([{price: 333, count: 1}], 10))"}
repairs:
  t1:
    - print: Rounding down was wrong
    - replace: {path: src/total.js, find: Math.floor, with: Math.round}
    - report: {rootCause: The discount is taken off after the cents were added up., decisions: [Round once at the very end.], rejected: [{alternative: Math.floor, reason: It takes up to a cent from the shop.}]}
`;

export type Demo = {
  readonly home: string;
  readonly root: string;
  readonly playbook: string;
  readonly objective: string;
};

/** Creates a repository with one commit in the temporary directory. */
export async function makeDemo(env: Readonly<Record<string, string | undefined>>): Promise<Demo> {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-demo-')));
  const root = path.join(home, 'till');
  const files = {...demoFiles, '.orchestra/project.yaml': demoProject(await freePort())};
  for (const [file, text] of Object.entries(files)) {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), {recursive: true});
    writeFileSync(full, text);
  }

  const playbook = path.join(home, 'playbook.yaml');
  writeFileSync(playbook, demoPlaybook);
  const git = (...argv: readonly string[]): void =>
    void execFileSync(
      'git',
      ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.org', ...argv],
      {cwd: root, env, stdio: 'ignore'},
    );
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Demo');
  git('config', 'user.email', 'demo@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A till that adds up receipts');
  return {
    home,
    root,
    playbook,
    objective: 'Charge whole cents, and show prices with their currency',
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
