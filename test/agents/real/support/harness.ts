import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {getCache, getProgram} from '../../../../scripts/agents/places.ts';
import {type Driver, findDriver, toTerminalArgv} from '../../../../source/agents/index.ts';
import {createDaemonFixture, type DaemonFixture} from '../../../daemon/support/daemon-fixture.ts';
import {createModelServer, type ModelServer} from '../../model-server/model-server.ts';
import type {Script} from '../../model-server/script.ts';
import {homes} from './homes.ts';

/**
 * A repository with its own daemon, a clean home, and one real agent whose model is scripted. Gone
 * when the test is over.
 */
export type Harness = {
  readonly place: DaemonFixture;
  readonly server: ModelServer;
  readonly model: string;
  readonly driver: Driver;
  /** How a person starts the agent. */
  readonly argv: readonly string[];
};

export async function createHarness(
  t: TestContext,
  name: string,
  script: (directory: string) => Script,
  {asks = true}: {readonly asks?: boolean} = {},
): Promise<Harness> {
  const program = getProgram(name, process.env);
  // Not under the temp directory: codex refuses to have its home there.
  const stages = path.join(getCache(process.env), 'stages');
  mkdirSync(stages, {recursive: true});
  const home = realpathSync(mkdtempSync(path.join(stages, `${name}-home-`)));
  let answer: Script = () => ({text: 'Not yet.'});
  const server = await createModelServer((asked) => answer(asked));
  t.after(server.close);
  const first = homes[name]?.(home, server.url, '/nonexistent') ?? assert.fail(name);
  const found = findDriver(name, []);
  assert('driver' in found);
  const command = found.driver.commandOf({
    mode: 'takeover',
    directory: home,
    prompt: '',
    promptFile: '',
    outcomeFile: path.join(home, 'outcome.json'),
    model: first.model,
  });
  assert('argv' in command);
  for (const {path: file, text} of command.files ?? []) writeFileSync(file, text);
  const fixture = createDaemonFixture(t, {
    HOME: home,
    PATH: `${path.dirname(program)}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    ...command.env,
    ...first.env,
  });
  // Only after the place is closed: what still lives there would write it anew.
  t.after(() => {
    rmSync(home, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  });
  // Which folder is trusted is part of some homes, and the folder is known only now.
  const {model} = homes[name]?.(home, server.url, realpathSync(fixture.root)) ?? assert.fail(name);
  if (name === 'opencode' && asks)
    askFirst(path.join(home, '.config', 'opencode', 'opencode.json'));
  answer = script(realpathSync(fixture.root));
  writeFileSync(path.join(fixture.root, 'a.txt'), 'one\n');
  execFileSync('git', ['add', '--all'], {cwd: fixture.root, env: fixture.env});
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'start'],
    {cwd: fixture.root, env: fixture.env},
  );
  return {
    place: fixture,
    server,
    model,
    driver: found.driver,
    argv: toTerminalArgv(command, [program]),
  };
}

/** It asks for nothing unless it is told to. */
function askFirst(file: string): void {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({...settings, permission: {edit: 'ask', bash: 'ask'}}));
}
