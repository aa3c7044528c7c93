import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {chooseEditor, type EditorChoice, editText} from '../../../source/cli/runs/edit-text.ts';
import type {CliContext} from '../../../source/cli/cli-context.ts';

type Machine = {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly repository: string;
  readonly install: (name: string, script?: string, directory?: string) => void;
  readonly choose: (more?: Readonly<Record<string, string>>) => EditorChoice | undefined;
};

/** A machine on which nothing is installed but git. */
function createMachine(t: TestContext): Machine {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-editor-'));
  t.after(() => {
    rmSync(home, {recursive: true, force: true});
  });
  const [bin, repository] = [path.join(home, 'bin'), path.join(home, 'repository')];
  for (const directory of [bin, path.join(repository, '.git'), path.join(repository, 'bin')])
    mkdirSync(directory, {recursive: true});
  symlinkSync('/usr/bin/git', path.join(bin, 'git'));
  const env = {PATH: bin, HOME: home, GIT_CONFIG_NOSYSTEM: '1'};
  return {
    home,
    env,
    repository,
    install: (name, script = '#!/bin/sh\nexit 0\n', directory = bin) => {
      writeFileSync(path.join(directory, name), script);
      chmodSync(path.join(directory, name), 0o755);
    },
    choose: (more = {}) => chooseEditor({env: {...env, ...more}, outside: repository}),
  };
}

test('VISUAL comes before EDITOR, and what is blank counts as not set', (t) => {
  const {choose} = createMachine(t);
  assert.deepEqual(choose({VISUAL: 'code --wait', EDITOR: 'vi'}), {command: 'code --wait'});
  assert.deepEqual(choose({VISUAL: ' ', EDITOR: 'vi'}), {command: 'vi'});
  assert.equal(choose({VISUAL: '', EDITOR: ''}), undefined);
});

test("else git's by the person's own settings, if its program is there, and never what a repository says or brings along", (t) => {
  const {choose, install, home, repository} = createMachine(t);
  writeFileSync(path.join(home, '.gitconfig'), '[core]\n\teditor = mine --wait\n');
  assert.equal(choose(), undefined);
  install('nano');
  assert.equal(choose()?.command, 'nano');
  install('mine');
  assert.deepEqual(choose(), {command: 'mine --wait', because: 'core.editor of your git settings'});
  rmSync(path.join(home, '.gitconfig'));
  writeFileSync(path.join(repository, '.git', 'config'), '[core]\n\teditor = evil\n');
  install('evil');
  install('sensible-editor', undefined, path.join(repository, 'bin'));
  assert.deepEqual(choose({PATH: `${path.join(repository, 'bin')}:${path.join(home, 'bin')}`}), {
    command: 'nano',
    because: 'the first that is installed here',
  });
});

test('else the first of the usual ones', (t) => {
  const {choose, install} = createMachine(t);
  for (const name of ['vi', 'vim', 'nano', 'sensible-editor']) {
    install(name);
    assert.equal(choose()?.command, name);
  }
});

test('it names the editor that it opens; without one it says what to do', (t) => {
  const {install, env, repository} = createMachine(t);
  let output = '';
  const cli = {
    env,
    cwd: repository,
    isTerminal: true,
    err: (text: string) => {
      output += text;
    },
  } as unknown as CliContext;
  assert.throws(
    () => editText('before', 'plan.yaml', cli),
    /neither VISUAL nor EDITOR is set, git has no core\.editor, and none of sensible-editor, nano, .* is installed\. Set one, for example: export EDITOR=nano\. Or without any: orchestra plan edit RUN --file FILE/,
  );
  install('nano', '#!/bin/sh\nprintf after > "$1"\n');
  assert.equal(editText('before', 'plan.yaml', cli), 'after');
  assert.equal(
    output,
    'orchestra: neither VISUAL nor EDITOR is set; opening nano, the first that is installed here. "export EDITOR=…" chooses another.\n',
  );
});
