import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {checkRules} from '../../../source/rules/index.ts';
import {draftStarterRules, writeStarterRules} from '../../../source/cli/app/starter-rules.ts';

function createRoot(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'orchestra-starter-'));
  t.after(() => {
    rmSync(root, {recursive: true});
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  return root;
}

function commandsIn(t: TestContext, files: Readonly<Record<string, string>>): readonly string[] {
  const {text, checks} = draftStarterRules(createRoot(t, files));
  const {checks: parsed, findings} = checkRules('.rulesfile.md', text);
  assert.deepEqual(
    findings.filter(({name}) => name !== 'no-checks'),
    [],
    text,
  );
  const commands = parsed.map(({name, command}) => `${name}: ${command}`);
  assert.deepEqual(
    commands,
    checks.map(({name, command}) => `${name}: ${command}`),
  );
  return commands;
}

test('the starter has the checks that the repository has, and no finding', (t) => {
  const scripts = (given: object): string => JSON.stringify({scripts: given});
  for (const [files, expected] of [
    [{}, []],
    [
      {'package.json': scripts({test: 'vitest', build: 'tsc', lint: 'eslint .', deploy: 'x'})},
      ['test: npm test', 'build: npm run build', 'lint: npm run lint'],
    ],
    [{'package.json': scripts({test: 'vitest'}), 'pnpm-lock.yaml': ''}, ['test: pnpm test']],
    [{'package.json': scripts({test: 'echo "Error: no test specified" && exit 1'})}, []],
    [{'package.json': 'not JSON'}, []],
    [{'package.json': '{"scripts": null}'}, []],
    [{Makefile: 'CC := cc\ntest:\n\tcc\nbuild := x\n'}, ['test: make test']],
    [{'Cargo.toml': ''}, ['test: cargo test', 'build: cargo build']],
    [{'go.mod': ''}, ['test: go test ./...', 'build: go build ./...']],
    [{'pyproject.toml': '[tool.pytest.ini_options]\n'}, ['test: pytest']],
    [
      {'package.json': scripts({build: 'tsc'}), Makefile: 'test:\n'},
      ['test: make test', 'build: npm run build'],
    ],
  ] as const)
    assert.deepEqual(commandsIn(t, files), expected, JSON.stringify(files));
});

test('nothing that a file says becomes a command', (t) => {
  const hostile = 'x`; rm -rf /\u001B[2J';
  assert.deepEqual(
    commandsIn(t, {'package.json': JSON.stringify({scripts: {test: hostile, [hostile]: hostile}})}),
    ['test: npm test'],
  );
});

test('it is written once, and never over anything', (t) => {
  const root = createRoot(t, {});
  const file = path.join(root, '.rulesfile.md');
  const {text} = draftStarterRules(root);
  writeStarterRules(root, text);
  assert.equal(readFileSync(file, 'utf8'), text);
  assert.deepEqual(readdirSync(root), ['.rulesfile.md']);
  assert.throws(() => {
    writeStarterRules(root, 'other');
  }, /is there already; nothing was written/);
  assert.equal(readFileSync(file, 'utf8'), text);

  rmSync(file);
  symlinkSync(path.join(root, 'elsewhere'), file);
  assert.throws(() => {
    writeStarterRules(root, text);
  }, /is there already/);
  assert.equal(existsSync(path.join(root, 'elsewhere')), false);

  rmSync(file);
  mkdirSync(file);
  assert.throws(() => {
    writeStarterRules(root, text);
  }, /is there already/);
});
