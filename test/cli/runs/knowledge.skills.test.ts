import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {type TestContext, describe, it} from 'node:test';
import {runCommandLine} from '../../../source/cli/index.ts';
import {createDaemonFixture} from '../../daemon/support/daemon-fixture.ts';

// The bundler puts the version in; here nobody did.
Object.assign(globalThis, {ORCHESTRA_VERSION: '0.0.0-test'});

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;

describe('orchestra skills', () => {
  it('lists what a run can be given, with where it is', async (t) => {
    const {code, out} = await call(
      t,
      {
        '.orchestra/skills/write-docs/SKILL.md': skill('write-docs', 'When prose is asked for.'),
        '.claude/skills/test/SKILL.md': skill('test', 'When a test is missing.'),
      },
      ['skills'],
    );
    assert.equal(
      out,
      'write-docs  When prose is asked for.  (.orchestra/skills/write-docs/SKILL.md)\ntest        When a test is missing.  (.claude/skills/test/SKILL.md)\n',
    );
    assert.equal(code, 0);
  });

  it('has one shape as JSON', async (t) => {
    const {code, out} = await call(
      t,
      {'.orchestra/skills/write-docs/SKILL.md': skill('write-docs', 'When prose is asked for.')},
      ['skills', '--json'],
    );
    assert.deepEqual(JSON.parse(out), {
      skills: [
        {
          name: 'write-docs',
          description: 'When prose is asked for.',
          path: '.orchestra/skills/write-docs/SKILL.md',
        },
      ],
      problems: [],
    });
    assert.equal(code, 0);
  });

  it('says what is wrong with one, and where; nothing in it acts on the terminal', async (t) => {
    const {code, out} = await call(
      t,
      {'.orchestra/skills/a/SKILL.md': '---\nname: "a\\e]52;c;eA==\\a"\n---\nx\n'},
      ['skills'],
    );
    assert.equal(code, 1);
    assert.match(out, /\.orchestra\/skills\/a\/SKILL\.md:\d+: /);
    assert.ok(!out.includes('\u001B'));
  });

  it('says how to make one where there is none', async (t) => {
    const {code, out} = await call(t, {}, ['skills']);
    assert.match(
      out,
      /^There are no skills\. A skill is a folder with a SKILL\.md in \.orchestra\/skills or \.claude\/skills/,
    );
    assert.equal(code, 0);
  });

  it('is asked by the app through the daemon, which reads them each time', async (t) => {
    const fixture = createDaemonFixture(t);
    assert.deepEqual(await fixture.ask({about: 'skills'}), {skills: []});
    mkdirSync(path.join(fixture.root, '.orchestra/skills/write-docs'), {recursive: true});
    writeFileSync(
      path.join(fixture.root, '.orchestra/skills/write-docs/SKILL.md'),
      skill('write-docs', 'When prose is asked for.'),
    );
    assert.deepEqual(await fixture.ask({about: 'skills'}), {
      skills: [{name: 'write-docs', description: 'When prose is asked for.'}],
    });
  });
});

async function call(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  argv: readonly string[],
): Promise<{readonly code: number; readonly out: string}> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'orchestra-skills-'));
  t.after(() => {
    rmSync(cwd, {recursive: true, force: true});
  });
  execFileSync('git', ['init', '-q', cwd]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), {recursive: true});
    writeFileSync(path.join(cwd, name), text);
  }

  let out = '';
  const print = (text: string): void => {
    out += text;
  };
  const code = await runCommandLine(argv, {
    env: {...process.env, HOME: cwd},
    cwd,
    out: print,
    write: () => undefined,
    err: print,
    isTerminal: false,
    columns: 80,
    rows: 24,
  });
  return {code, out};
}
