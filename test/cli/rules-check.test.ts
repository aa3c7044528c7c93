import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {type TestContext, test} from 'node:test';
import {runCommandLine} from '../../source/cli/index.ts';

// The bundler puts the version in; here nobody did.
Object.assign(globalThis, {ORCHESTRA_VERSION: '0.0.0-test'});

const good = '# 1. Rules\n- Be brief. `max-files: 3`\n# 2. Validation\n- Test. `test: npm test`\n';

test('a sound file is printed with its rules, directives and checks, and the exit code is 0', async (t) => {
  const {code, out, err} = await rulesCheck(t, {'.rulesfile.md': good});
  assert.equal(err, '');
  assert.equal(
    out,
    [
      '.rulesfile.md',
      '',
      'Rules · the first wins',
      '  1.1  Be brief.  [max-files: 3]',
      '  2.1  Test.',
      '',
      'Checks · in this order',
      '  test  TEST_FAILURE  npm test',
      '',
      'ok: 2 rules, 1 check, 22 tokens, 0 errors, 0 warnings',
      '',
    ].join('\n'),
  );
  assert.equal(code, 0);
});

test('warnings are printed and the exit code is 0', async (t) => {
  const {code, out} = await rulesCheck(t, {'.rulesfile.md': '# Rules\n- a\n'});
  assert.match(
    out,
    /\n {2}line 1 {2}warning {2}no-checks {2}Expected a section .*\n\nok: 1 rule, .* 0 errors, 1 warning\n$/s,
  );
  assert.equal(code, 0);
});

test('an error is printed with its line and its name, and the exit code is 1', async (t) => {
  const {code, out, err} = await rulesCheck(
    t,
    {'other.md': `${good}- Again. \`test: npm run again\`\n`},
    ['other.md'],
  );
  assert.match(out, /^other\.md\n/);
  assert.match(
    out,
    /\n {2}line 5 {2}error {2}duplicate-check {2}The name "test" is taken .*\n\nnot ok: 3 rules, 1 check, .* 1 error, 0 warnings\n$/s,
  );
  assert.equal(err, '');
  assert.equal(code, 1);
});

test('--json prints one object with the documented fields', async (t) => {
  const {code, out} = await rulesCheck(t, {'.rulesfile.md': `${good}- b \`max-lines: x\`\n`}, [
    '--json',
  ]);
  const {hash, tokens, findings, ...rest} = JSON.parse(out) as Record<string, unknown>;
  assert.match(String(hash), /^[0-9a-f]{64}$/);
  assert.ok(Number(tokens) > 20);
  assert.deepEqual(rest, {
    file: '.rulesfile.md',
    rules: [
      {number: '1.1', text: 'Be brief.', line: 2, tooth: {kind: 'max-files', most: 3}},
      {number: '2.1', text: 'Test.', line: 4, check: 'test'},
      {number: '2.2', text: 'b `max-lines: x`', line: 5},
    ],
    checks: [{name: 'test', command: 'npm test', line: 4}],
    ok: false,
  });
  assert.deepEqual(
    (findings as Record<string, unknown>[]).map((finding) => ({...finding, text: '…'})),
    [{line: 5, level: 'error', name: 'bad-number', text: '…'}],
  );
  assert.equal(code, 1);
});

test('nothing in a file acts on the terminal, printed or as JSON', async (t) => {
  const files = {
    '.rulesfile.md': `${good}- \u001B]52;c;eA==\u0007 \u009B31m \u202Etxt \u200B\u{E0041} \`test2: a\u001Bb\`\n`,
  };
  for (const options of [[], ['--json']]) {
    const {out} = await rulesCheck(t, files, options);
    assert.doesNotMatch(
      out,
      /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E]|[\u{E0000}-\u{E007F}]/u,
    );
    assert.match(out, options.length === 0 ? /\\u\{202e\}txt/ : /\\u202etxt/);
  }
});

test('when the default file is missing it says how to begin, and the command it names works', async (t) => {
  const {code, out, err, folder} = await rulesCheck(t, {});
  assert.equal(code, 2);
  assert.equal(out, '');
  const copy =
    /^orchestra: cannot read the rules file \.rulesfile\.md: it does not exist\.\nTo start .* run:\n {2}(cp ".+" "\.rulesfile\.md")\n$/.exec(
      err,
    )?.[1];
  execFileSync('sh', ['-c', copy!], {cwd: folder});
  const again = await run(folder, []);
  assert.equal(again.code, 0);
  assert.match(again.out, / 0 errors, 0 warnings\n$/);
});

const troubles: readonly (readonly [
  title: string,
  prepare: (file: string) => unknown,
  message: RegExp,
])[] = [
  [
    'a folder',
    (file) => mkdirSync(file, {recursive: true}),
    /x\.md: it is a directory or a special file/,
  ],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), /it is a directory or a special file/],
  ['a link to nothing', (file) => execFileSync('ln', ['-s', 'nowhere', file]), /it does not exist/],
  [
    'a link to itself',
    (file) => execFileSync('ln', ['-s', 'x.md', file]),
    /the system reports ELOOP\.\nCheck its path/,
  ],
  [
    'a file of 300 kB',
    (file) =>
      execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1000', 'count=300'], {stdio: 'ignore'}),
    /larger than 256 kB/,
  ],
];

for (const [title, prepare, message] of troubles) {
  test(`${title} is no rules file: the exit code is 2`, async (t) => {
    const folder = temporaryFolder(t);
    prepare(path.join(folder, 'x.md'));
    const {code, out, err} = await run(folder, ['x.md']);
    assert.match(err, message);
    assert.equal(out, '');
    assert.equal(code, 2);
  });
}

test('a file that may not be read is no rules file', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'x.md'), good);
  chmodSync(path.join(folder, 'x.md'), 0);
  // Root may read everything, but for what the kernel itself refuses.
  const [file, reason] = process.getuid?.() === 0 ? ['/proc/self/mem', 'EIO'] : ['x.md', 'EACCES'];
  const {code, err} = await run(folder, [file]);
  assert.match(err, new RegExp(reason));
  assert.equal(code, 2);
});

test('the name of the file cannot act on the terminal either', async (t) => {
  const {code, err} = await rulesCheck(t, {}, ['\u001B[31m.md']);
  assert.match(err, /the rules file \\u\{1b\}\[31m\.md/);
  assert.equal(code, 2);
});

test('two files are wrong use', async (t) => {
  const {code, err} = await rulesCheck(t, {}, ['a.md', 'b.md']);
  assert.match(err, /too many arguments/);
  assert.equal(code, 2);
});

type Result = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly folder: string;
};

async function rulesCheck(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Result> {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return run(folder, args);
}

async function run(folder: string, args: readonly string[]): Promise<Result> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(['rules', 'check', ...args], {
    env: {},
    cwd: folder,
    out: (text) => void out.push(text),
    write: () => undefined,
    err: (text) => void err.push(text),
    isTerminal: false,
    columns: undefined,
    rows: undefined,
  });
  return {code, out: out.join(''), err: err.join(''), folder};
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'orchestra-rules-'));
  t.after(() => {
    rmSync(folder, {recursive: true});
  });
  return folder;
}
